// Component-wise maximum of ivec2, 8 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(ivec2, largest)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(ivec2(0x80000000)); }
Element operate(Element a, Element b) { return Element(max(a.largest, b.largest)); }
