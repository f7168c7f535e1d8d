// Component-wise maximum of uvec4, 16 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(uvec4, largest)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(uvec4(0u)); }
Element operate(Element a, Element b) { return Element(max(a.largest, b.largest)); }
