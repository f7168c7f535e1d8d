#ifndef REDUCE_PUSH_H
#define REDUCE_PUSH_H
#include <vkprim/glsl/detail/fold.h>
#include <vkprim/glsl/detail/constants.h>
#include <vkprim/glsl/detail/push.h>

// Ids of its specialization constants.
#define REDUCE_ALIGNED_ID (VKPRIM_OWN_ID + 0)
#define REDUCE_BATCH_ID (VKPRIM_OWN_ID + 1)
#define REDUCE_ORDERED_ID (VKPRIM_OWN_ID + 2)

struct ReducePush {
    VKPRIM_ADDRESS input_address;
    VKPRIM_ADDRESS output_address;
    VKPRIM_ADDRESS scratch;
    VKPRIM_ADDRESS count_address;
    VKPRIM_UINT    count;
    VKPRIM_UINT    first; // number of this dispatch's first workgroup in the operation
};

// The shape of the tree, which is part of a float's result. A tile is a matrix of columns, REDUCE_COLUMNS of them where an element is one
// word, or half or a quarter as many. How many rows it has follows from the count alone, so that small inputs still spread over the
// whole device.
#define REDUCE_LOG2_COLUMNS 10u
#define REDUCE_COLUMNS (1u << REDUCE_LOG2_COLUMNS)
#define REDUCE_WORKGROUP_SIZE (REDUCE_COLUMNS / 4u) // each invocation has four words of a row
#define REDUCE_LOG2_ROWS 4u // of a tile, where that makes from REDUCE_SMALL_TILES to reduce_most_tiles() tiles
#define REDUCE_SMALL_TILES 256u

/// Tiles at most. Of wide elements fewer, with more rows, since the totals of their columns take longest to put together.
VKPRIM_FUNCTION VKPRIM_UINT reduce_most_tiles(VKPRIM_UINT width) { return VKPRIM_FOLD_FAN * VKPRIM_FOLD_FAN / (width == 1u ? 2u : 1u); }

/// log2 of a tile's elements; an invocation has `width` neighbours of each row: 4, 2 or 1.
VKPRIM_FUNCTION VKPRIM_UINT reduce_log2_tile(VKPRIM_UINT count, VKPRIM_UINT width) {
    VKPRIM_UINT log2_columns = REDUCE_LOG2_COLUMNS - 2u + width / 2u, log2_tile = log2_columns;
    while (((count - 1u) >> log2_tile) >=
           (log2_tile < log2_columns + REDUCE_LOG2_ROWS ? REDUCE_SMALL_TILES : reduce_most_tiles(width))) {
        ++log2_tile;
    }
    return log2_tile;
}

#endif
