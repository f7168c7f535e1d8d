// Component-wise minimum of ivec3, 12 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(ivec3, least)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(ivec3(0x7fffffff)); }
Element operate(Element a, Element b) { return Element(min(a.least, b.least)); }
