// Component-wise maximum of ivec4, 16 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(ivec4, largest)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(ivec4(0x80000000)); }
Element operate(Element a, Element b) { return Element(max(a.largest, b.largest)); }
