// Component-wise sum of uvec3, 12 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(uvec3, sum)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(uvec3(0)); }
Element operate(Element a, Element b) { return Element(a.sum + b.sum); }
