// Elements in memory and in registers. Conversions choose by mix(): glslc makes branches of `?:`, of which SwiftShader compiled a
// scan for 13 seconds.
//
// VKPRIM_ELEMENT is the type in registers. With VKPRIM_ORDERED_FLOAT, elements in memory are floats and registers hold their order as
// signed integers: min and max are then exact for all data, on every device, with -0 below +0, and NaN is the identity.
#ifndef VKPRIM_ELEMENT_GLSL
#define VKPRIM_ELEMENT_GLSL
#include "address.glsl"
#include "constants.glsl"

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

#ifdef VKPRIM_ELEMENT_IDENTITY // with VKPRIM_ELEMENT_OPERATE: operation.glsl
VKPRIM_ELEMENT vkprim_element_identity() { return VKPRIM_ELEMENT_IDENTITY; }
#else
VKPRIM_ELEMENT vkprim_element_identity() { return VKPRIM_ELEMENT_FROM_BITS(VKPRIM_IDENTITY_BITS); }
#endif

#if defined(VKPRIM_ORDERED_FLOAT)
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
uint    vkprim_element_to_memory(VKPRIM_ELEMENT value) { return VKPRIM_ELEMENT_BITS(value); }
VKPRIM_ELEMENT vkprim_element_from_memory(uint bits) { return VKPRIM_ELEMENT_FROM_BITS(bits); }
#endif

VKPRIM_ELEMENT4 vkprim_element_from_memory(uvec4 bits) {
    return VKPRIM_ELEMENT4(vkprim_element_from_memory(bits.x), vkprim_element_from_memory(bits.y), vkprim_element_from_memory(bits.z),
                    vkprim_element_from_memory(bits.w));
}

uvec4 vkprim_element_to_memory(VKPRIM_ELEMENT4 value) {
    return uvec4(vkprim_element_to_memory(value.x), vkprim_element_to_memory(value.y), vkprim_element_to_memory(value.z),
                 vkprim_element_to_memory(value.w));
}

// Four elements from index on; the identity in place of those from `count` on.
uvec4 vkprim_elements_load_partial(uvec2 base, uint index, uint count) {
    vkprim_Words words = vkprim_Words(base);
    uvec4 bits = uvec4(vkprim_element_to_memory(vkprim_element_identity()));
    if (index + 0 < count) bits.x = words.at[index + 0];
    if (index + 1 < count) bits.y = words.at[index + 1];
    if (index + 2 < count) bits.z = words.at[index + 2];
    if (index + 3 < count) bits.w = words.at[index + 3];
    return bits;
}

void vkprim_elements_store_partial(uvec2 base, uint index, uint count, uvec4 bits) {
    vkprim_Words words = vkprim_Words(base);
    if (index + 0 < count) words.at[index + 0] = bits.x;
    if (index + 1 < count) words.at[index + 1] = bits.y;
    if (index + 2 < count) words.at[index + 2] = bits.z;
    if (index + 3 < count) words.at[index + 3] = bits.w;
}

#endif
