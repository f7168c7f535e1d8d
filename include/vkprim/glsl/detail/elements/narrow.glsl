// elements: narrow(u8,i8,u16,i16,f16) VKPRIM_ELEMENT_NARROW | f16(f16) VKPRIM_ELEMENT_NARROW VKPRIM_ELEMENT_FLOAT
//
// Elements of 1 and 2 bytes in the input: u8, i8, u16, i16 and f16. In registers and in the output they are words of 32 bits, as of
// word.glsl and fixed.glsl; of VKPRIM_ORDERED ones, registers hold the order of 16-bit floats as signed integers.
#define VKPRIM_OUTPUT_BYTES 4
#define VKPRIM_ELEMENT_BY_ELEMENT

#ifdef VKPRIM_ELEMENT_FLOAT
#include "fixed.glsl"
#else
// The 32-bit float of an order of 16-bit ones, exactly.
uint vkprim_half_to_memory(uint order) {
    uint bits = order ^ uint(int(order) >> 31) & 0x7fff, magnitude = bits & 0x7fff;
    uint normal = (magnitude << 13) + (112u << 23), endless = magnitude << 13 | 0x7f800000u;
    uint denormal = floatBitsToUint(float(magnitude) * 5.9604644775390625e-8); // 2^-24
    return mix(mix(normal, endless, magnitude >= 0x7c00), denormal, magnitude < 0x400) | (bits & 0x8000) << 16;
}
#include "word.glsl"
#endif
#include "bytes.glsl"

VKPRIM_ELEMENT vkprim_element_of_bytes(uint bits) {
#ifdef VKPRIM_ELEMENT_FLOAT
    return unpackHalf2x16(bits).x;
#else
    if (VKPRIM_CLASS != VKPRIM_ORDERED) return bits;
    return mix(bits ^ uint(int(bits) >> 31) & 0x7fff, vkprim_element_identity(), (bits & 0x7fff) > 0x7c00);
#endif
}

VKPRIM_VECTOR vkprim_packed_vector(VKPRIM_PACKED packed, uint index) {
    return VKPRIM_VECTOR(vkprim_element_of_bytes(vkprim_bytes_at(packed, 0)), vkprim_element_of_bytes(vkprim_bytes_at(packed, 1)),
                         vkprim_element_of_bytes(vkprim_bytes_at(packed, 2)), vkprim_element_of_bytes(vkprim_bytes_at(packed, 3)));
}
#include "word_output.glsl"
