// Products of 2 x 2 matrices of floats, 16 bytes each: rows.xy is the first row, rows.zw the second. The first matrix is the leftmost factor.
#define VKPRIM_FIELDS(FIELD) FIELD(vec4, rows)
#define VKPRIM_KEEPS_ORDER
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(vec4(1, 0, 0, 1)); }
Element operate(Element a, Element b) {
    precise vec4 left = a.rows.xxzz * b.rows.xyxy, right = a.rows.yyww * b.rows.zwzw;
    precise vec4 rows = vkprim_flushed(left) + vkprim_flushed(right);
    return Element(vkprim_canonical(rows));
}
