// Component-wise minimum of ivec2, 8 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(ivec2, least)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(ivec2(0x7fffffff)); }
Element operate(Element a, Element b) { return Element(min(a.least, b.least)); }
