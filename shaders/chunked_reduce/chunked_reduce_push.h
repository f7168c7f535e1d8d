#ifndef CHUNKED_REDUCE_PUSH_H
#define CHUNKED_REDUCE_PUSH_H
#include "../chunks/totals.h"
#include "../reduce/reduce_push.h"

// Ids of its specialization constants.
#define CHUNKED_REDUCE_ALIGNED_ID (VKPRIM_OWN_ID + 0)
#define CHUNKED_REDUCE_BATCH_ID (VKPRIM_OWN_ID + 1)
#define CHUNKED_REDUCE_STAGE_ID (VKPRIM_OWN_ID + 2)

// What a dispatch does: the totals of tiles; those of groups of totals; or the result, of one group.
VKPRIM_CONSTANT CHUNKED_REDUCE_TILES = 0, CHUNKED_REDUCE_GROUPS = 1, CHUNKED_REDUCE_RESULT = 2;

struct ChunkedReducePush {
    VKPRIM_ADDRESS input_address;  // the chunk's elements, or totals
    VKPRIM_ADDRESS output_address; // totals, or the result
    VKPRIM_UINT    count;          // elements of the chunk, or totals
    VKPRIM_UINT    first;          // number of the chunk's first element, modulo 2^32: for argmin and argmax
    VKPRIM_UINT    log2_tile;      // elements of a tile, which follow from those of the array
    VKPRIM_UINT    workgroups;
};
#endif
