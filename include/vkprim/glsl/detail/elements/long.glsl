// elements: long(u64,i64,f64) VKPRIM_ELEMENT_LONG
//
// Elements of two words of 32 bits, the low one first: integers on any device, since a pair of words does what is needed; sums and products
// of doubles where the device has those. VKPRIM_ORDERED as in word.glsl: min and max of doubles need no doubles. With VKPRIM_ELEMENT_WIDE, wide.glsl says how they lie in memory.
#ifdef VKPRIM_WORD64
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#endif
#ifndef VKPRIM_ELEMENT_WIDE
#define VKPRIM_MEMORY_WORDS 2
#define VKPRIM_VECTOR_WIDTH 2
#endif
#include "pair.glsl"

VKPRIM_ELEMENT vkprim_element_identity() {
    uvec2 most = uvec2(~0u); // of which the least is the complement
    if (VKPRIM_CLASS == VKPRIM_SIGNED) most = uvec2(~0u, 0x7fffffffu);
    if (VKPRIM_CLASS == VKPRIM_ORDERED) most = uvec2(0, 0x7ff00000u); // infinity
    if (VKPRIM_OPERATION == VKPRIM_MIN) return most;
    if (VKPRIM_OPERATION == VKPRIM_MAX) return ~most;
    if (VKPRIM_OPERATION == VKPRIM_MUL && VKPRIM_CLASS == VKPRIM_FLOAT) return uvec2(0, 0x3ff00000u); // 1.0
    if (VKPRIM_OPERATION == VKPRIM_MUL) return uvec2(1, 0);
    return uvec2(VKPRIM_OPERATION == VKPRIM_BIT_AND ? ~0u : 0u);
}

uvec2 vkprim_element_to_memory(VKPRIM_ELEMENT value) {
    if (VKPRIM_CLASS == VKPRIM_FLOAT) { // one NaN stands for all, and +0 for both zeros, as in fixed.glsl
        uint magnitude = value.y & 0x7fffffffu;
        bool is_nan = magnitude >= 0x7ff00000u + uint(value.x == 0);
        bool is_zero = (magnitude | value.x) == 0;
        return mix(mix(value, uvec2(0, 0x7ff80000u), bvec2(is_nan)), uvec2(0), bvec2(is_zero));
    }
    uint negative = uint(int(value.y) >> 31);
    if (VKPRIM_CLASS == VKPRIM_ORDERED) value ^= uvec2(negative, negative & 0x7fffffffu);
    return value;
}
VKPRIM_ELEMENT vkprim_element_from_memory(uvec2 bits) {
    if (VKPRIM_CLASS != VKPRIM_ORDERED) return bits;
    bool is_nan = (bits.y & 0x7fffffffu) >= 0x7ff00000u + uint(bits.x == 0);
    uint negative = uint(int(bits.y) >> 31);
    return mix(bits ^ uvec2(negative, negative & 0x7fffffffu), vkprim_element_identity(), bvec2(is_nan));
}

#ifndef VKPRIM_ELEMENT_WIDE
VKPRIM_VECTOR vkprim_vector_from_memory(uvec4 words, uint index) {
    return vkprim_Element2(vkprim_element_from_memory(words.xy), vkprim_element_from_memory(words.zw));
}

uvec4 vkprim_vector_to_memory(VKPRIM_VECTOR vector) {
    return uvec4(vkprim_element_to_memory(vector.x), vkprim_element_to_memory(vector.y));
}
#endif

void vkprim_element_store(uvec2 address, VKPRIM_ELEMENT element) {
    uvec2 bits = vkprim_element_to_memory(element);
    vkprim_Words(address).at[0] = bits.x;
    vkprim_Words(address).at[1] = bits.y;
}

bool vkprim_is_less(uvec2 a, uvec2 b) {
    bool is_less = VKPRIM_CLASS == VKPRIM_UNSIGNED ? a.y < b.y : int(a.y) < int(b.y);
    return is_less || (a.y == b.y && a.x < b.x);
}

// Apart from the rest, which devices without doubles have.
VKPRIM_ELEMENT vkprim_operate_doubles(VKPRIM_ELEMENT a, VKPRIM_ELEMENT b) {
    precise double product = packDouble2x32(a) * packDouble2x32(b);
    if (VKPRIM_OPERATION == VKPRIM_MUL) return unpackDouble2x32(product);
    precise double sum = packDouble2x32(a) + packDouble2x32(b);
    return unpackDouble2x32(sum);
}

VKPRIM_ELEMENT vkprim_operate(VKPRIM_ELEMENT a, VKPRIM_ELEMENT b) {
    if (VKPRIM_CLASS == VKPRIM_FLOAT) return vkprim_operate_doubles(a, b);
    if (VKPRIM_OPERATION == VKPRIM_BIT_AND) return a & b;
    if (VKPRIM_OPERATION == VKPRIM_BIT_OR) return a | b;
    if (VKPRIM_OPERATION == VKPRIM_BIT_XOR) return a ^ b;
    if (VKPRIM_OPERATION == VKPRIM_MIN) return mix(a, b, bvec2(vkprim_is_less(b, a)));
    if (VKPRIM_OPERATION == VKPRIM_MAX) return mix(a, b, bvec2(vkprim_is_less(a, b)));
    if (VKPRIM_OPERATION == VKPRIM_MUL) {
        uint high, low;
        umulExtended(a.x, b.x, high, low);
        return uvec2(low, high + a.x * b.y + a.y * b.x);
    }
#ifdef VKPRIM_WORD64
    if (VKPRIM_USES_WORD64) return unpackUint2x32(packUint2x32(a) + packUint2x32(b)); // with the carry that the device has
#endif
    uint carry, low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}
