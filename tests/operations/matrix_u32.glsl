// Four words, in order: products of 2 x 2 matrices.
#define VKPRIM_FIELDS(FIELD) FIELD(uvec4, rows)
#define VKPRIM_KEEPS_ORDER
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(uvec4(1, 0, 0, 1)); }
Element operate(Element a, Element b) { return Element(a.rows.xxzz * b.rows.xyxy + a.rows.yyww * b.rows.zwzw); }
