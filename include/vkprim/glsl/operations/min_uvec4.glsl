// Component-wise minimum of uvec4, 16 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(uvec4, least)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(uvec4(0xffffffffu)); }
Element operate(Element a, Element b) { return Element(min(a.least, b.least)); }
