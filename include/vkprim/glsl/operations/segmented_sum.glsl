// Sums of floats that begin anew at each head, 8 bytes each: a flag that is 0 or 1, and a value. In an inclusive scan, output[i].sum is
// the sum from the last head up to i (Schwartz, "Ultracomputers", 1980; Blelloch, "Prefix Sums and Their Applications", 1990, section 1.5).
#define VKPRIM_FIELDS(FIELD) FIELD(uint, head) FIELD(float, sum)
#define VKPRIM_KEEPS_ORDER
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(0, 0); }
Element operate(Element a, Element b) {
    precise float sum = a.sum + b.sum;
    return Element(a.head | b.head, b.head != 0 ? b.sum : vkprim_canonical(sum));
}
