// Component-wise sum of ivec2, 8 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(ivec2, sum)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(ivec2(0)); }
Element operate(Element a, Element b) { return Element(a.sum + b.sum); }
