// Component-wise maximum of uvec3, 12 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(uvec3, largest)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(uvec3(0u)); }
Element operate(Element a, Element b) { return Element(max(a.largest, b.largest)); }
