// Component-wise sum of uvec4, 16 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(uvec4, sum)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(uvec4(0)); }
Element operate(Element a, Element b) { return Element(a.sum + b.sum); }
