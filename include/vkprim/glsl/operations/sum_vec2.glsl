// Sums of vec2, component by component, of 8 bytes each. What is below 2^-125 counts as 0.
#define VKPRIM_FIELDS(FIELD) FIELD(vec2, sum)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(vec2(0)); }
Element operate(Element a, Element b) {
    precise vec2 sum = a.sum + b.sum;
    return Element(vkprim_canonical(sum));
}
