#include "../include/push.h"

struct ReducePush {
    ADDRESS input_address;
    ADDRESS output_address;
    ADDRESS scratch;
    ADDRESS count_address;
    UINT    count;
};

// The shape of the tree, which is part of a float's result. A tile is a matrix of REDUCE_COLUMNS columns; how many rows
// follows from the count alone, so that small inputs still spread over the whole device.
#define REDUCE_LOG2_COLUMNS 10u
#define REDUCE_COLUMNS (1u << REDUCE_LOG2_COLUMNS)
#define REDUCE_LOG2_MAX_ROWS 6u
#define REDUCE_SMALL_TILES 256u

/// log2 of a tile's elements.
FUNCTION UINT reduce_log2_tile(UINT count) {
    UINT log2_tile = REDUCE_LOG2_COLUMNS;
    while (log2_tile < REDUCE_LOG2_COLUMNS + REDUCE_LOG2_MAX_ROWS && ((count - 1u) >> log2_tile) >= REDUCE_SMALL_TILES) {
        ++log2_tile;
    }
    return log2_tile;
}
