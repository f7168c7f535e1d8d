// The longest of vectors.
#define VKPRIM_FIELDS(FIELD) FIELD(vec3, vector)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(vec3(0)); }
Element operate(Element a, Element b) {
    if (dot(a.vector, a.vector) >= dot(b.vector, b.vector)) return a;
    return b;
}
