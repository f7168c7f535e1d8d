// Component-wise sum of vec2, 8 bytes each. Sums of a magnitude below 2^-125 become +0, and NaN has the bits 0x7fc00000.
#define VKPRIM_FIELDS(FIELD) FIELD(vec2, sum)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(vec2(0)); }
Element operate(Element a, Element b) {
    precise vec2 sum = a.sum + b.sum;
    return Element(vkprim_canonical(sum));
}
