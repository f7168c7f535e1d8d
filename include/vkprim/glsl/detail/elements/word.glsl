// elements: u32 | i32 VKPRIM_ELEMENT_INT | f32 VKPRIM_ELEMENT_FLOAT | f32_ordered VKPRIM_ELEMENT_INT VKPRIM_ORDERED_FLOAT
//
// Elements of one word of 32 bits. With VKPRIM_ORDERED_FLOAT, elements in memory are floats and registers hold their order as
// signed integers: min and max are then exact for all data, on every device, with -0 below +0, and NaN is the identity.
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
#define VKPRIM_REGISTER_WORDS 1
#define VKPRIM_MEMORY_WORDS 1
#define VKPRIM_VECTOR_WIDTH 4
#define VKPRIM_VECTOR VKPRIM_ELEMENT4
#define VKPRIM_EACH4(FUNCTION, four, argument) FUNCTION(four, argument)

#ifdef VKPRIM_ELEMENT_IDENTITY
VKPRIM_ELEMENT vkprim_element_identity() { return VKPRIM_ELEMENT_IDENTITY; }
#else
VKPRIM_ELEMENT vkprim_element_identity() { return VKPRIM_ELEMENT_FROM_BITS(VKPRIM_IDENTITY_BITS); }
#endif
VKPRIM_ELEMENT4 vkprim_element4(VKPRIM_ELEMENT element) { return VKPRIM_ELEMENT4(element); }
VKPRIM_ELEMENT vkprim_element4_at(VKPRIM_ELEMENT4 four, uint i) { return four[i]; }
uint vkprim_element_word(VKPRIM_ELEMENT element, uint i) { return VKPRIM_ELEMENT_BITS(element); }
VKPRIM_ELEMENT vkprim_element_of(uint words[1]) { return VKPRIM_ELEMENT_FROM_BITS(words[0]); }

#if defined(VKPRIM_ORDERED_HALF)
// The 32-bit float of an order of 16-bit ones, exactly.
uint vkprim_element_to_memory(VKPRIM_ELEMENT order) {
    uint bits = uint(order ^ ((order >> 31) & 0x7fff)), magnitude = bits & 0x7fff;
    uint normal = (magnitude << 13) + (112u << 23), endless = magnitude << 13 | 0x7f800000u;
    uint denormal = floatBitsToUint(float(magnitude) * 5.9604644775390625e-8); // 2^-24
    return mix(mix(normal, endless, magnitude >= 0x7c00), denormal, magnitude < 0x400) | (bits & 0x8000) << 16;
}
#elif defined(VKPRIM_ORDERED_FLOAT)
bool vkprim_is_nan(uint bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }
VKPRIM_ELEMENT vkprim_element_from_memory(uint bits) {
    return mix(int(bits) ^ ((int(bits) >> 31) & 0x7fffffff), vkprim_element_identity(), vkprim_is_nan(bits));
}
uint vkprim_element_to_memory(VKPRIM_ELEMENT value) { return uint(value ^ ((value >> 31) & 0x7fffffff)); }
#elif defined(VKPRIM_ELEMENT_FLOAT)
// Devices differ in the sign and payload of the NaN that arithmetic makes, and some in the sign of zero: one NaN stands for
// all, and +0 for both zeros.
uint vkprim_element_to_memory(VKPRIM_ELEMENT value) {
    uint bits = floatBitsToUint(value);
    uint magnitude = bits & 0x7fffffffu;
    return mix(mix(bits, 0x7fc00000u, magnitude > 0x7f800000u), 0u, magnitude == 0);
}
VKPRIM_ELEMENT vkprim_element_from_memory(uint bits) { return uintBitsToFloat(bits); }
#else
uint vkprim_element_to_memory(VKPRIM_ELEMENT value) { return VKPRIM_ELEMENT_BITS(value); }
VKPRIM_ELEMENT vkprim_element_from_memory(uint bits) { return VKPRIM_ELEMENT_FROM_BITS(bits); }
#endif

#ifndef VKPRIM_ELEMENT_BY_ELEMENT
VKPRIM_VECTOR vkprim_vector_from_memory(uvec4 words, uint index) {
    return VKPRIM_VECTOR(vkprim_element_from_memory(words.x), vkprim_element_from_memory(words.y), vkprim_element_from_memory(words.z),
                         vkprim_element_from_memory(words.w));
}

uvec4 vkprim_vector_to_memory(VKPRIM_VECTOR vector) {
    return uvec4(vkprim_element_to_memory(vector.x), vkprim_element_to_memory(vector.y), vkprim_element_to_memory(vector.z),
                 vkprim_element_to_memory(vector.w));
}
#endif

void vkprim_element_store(uvec2 address, VKPRIM_ELEMENT element) { vkprim_Words(address).at[0] = vkprim_element_to_memory(element); }

#ifdef VKPRIM_ELEMENT_OPERATE
VKPRIM_ELEMENT vkprim_operate(VKPRIM_ELEMENT a, VKPRIM_ELEMENT b) { return VKPRIM_ELEMENT_OPERATE(a, b); }
VKPRIM_ELEMENT4 vkprim_operate(VKPRIM_ELEMENT4 a, VKPRIM_ELEMENT4 b) {
    return VKPRIM_ELEMENT4(vkprim_operate(a.x, b.x), vkprim_operate(a.y, b.y), vkprim_operate(a.z, b.z), vkprim_operate(a.w, b.w));
}
#else
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

VKPRIM_VECTOR vkprim_vector_scan(VKPRIM_VECTOR vector) {
    vector.y = vkprim_operate(vector.x, vector.y);
    vector.z = vkprim_operate(vector.y, vector.z);
    vector.w = vkprim_operate(vector.z, vector.w);
    return vector;
}
VKPRIM_VECTOR vkprim_vector_shift(VKPRIM_VECTOR vector) { return VKPRIM_VECTOR(vkprim_element_identity(), vector.xyz); }
VKPRIM_ELEMENT vkprim_vector_last(VKPRIM_VECTOR vector) { return vector.w; }
VKPRIM_ELEMENT vkprim_vector_reduce(VKPRIM_VECTOR vector) {
    return vkprim_operate(vkprim_operate(vector.x, vector.y), vkprim_operate(vector.z, vector.w));
}
VKPRIM_VECTOR vkprim_vector_of(VKPRIM_ELEMENT element) { return VKPRIM_VECTOR(element); }
