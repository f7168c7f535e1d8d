// How all operations share scratch memory, for GLSL and C++.
//
// After a header come words of 8 bytes, in three interleaved stripes: VKPRIM_SCRATCH_RUN words of each in turn. So a word's place depends
// neither on the operation nor on the size. In the last stripe all words are zero between operations. Look-back uses the first two: an
// operation finds one of them zero, leaves its words in it, and zeroes the words that the previous operation left in the other. So no
// workgroup has to wait until the last one has read a word.
//
// Header word 0 counts arrivals, VKPRIM_SCRATCH_ARRIVALS for each operation that uses look-back. So all workgroups know the stripe of their
// operation from the count that they find when they arrive. Words 1 and 2: how many runs of words were left in stripes 0 and 1, with check
// bits. Garbage in memory that was never zero-filled is mistaken for such a number once in 2048 times; otherwise nothing is cleared.
#ifndef VKPRIM_SCRATCH_H
#define VKPRIM_SCRATCH_H
#include "push.h"

#define VKPRIM_SCRATCH_HEADER 16u // bytes
#define VKPRIM_SCRATCH_STRIPES 3u
#define VKPRIM_SCRATCH_RUN 32u
#define VKPRIM_SCRATCH_ZERO_STRIPE 2u
#define VKPRIM_SCRATCH_ARRIVALS (1u << 24)

#define VKPRIM_SCRATCH_MOST_LEFT (1u << 26)

/// A number of words left, below VKPRIM_SCRATCH_MOST_LEFT, as the header stores it: rounded up to whole runs, with check bits.
VKPRIM_FUNCTION VKPRIM_UINT vkprim_scratch_sign(VKPRIM_UINT words) {
    VKPRIM_UINT runs = (words + VKPRIM_SCRATCH_RUN - 1u) / VKPRIM_SCRATCH_RUN;
    return runs << 11 | runs * 0x9e3779b9u >> 21;
}

/// The number of words from its form in the header; 0 if the check bits are wrong.
VKPRIM_FUNCTION VKPRIM_UINT vkprim_scratch_left(VKPRIM_UINT word) {
    VKPRIM_UINT words = (word >> 11) * VKPRIM_SCRATCH_RUN;
    return vkprim_scratch_sign(words) == word ? words : 0u;
}

/// Bytes from the start of scratch to a word.
VKPRIM_FUNCTION VKPRIM_UINT vkprim_scratch_offset(VKPRIM_UINT stripe, VKPRIM_UINT word) {
    return VKPRIM_SCRATCH_HEADER + 8u * (stripe * VKPRIM_SCRATCH_RUN + word + word / VKPRIM_SCRATCH_RUN * ((VKPRIM_SCRATCH_STRIPES - 1u) * VKPRIM_SCRATCH_RUN));
}

/// Words of scratch for an element of `words` words: a power of two, so that it does not go across the end of a run.
VKPRIM_FUNCTION VKPRIM_UINT vkprim_scratch_slots(VKPRIM_UINT words) { return words > 4u ? 8u : words > 2u ? 4u : words; }

/// Bytes for as many words in each stripe; a multiple of 16.
VKPRIM_FUNCTION VKPRIM_UINT vkprim_scratch_bytes(VKPRIM_UINT words) { return vkprim_scratch_offset(0u, (words + VKPRIM_SCRATCH_RUN - 1u) / VKPRIM_SCRATCH_RUN * VKPRIM_SCRATCH_RUN); }

#endif
