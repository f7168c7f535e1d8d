#include "../include/push.h"

struct ReducePush {
    ADDRESS input_address;
    ADDRESS output_address;
    ADDRESS scratch; // word 0: tiles that have arrived; from byte 16 on: one partial per tile
    ADDRESS count_address;
    UINT    count;
};

// The shape of the tree, which is part of a float's result. A tile is a matrix of REDUCE_COLUMNS columns; how many rows
// follows from the count alone, so that small inputs still spread over the whole device.
#define REDUCE_COLUMNS 1024u
#define REDUCE_MAX_ROWS 64u
#define REDUCE_SMALL_TILES 256u

#ifdef __cplusplus
inline
#endif
UINT reduce_rows(UINT count) {
    UINT rows = 1u;
    while (rows < REDUCE_MAX_ROWS && (count - 1u) / (REDUCE_COLUMNS * rows) >= REDUCE_SMALL_TILES) rows *= 2u;
    return rows;
}
