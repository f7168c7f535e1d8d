// Component-wise maximum of vec2, 8 bytes each. Exact; NaN is ignored, and -0 is below +0.
#define VKPRIM_FIELDS(FIELD) FIELD(vec2, largest)
#include <vkprim/glsl/operation.glsl>
#include <vkprim/glsl/detail/ordered.glsl>

Element identity() { return Element(vec2(-VKPRIM_INFINITY)); }
Element operate(Element a, Element b) { return Element(vkprim_largest(a.largest, b.largest)); }
