// Elements in memory and in registers. Conversions choose by mix(): glslc makes branches of `?:`, of which SwiftShader compiled a
// scan for 13 seconds.
//
// ELEMENT is the type in registers. With ORDERED_FLOAT, elements in memory are floats and registers hold their order as
// signed integers: min and max are then exact for all data, on every device, with -0 below +0, and NaN is the identity.
#ifndef ELEMENT_GLSL
#define ELEMENT_GLSL
#include "address.glsl"
#include "constants.glsl"

#if defined(ELEMENT_FLOAT)
#define ELEMENT float
#define ELEMENT4 vec4
#define ELEMENT_FROM_BITS uintBitsToFloat
#define ELEMENT_FROM_BITS4 uintBitsToFloat
#define ELEMENT_BITS floatBitsToUint
#define ELEMENT_BITS4 floatBitsToUint
#elif defined(ELEMENT_INT)
#define ELEMENT int
#define ELEMENT4 ivec4
#define ELEMENT_FROM_BITS int
#define ELEMENT_FROM_BITS4 ivec4
#define ELEMENT_BITS uint
#define ELEMENT_BITS4 uvec4
#else
#define ELEMENT uint
#define ELEMENT4 uvec4
#define ELEMENT_FROM_BITS uint
#define ELEMENT_FROM_BITS4 uvec4
#define ELEMENT_BITS uint
#define ELEMENT_BITS4 uvec4
#endif

#ifdef ELEMENT_IDENTITY // with ELEMENT_OPERATE: operation.glsl
ELEMENT element_identity() { return ELEMENT_IDENTITY; }
#else
ELEMENT element_identity() { return ELEMENT_FROM_BITS(IDENTITY_BITS); }
#endif

#if defined(ORDERED_FLOAT)
bool is_nan(uint bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }
ELEMENT element_from_memory(uint bits) {
    return mix(int(bits) ^ ((int(bits) >> 31) & 0x7fffffff), element_identity(), is_nan(bits));
}
uint element_to_memory(ELEMENT value) { return uint(value ^ ((value >> 31) & 0x7fffffff)); }
#elif defined(ELEMENT_FLOAT)
// Devices differ in the sign and payload of the NaN that arithmetic makes, and some in the sign of zero: one NaN stands for
// all, and +0 for both zeros.
uint element_to_memory(ELEMENT value) {
    uint bits = floatBitsToUint(value);
    uint magnitude = bits & 0x7fffffffu;
    return mix(mix(bits, 0x7fc00000u, magnitude > 0x7f800000u), 0u, magnitude == 0);
}
ELEMENT element_from_memory(uint bits) { return uintBitsToFloat(bits); }
#else
uint    element_to_memory(ELEMENT value) { return ELEMENT_BITS(value); }
ELEMENT element_from_memory(uint bits) { return ELEMENT_FROM_BITS(bits); }
#endif

ELEMENT4 element_from_memory(uvec4 bits) {
    return ELEMENT4(element_from_memory(bits.x), element_from_memory(bits.y), element_from_memory(bits.z),
                    element_from_memory(bits.w));
}

uvec4 element_to_memory(ELEMENT4 value) {
    return uvec4(element_to_memory(value.x), element_to_memory(value.y), element_to_memory(value.z),
                 element_to_memory(value.w));
}

// Four elements from index on; the identity in place of those from `count` on.
uvec4 elements_load_partial(uvec2 base, uint index, uint count) {
    Words words = Words(base);
    uvec4 bits = uvec4(element_to_memory(element_identity()));
    if (index + 0 < count) bits.x = words.at[index + 0];
    if (index + 1 < count) bits.y = words.at[index + 1];
    if (index + 2 < count) bits.z = words.at[index + 2];
    if (index + 3 < count) bits.w = words.at[index + 3];
    return bits;
}

void elements_store_partial(uvec2 base, uint index, uint count, uvec4 bits) {
    Words words = Words(base);
    if (index + 0 < count) words.at[index + 0] = bits.x;
    if (index + 1 < count) words.at[index + 1] = bits.y;
    if (index + 2 < count) words.at[index + 2] = bits.z;
    if (index + 3 < count) words.at[index + 3] = bits.w;
}

#endif
