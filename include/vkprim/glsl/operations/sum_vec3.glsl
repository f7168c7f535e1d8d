// Sums of vec3, component by component, of 12 bytes each. What is below 2^-125 counts as 0.
#define VKPRIM_FIELDS(FIELD) FIELD(vec3, sum)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(vec3(0)); }
Element operate(Element a, Element b) {
    precise vec3 sum = a.sum + b.sum;
    return Element(vkprim_canonical(sum));
}
