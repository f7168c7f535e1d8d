// elements: word(u32,i32,f32)
//
// Elements of one word: u32, i32, and f32 under min and max. Registers hold their bits, and specialization constants say what these are
// (operations.h). Of VKPRIM_ORDERED ones, elements in memory are floats and registers hold their order as signed integers: min and max are
// then exact for all data, on every device, with -0 below +0, and NaN is the identity.
#define VKPRIM_ELEMENT uint
#define VKPRIM_ELEMENT4 uvec4
#define VKPRIM_ELEMENT_FROM_BITS uint
#define VKPRIM_ELEMENT_FROM_BITS4 uvec4
#define VKPRIM_ELEMENT_BITS uint
#define VKPRIM_ELEMENT_BITS4 uvec4

VKPRIM_ELEMENT vkprim_element_identity() { return VKPRIM_IDENTITY_BITS; }

VKPRIM_ELEMENT vkprim_element_from_memory(uint bits) {
    if (VKPRIM_CLASS != VKPRIM_ORDERED) return bits;
    return mix(bits ^ uint(int(bits) >> 31) & 0x7fffffffu, vkprim_element_identity(), (bits & 0x7fffffffu) > 0x7f800000u);
}

uint vkprim_element_to_memory(VKPRIM_ELEMENT value) {
    if (VKPRIM_CLASS != VKPRIM_ORDERED) return value;
#ifdef VKPRIM_ELEMENT_NARROW
    return vkprim_half_to_memory(value);
#else
    return value ^ uint(int(value) >> 31) & 0x7fffffffu;
#endif
}

#define VKPRIM_DEFINE_OPERATE(UINT, INT)                                                           \
    UINT vkprim_operate(UINT a, UINT b) {                                                          \
        if (VKPRIM_OPERATION == VKPRIM_BIT_AND) return a & b;                                      \
        if (VKPRIM_OPERATION == VKPRIM_BIT_OR) return a | b;                                       \
        if (VKPRIM_OPERATION == VKPRIM_BIT_XOR) return a ^ b;                                      \
        if (VKPRIM_OPERATION == VKPRIM_MIN && VKPRIM_CLASS == VKPRIM_UNSIGNED) return min(a, b);   \
        if (VKPRIM_OPERATION == VKPRIM_MAX && VKPRIM_CLASS == VKPRIM_UNSIGNED) return max(a, b);   \
        if (VKPRIM_OPERATION == VKPRIM_MIN) return UINT(min(INT(a), INT(b)));                      \
        if (VKPRIM_OPERATION == VKPRIM_MAX) return UINT(max(INT(a), INT(b)));                      \
        if (VKPRIM_OPERATION == VKPRIM_MUL) return a * b;                                          \
        return a + b;                                                                              \
    }

VKPRIM_DEFINE_OPERATE(uint, int)
VKPRIM_DEFINE_OPERATE(uvec4, ivec4)
#include "single.glsl"
