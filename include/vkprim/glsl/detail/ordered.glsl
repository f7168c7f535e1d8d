// The least and the largest of floats, component by component, by the order of their bits: exact on every device, with -0 below +0, and
// NaN losing against every number, which min() and max() of Vulkan do not promise.
#ifndef VKPRIM_ORDERED_GLSL
#define VKPRIM_ORDERED_GLSL

// The place of each in the order of floats; `nan` in place of NaN. And back.
ivec4 vkprim_order_of(vec4 x, int nan) {
    ivec4 bits = floatBitsToInt(x);
    return mix(bits ^ ((bits >> 31) & 0x7fffffff), ivec4(nan), greaterThan(bits & 0x7fffffff, ivec4(0x7f800000)));
}
vec4 vkprim_float_of(ivec4 order) { return intBitsToFloat(order ^ ((order >> 31) & 0x7fffffff)); }

// Of infinity and of -infinity.
const int VKPRIM_ORDER_MOST = 0x7f800000, VKPRIM_ORDER_LEAST = ~0x7f800000;

vec4 vkprim_least(vec4 a, vec4 b) {
    return vkprim_float_of(min(vkprim_order_of(a, VKPRIM_ORDER_MOST), vkprim_order_of(b, VKPRIM_ORDER_MOST)));
}
vec3 vkprim_least(vec3 a, vec3 b) { return vkprim_least(vec4(a, 0), vec4(b, 0)).xyz; }
vec2 vkprim_least(vec2 a, vec2 b) { return vkprim_least(vec4(a, 0, 0), vec4(b, 0, 0)).xy; }

vec4 vkprim_largest(vec4 a, vec4 b) {
    return vkprim_float_of(max(vkprim_order_of(a, VKPRIM_ORDER_LEAST), vkprim_order_of(b, VKPRIM_ORDER_LEAST)));
}
vec3 vkprim_largest(vec3 a, vec3 b) { return vkprim_largest(vec4(a, 0), vec4(b, 0)).xyz; }
vec2 vkprim_largest(vec2 a, vec2 b) { return vkprim_largest(vec4(a, 0, 0), vec4(b, 0, 0)).xy; }

#endif
