// elements: f32(f32) VKPRIM_ELEMENT_FIXED VKPRIM_ELEMENT_FLOAT
//
// Elements of one word whose type the shader fixes: uint; int with VKPRIM_ELEMENT_INT, float with VKPRIM_ELEMENT_FLOAT. Shaders that are not
// vkprim's have these, and sums and products of floats: in registers of word.glsl, NVIDIA's compiler makes scans of them half as fast.
//
// The operation is chosen by a specialization constant; or it is VKPRIM_ELEMENT_OPERATE(a, b), whose neutral element
// VKPRIM_ELEMENT_IDENTITY is.
#if defined(VKPRIM_ELEMENT_FLOAT)
#define VKPRIM_ELEMENT float
#define VKPRIM_ELEMENT4 vec4
#define VKPRIM_ELEMENT_FROM_BITS uintBitsToFloat
#define VKPRIM_ELEMENT_FROM_BITS4 uintBitsToFloat
#define VKPRIM_ELEMENT_BITS floatBitsToUint
#define VKPRIM_ELEMENT_BITS4 floatBitsToUint
#elif defined(VKPRIM_ELEMENT_INT)
#define VKPRIM_ELEMENT int
#define VKPRIM_ELEMENT4 ivec4
#define VKPRIM_ELEMENT_FROM_BITS int
#define VKPRIM_ELEMENT_FROM_BITS4 ivec4
#define VKPRIM_ELEMENT_BITS uint
#define VKPRIM_ELEMENT_BITS4 uvec4
#else
#define VKPRIM_ELEMENT uint
#define VKPRIM_ELEMENT4 uvec4
#define VKPRIM_ELEMENT_FROM_BITS uint
#define VKPRIM_ELEMENT_FROM_BITS4 uvec4
#define VKPRIM_ELEMENT_BITS uint
#define VKPRIM_ELEMENT_BITS4 uvec4
#endif

VKPRIM_ELEMENT vkprim_element_from_memory(uint bits) { return VKPRIM_ELEMENT_FROM_BITS(bits); }
#ifdef VKPRIM_ELEMENT_FLOAT
// Devices differ in the sign and payload of the NaN that arithmetic makes, and some in the sign of zero: one NaN stands for
// all, and +0 for both zeros.
uint vkprim_element_to_memory(VKPRIM_ELEMENT value) {
    uint bits = floatBitsToUint(value);
    uint magnitude = bits & 0x7fffffffu;
    return mix(mix(bits, 0x7fc00000u, magnitude > 0x7f800000u), 0u, magnitude == 0);
}
#else
uint vkprim_element_to_memory(VKPRIM_ELEMENT value) { return VKPRIM_ELEMENT_BITS(value); }
#endif

#ifdef VKPRIM_ELEMENT_OPERATE
VKPRIM_ELEMENT vkprim_element_identity() { return VKPRIM_ELEMENT_IDENTITY; }
VKPRIM_ELEMENT vkprim_operate(VKPRIM_ELEMENT a, VKPRIM_ELEMENT b) { return VKPRIM_ELEMENT_OPERATE(a, b); }
VKPRIM_ELEMENT4 vkprim_operate(VKPRIM_ELEMENT4 a, VKPRIM_ELEMENT4 b) {
    return VKPRIM_ELEMENT4(vkprim_operate(a.x, b.x), vkprim_operate(a.y, b.y), vkprim_operate(a.z, b.z), vkprim_operate(a.w, b.w));
}
#else
VKPRIM_ELEMENT vkprim_element_identity() { return VKPRIM_ELEMENT_FROM_BITS(VKPRIM_IDENTITY_BITS); }
#if defined(VKPRIM_ELEMENT_FLOAT)
#define VKPRIM_OPERATE_BITS(a, b)
#else
#define VKPRIM_OPERATE_BITS(a, b)                         \
    if (VKPRIM_OPERATION == VKPRIM_BIT_AND) return a & b; \
    if (VKPRIM_OPERATION == VKPRIM_BIT_OR) return a | b;  \
    if (VKPRIM_OPERATION == VKPRIM_BIT_XOR) return a ^ b;
#endif

// `precise` keeps the compiler from changing the order of float additions, which is part of the result.
#define VKPRIM_DEFINE_OPERATE(TYPE)                           \
    TYPE vkprim_operate(TYPE a, TYPE b) {                     \
        VKPRIM_OPERATE_BITS(a, b)                             \
        if (VKPRIM_OPERATION == VKPRIM_MIN) return min(a, b); \
        if (VKPRIM_OPERATION == VKPRIM_MAX) return max(a, b); \
        precise TYPE product = a * b;                         \
        if (VKPRIM_OPERATION == VKPRIM_MUL) return product;   \
        precise TYPE sum = a + b;                             \
        return sum;                                           \
    }

VKPRIM_DEFINE_OPERATE(VKPRIM_ELEMENT)
VKPRIM_DEFINE_OPERATE(VKPRIM_ELEMENT4)
#endif
#include "single.glsl"
