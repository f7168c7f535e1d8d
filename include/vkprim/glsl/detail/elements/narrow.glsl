// elements: u8 VKPRIM_ELEMENT_NARROW=1 | i8 VKPRIM_ELEMENT_NARROW=1 VKPRIM_ELEMENT_INT | u16 VKPRIM_ELEMENT_NARROW=2 | i16 VKPRIM_ELEMENT_NARROW=2 VKPRIM_ELEMENT_INT | f16 VKPRIM_ELEMENT_NARROW=2 VKPRIM_ELEMENT_FLOAT | f16_ordered VKPRIM_ELEMENT_NARROW=2 VKPRIM_ELEMENT_INT VKPRIM_ORDERED_HALF
//
// Elements of VKPRIM_ELEMENT_NARROW bytes in the input, 1 or 2; in registers and in the output words of 32 bits, as of word.glsl. With
// VKPRIM_ORDERED_HALF, registers hold the order of 16-bit floats as signed integers: min and max are exact for all data.
#define VKPRIM_ELEMENT_BY_ELEMENT
#define VKPRIM_INPUT_BYTES VKPRIM_ELEMENT_NARROW
#define VKPRIM_OUTPUT_BYTES 4
#include "word.glsl"

// Of the bits of an element, the others zero or, of signed ones, like the highest.
VKPRIM_ELEMENT vkprim_narrow_widen(uint bits) {
#if defined(VKPRIM_ORDERED_HALF)
    int order = int(bits) ^ ((int(bits) >> 31) & 0x7fff);
    return mix(order, vkprim_element_identity(), (bits & 0x7fff) > 0x7c00);
#elif defined(VKPRIM_ELEMENT_FLOAT)
    return unpackHalf2x16(bits).x;
#else
    return VKPRIM_ELEMENT(bits);
#endif
}

uint vkprim_narrow_extend(uint bits, uint first) {
#ifdef VKPRIM_ELEMENT_INT
    return uint(bitfieldExtract(int(bits), int(first), 8 * VKPRIM_ELEMENT_NARROW));
#else
    return bitfieldExtract(bits, int(first), 8 * VKPRIM_ELEMENT_NARROW);
#endif
}

// Number `index` of the elements from an address on.
VKPRIM_ELEMENT vkprim_narrow_load(uvec2 base, uint index) {
    uint bits = 0;
    [[unroll]] for (uint i = 0; i < VKPRIM_ELEMENT_NARROW; ++i) {
        bits |= vkprim_byte_at(vkprim_address_add(base, VKPRIM_ELEMENT_NARROW * index + i)) << 8 * i;
    }
    return vkprim_narrow_widen(vkprim_narrow_extend(bits, 0));
}

// Four elements as they lie in memory.
#if VKPRIM_ELEMENT_NARROW == 1
#define VKPRIM_PACKED uint
#define VKPRIM_PACKED_AT(base, i) vkprim_Words(base).at[i]
#define VKPRIM_NARROW_AT(i) vkprim_narrow_widen(vkprim_narrow_extend(packed, 8 * i))
#else
#define VKPRIM_PACKED uvec2
#define VKPRIM_PACKED_AT(base, i) vkprim_Words2(base).at[i]
#define VKPRIM_NARROW_AT(i) vkprim_narrow_widen(vkprim_narrow_extend(packed[i / 2], 16 * (i % 2)))
#endif
VKPRIM_VECTOR vkprim_packed_vector(VKPRIM_PACKED packed, uint index) {
    return VKPRIM_VECTOR(VKPRIM_NARROW_AT(0), VKPRIM_NARROW_AT(1), VKPRIM_NARROW_AT(2), VKPRIM_NARROW_AT(3));
}

// vkprim_vector_load() of element.glsl: loads whole words if all their bytes belong to the elements.
VKPRIM_VECTOR vkprim_vector_load(uvec2 base, uint first, uint index, uint count) {
    uint shift = 8 * (base.x & 3);
#if VKPRIM_ELEMENT_NARROW == 2
    if (base.x % 8 == 0 && index + 4 <= count) return vkprim_packed_vector(VKPRIM_PACKED_AT(base, index / 4), first + index);
#endif
    if (shift == 0 ? index + 4 <= count : index > 0 && index + 8 <= count) {
        vkprim_Words words = vkprim_Words(uvec2(base.x & ~3u, base.y));
        uint place = index / 4 * VKPRIM_ELEMENT_NARROW;
#if VKPRIM_ELEMENT_NARROW == 1
        uint packed = words.at[place];
        if (shift > 0) packed = packed >> shift | words.at[place + 1] << 32 - shift;
#else
        uvec2 packed = uvec2(words.at[place], words.at[place + 1]);
        if (shift > 0) packed = packed >> shift | uvec2(packed.y, words.at[place + 2]) << 32 - shift;
#endif
        return vkprim_packed_vector(packed, first + index);
    }
    VKPRIM_VECTOR vector = vkprim_vector_of(vkprim_element_identity());
    [[unroll]] for (uint i = 0; i < 4; ++i) {
        if (index + i < count) vector[i] = vkprim_narrow_load(base, index + i);
    }
    return vector;
}

#include "word_output.glsl"
