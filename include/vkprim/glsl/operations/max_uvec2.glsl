// Component-wise maximum of uvec2, 8 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(uvec2, largest)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(uvec2(0u)); }
Element operate(Element a, Element b) { return Element(max(a.largest, b.largest)); }
