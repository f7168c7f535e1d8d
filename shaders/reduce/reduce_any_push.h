// What sums of floats in any order have beside reduce_push.h, whose push block is theirs, too.
#ifndef REDUCE_ANY_PUSH_H
#define REDUCE_ANY_PUSH_H
#include "reduce_push.h"

// Ids of the specialization constants, after REDUCE_ALIGNED_ID and REDUCE_BATCH_ID.
#define REDUCE_ANY_SLICES_ID (VKPRIM_OWN_ID + 2)
#define REDUCE_ANY_TILES_ID (VKPRIM_OWN_ID + 3)

/// Of a sum, which is an integer: digits of 32 bits, from the least denormal's on, enough for 2^32 elements and a sign.
#define REDUCE_ANY_DIGITS_F32 10u
#define REDUCE_ANY_DIGITS_F64 67u

#define REDUCE_LOG2_LARGEST_TILE 16u // elements: counters of 32 bits hold what so many add to them

/// log2 of a tile's elements, as reduce_log2_tile(); but tiles grow before there are more than `most`, as far as they may.
VKPRIM_FUNCTION VKPRIM_UINT reduce_any_log2_tile(VKPRIM_UINT count, VKPRIM_UINT width, VKPRIM_UINT most) {
    VKPRIM_UINT log2_tile = reduce_log2_tile(count, width);
    while (log2_tile < REDUCE_LOG2_LARGEST_TILE && ((count - 1u) >> log2_tile) >= most) ++log2_tile;
    return log2_tile;
}

#endif
