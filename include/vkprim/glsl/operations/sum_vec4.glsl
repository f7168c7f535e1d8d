// Sums of vec4, component by component, of 16 bytes each. What is below 2^-125 counts as 0.
#define VKPRIM_FIELDS(FIELD) FIELD(vec4, sum)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(vec4(0)); }
Element operate(Element a, Element b) {
    precise vec4 sum = a.sum + b.sum;
    return Element(vkprim_canonical(sum));
}
