// Eight words, in order: products of 2 x 2 matrices, and of others in the opposite order.
#define VKPRIM_FIELDS(FIELD) FIELD(uvec4, forth) FIELD(ivec3, back) FIELD(int, back_last)
#define VKPRIM_KEEPS_ORDER
#include <vkprim/glsl/operation.glsl>

uvec4 product(uvec4 a, uvec4 b) { return a.xxzz * b.xyxy + a.yyww * b.zwzw; }
Element identity() { return Element(uvec4(1, 0, 0, 1), ivec3(1, 0, 0), 1); }
Element operate(Element a, Element b) {
    uvec4 back = product(uvec4(b.back, b.back_last), uvec4(a.back, a.back_last));
    return Element(product(a.forth, b.forth), ivec3(back.xyz), int(back.w));
}
