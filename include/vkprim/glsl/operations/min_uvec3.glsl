// Component-wise minimum of uvec3, 12 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(uvec3, least)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(uvec3(0xffffffffu)); }
Element operate(Element a, Element b) { return Element(min(a.least, b.least)); }
