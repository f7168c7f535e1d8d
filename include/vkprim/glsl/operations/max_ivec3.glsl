// Component-wise maximum of ivec3, 12 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(ivec3, largest)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(ivec3(0x80000000)); }
Element operate(Element a, Element b) { return Element(max(a.largest, b.largest)); }
