// elements of reduce, segmented_reduce, chunked_reduce: wide(u32,i32) VKPRIM_ELEMENT_WIDE | wide_narrow(u8,i8,u16,i16) VKPRIM_ELEMENT_WIDE VKPRIM_ELEMENT_NARROW
//
// Integers of up to 32 bits in memory that are integers of 64 bits in registers and as results, those of long.glsl: sums and products that
// do not wrap. Elements of 1 and 2 bytes are another kind.
#define VKPRIM_MEMORY_WORDS 1
#define VKPRIM_VECTOR_WIDTH 4
#include "long.glsl"

// The 64 bits of a number whose lower ones are these.
VKPRIM_ELEMENT vkprim_widen(uint bits) { return uvec2(bits, mix(0u, uint(int(bits) >> 31), VKPRIM_CLASS == VKPRIM_SIGNED)); }

#ifndef VKPRIM_ELEMENT_NARROW
VKPRIM_VECTOR vkprim_vector_from_memory(uvec4 words, uint index) {
    return vkprim_Element4(vkprim_widen(words.x), vkprim_widen(words.y), vkprim_widen(words.z), vkprim_widen(words.w));
}

// Of the identity alone, whose lower word it is in every type.
uvec4 vkprim_vector_to_memory(VKPRIM_VECTOR vector) { return uvec4(vector.x.x, vector.y.x, vector.z.x, vector.w.x); }
#else
#define VKPRIM_ELEMENT_BY_ELEMENT
#define VKPRIM_OUTPUT_BYTES 8
#include "bytes.glsl"

VKPRIM_ELEMENT vkprim_element_of_bytes(uint bits) { return vkprim_widen(bits); }

VKPRIM_VECTOR vkprim_packed_vector(VKPRIM_PACKED packed, uint index) {
    uvec4 four = uvec4(vkprim_bytes_at(packed, 0), vkprim_bytes_at(packed, 1), vkprim_bytes_at(packed, 2), vkprim_bytes_at(packed, 3));
    // Four of them have a sum of 32 bits: one addition of 64 takes the place of four.
    if (VKPRIM_OPERATION == VKPRIM_ADD) {
        return vkprim_Element4(vkprim_widen(four.x + four.y + four.z + four.w), uvec2(0), uvec2(0), uvec2(0));
    }
    return vkprim_Element4(vkprim_widen(four.x), vkprim_widen(four.y), vkprim_widen(four.z), vkprim_widen(four.w));
}
#endif
