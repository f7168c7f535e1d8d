// Component-wise sum of uvec2, 8 bytes each.
#define VKPRIM_FIELDS(FIELD) FIELD(uvec2, sum)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(uvec2(0)); }
Element operate(Element a, Element b) { return Element(a.sum + b.sum); }
