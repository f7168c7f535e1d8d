// Keys as unsigned integers that compare in the same order, and the digits of these. For signed integers, the sign bit is inverted. For
// negative floats, all bits are inverted. NaN comes last whatever its sign, so the integers of NaN with a set sign bit are moved from the
// beginning to the end.
#ifndef SORT_KEYS_GLSL
#define SORT_KEYS_GLSL
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/count.glsl>
#include "../names.glsl"
#include "sort_push.h"

layout(constant_id = OWN_ID + 0) const uint ORDER = 0; // of keys: unsigned, signed or floats
layout(constant_id = OWN_ID + 1) const bool DESCENDING = false;

const uint ORDER_SIGNED = 1, ORDER_FLOAT = 2;

#if defined(NARROW_KEYS)
// Of 1 or 2 bytes: the highest ones of a word in registers, whose others are zero once the key is encoded.
layout(constant_id = OWN_ID + 2) const uint KEY_BYTES = 1;
#define Key uint
const uint KEY_WORDS = 1;
const Key LAST_KEY = ~0u;
const Key NEGATIVE_NANS = 0x3ffu << 16, LESS_NEGATIVE_NANS = 0xfc01u << 16; // of f16
#define HIGH(key) key
#elif defined(LONG_KEYS)
#define Key uvec2
#define Keys Words2
const uint KEY_WORDS = 2, KEY_BYTES = 8; // in registers; in memory
const Key LAST_KEY = uvec2(~0u);
const Key NEGATIVE_NANS = uvec2(~0u, 0xfffff), LESS_NEGATIVE_NANS = uvec2(1, 0xfff00000u); // how many there are, and its negative
#define HIGH(key) key.y
#else
#define Key uint
#define Keys Words
const uint KEY_WORDS = 1, KEY_BYTES = 4;
const Key LAST_KEY = ~0u;
const Key NEGATIVE_NANS = 0x7fffff, LESS_NEGATIVE_NANS = 0xff800001u;
#define HIGH(key) key
#endif
const uint SIGN = 0x80000000u;

// Number `index` of the keys from an address on, as the caller has it.
#ifdef NARROW_KEYS
#extension GL_EXT_shader_8bit_storage : require
layout(buffer_reference, std430, buffer_reference_align = 1) buffer Keys1 { uint8_t at[]; };
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Keys2 { u8vec2 at[]; };

Key load_key(uvec2 base, uint index) {
    if (KEY_BYTES == 1) return uint(Keys1(base).at[index]) << 24;
    uvec2 bytes = uvec2(Keys2(base).at[index]);
    return bytes.x << 16 | bytes.y << 24;
}

void store_key(uvec2 base, int index, Key key) {
    if (KEY_BYTES == 1) Keys1(base).at[index] = uint8_t(key >> 24);
    if (KEY_BYTES == 2) Keys2(base).at[index] = u8vec2(uvec2(key >> 16 & 0xff, key >> 24));
}
#else
Key load_key(uvec2 base, uint index) { return Keys(base).at[index]; }
void store_key(uvec2 base, int index, Key key) { Keys(base).at[index] = key; }
#endif

Key key_add(Key a, Key b) {
#ifdef LONG_KEYS
    uint carry;
    a.x = uaddCarry(a.x, b.x, carry);
    return uvec2(a.x, a.y + b.y + carry);
#else
    return a + b;
#endif
}

Key encode(Key key) {
    if (ORDER == ORDER_SIGNED) HIGH(key) ^= SIGN;
    if (ORDER == ORDER_FLOAT) {
        uint negative = uint(int(HIGH(key)) >> 31);
        key ^= Key(negative);
        HIGH(key) ^= ~negative & SIGN;
        key = key_add(key, LESS_NEGATIVE_NANS);
    }
    key = DESCENDING ? ~key : key;
#ifdef NARROW_KEYS
    key &= ~0u << 32 - 8 * KEY_BYTES;
#endif
    return key;
}

Key decode(Key key) {
    if (DESCENDING) key = ~key;
    if (ORDER == ORDER_FLOAT) {
        key = key_add(key, NEGATIVE_NANS);
        uint negative = ~uint(int(HIGH(key)) >> 31);
        key ^= Key(negative);
        HIGH(key) ^= ~negative & SIGN;
    }
    if (ORDER == ORDER_SIGNED) HIGH(key) ^= SIGN;
    return key;
}

uint digit_shift, digit_mask; // of the pass

void select_digit(uint shift, uint bits) {
    digit_shift = shift;
    digit_mask = (1u << bits) - 1;
}

uint digit_of(Key key) {
#ifdef LONG_KEYS
    uint low = digit_shift < 32 ? key.x >> digit_shift : key.y >> (digit_shift - 32);
    if (digit_shift > 32 - SORT_DIGIT_BITS && digit_shift < 32) low |= key.y << (32 - digit_shift);
    return low & digit_mask;
#else
    return key >> digit_shift & digit_mask;
#endif
}

#endif
