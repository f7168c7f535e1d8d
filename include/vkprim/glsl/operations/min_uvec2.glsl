// Component-wise minimum of uvec2, 8 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(uvec2, least)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(uvec2(0xffffffffu)); }
Element operate(Element a, Element b) { return Element(min(a.least, b.least)); }
