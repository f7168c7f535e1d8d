// elements of reduce, segmented_reduce, chunked_reduce: wide VKPRIM_ELEMENT_WIDE | wide_narrow VKPRIM_ELEMENT_WIDE VKPRIM_BYTES
//
// Integers of up to 32 bits in memory that are integers of 64 bits in registers and as results, those of long.glsl: sums and products that
// do not wrap. Elements of 1 and 2 bytes are another kind, whose modules need a feature of the device. VKPRIM_IDENTITY_BITS says what lies
// in memory, since the identity follows from the operation (operations.h).
#define VKPRIM_MEMORY_WORDS 1
#define VKPRIM_VECTOR_WIDTH 4
#include "long.glsl"

const uint VKPRIM_WIDE_BYTES = VKPRIM_IDENTITY_BITS & VKPRIM_WIDE_SIZE; // of an element in memory
const bool VKPRIM_WIDE_IS_SIGNED = (VKPRIM_IDENTITY_BITS & VKPRIM_WIDE_SIGNED) != 0;

// The 64 bits of a number whose lower ones are these.
VKPRIM_ELEMENT vkprim_widen(uint bits) { return uvec2(bits, mix(0u, uint(int(bits) >> 31), VKPRIM_WIDE_IS_SIGNED)); }

#ifndef VKPRIM_BYTES
VKPRIM_VECTOR vkprim_vector_from_memory(uvec4 words, uint index) {
    return vkprim_Element4(vkprim_widen(words.x), vkprim_widen(words.y), vkprim_widen(words.z), vkprim_widen(words.w));
}

// Of the identity alone, whose lower word it is in every type.
uvec4 vkprim_vector_to_memory(VKPRIM_VECTOR vector) { return uvec4(vector.x.x, vector.y.x, vector.z.x, vector.w.x); }
#else
#define VKPRIM_ELEMENT_BY_ELEMENT
#define VKPRIM_INPUT_BYTES VKPRIM_WIDE_BYTES
#define VKPRIM_OUTPUT_BYTES 8

// The number in the lowest bytes of a word, as 32 bits.
uint vkprim_narrow_extend(uint bits) {
    uint unused_bits = 32 - 8 * VKPRIM_WIDE_BYTES;
    return mix(bits << unused_bits >> unused_bits, uint(int(bits << unused_bits) >> unused_bits), VKPRIM_WIDE_IS_SIGNED);
}

// Four elements as they lie in memory, in the lower word if they have one byte each.
#define VKPRIM_PACKED uvec2
#define VKPRIM_PACKED_AT(base, i) vkprim_wide_packed(vkprim_Words(base), VKPRIM_WIDE_BYTES * (i))
uvec2 vkprim_wide_packed(vkprim_Words words, uint place) { return uvec2(words.at[place], words.at[place + VKPRIM_WIDE_BYTES - 1]); }

#define VKPRIM_NARROW_AT(i) vkprim_narrow_extend(mix(packed[i / 2] >> 16 * (i % 2), packed.x >> 8 * i, VKPRIM_WIDE_BYTES == 1))
VKPRIM_VECTOR vkprim_packed_vector(VKPRIM_PACKED packed, uint index) {
    uvec4 four = uvec4(VKPRIM_NARROW_AT(0), VKPRIM_NARROW_AT(1), VKPRIM_NARROW_AT(2), VKPRIM_NARROW_AT(3));
    // Four of them have a sum of 32 bits: one addition of 64 takes the place of four.
    if (VKPRIM_OPERATION == VKPRIM_ADD) {
        return vkprim_Element4(vkprim_widen(four.x + four.y + four.z + four.w), uvec2(0), uvec2(0), uvec2(0));
    }
    return vkprim_Element4(vkprim_widen(four.x), vkprim_widen(four.y), vkprim_widen(four.z), vkprim_widen(four.w));
}

// Number `index` of the elements from an address on, alone in a vector.
uint vkprim_narrow_load(uvec2 base, uint index) {
    uvec2 address = vkprim_address_of(base, index, VKPRIM_WIDE_BYTES);
    uint upper = vkprim_byte_at(vkprim_address_add(address, VKPRIM_WIDE_BYTES - 1)); // of two bytes; or the only one
    return vkprim_narrow_extend(vkprim_byte_at(address) | upper << 8);
}

// vkprim_vector_load() of element.glsl: loads whole words if all their bytes belong to the elements.
VKPRIM_VECTOR vkprim_vector_load(uvec2 base, uint first, uint index, uint count) {
    uint shift = 8 * (base.x & 3);
    if (shift == 0 ? index + 4 <= count : index > 0 && index + 8 <= count) {
        vkprim_Words words = vkprim_Words(uvec2(base.x & ~3u, base.y));
        uint place = index / 4 * VKPRIM_WIDE_BYTES;
        uvec2 packed = vkprim_wide_packed(words, place);
        if (shift > 0) {
            uint behind = words.at[place + VKPRIM_WIDE_BYTES];
            packed = packed >> shift | uvec2(mix(packed.y, behind, VKPRIM_WIDE_BYTES == 1), behind) << 32 - shift;
        }
        return vkprim_packed_vector(packed, first + index);
    }
    VKPRIM_VECTOR vector = vkprim_vector_of(vkprim_element_identity());
    if (index + 0 < count) vector.x = vkprim_widen(vkprim_narrow_load(base, index + 0));
    if (index + 1 < count) vector.y = vkprim_widen(vkprim_narrow_load(base, index + 1));
    if (index + 2 < count) vector.z = vkprim_widen(vkprim_narrow_load(base, index + 2));
    if (index + 3 < count) vector.w = vkprim_widen(vkprim_narrow_load(base, index + 3));
    return vector;
}
#endif
