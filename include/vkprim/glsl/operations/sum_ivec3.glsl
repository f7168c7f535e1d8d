// Component-wise sum of ivec3, 12 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(ivec3, sum)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(ivec3(0)); }
Element operate(Element a, Element b) { return Element(a.sum + b.sum); }
