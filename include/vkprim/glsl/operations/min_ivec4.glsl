// Component-wise minimum of ivec4, 16 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(ivec4, least)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(ivec4(0x7fffffff)); }
Element operate(Element a, Element b) { return Element(min(a.least, b.least)); }
