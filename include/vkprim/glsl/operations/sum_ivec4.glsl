// Component-wise sum of ivec4, 16 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(ivec4, sum)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(ivec4(0)); }
Element operate(Element a, Element b) { return Element(a.sum + b.sum); }
