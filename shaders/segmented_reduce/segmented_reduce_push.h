#ifndef SEGMENTED_REDUCE_PUSH_H
#define SEGMENTED_REDUCE_PUSH_H
#include "../reduce/reduce_push.h"
#include "../segments/segments_push.h"

// Ids of its specialization constants.
#define SEGMENTED_REDUCE_ROWS_ID (VKPRIM_OWN_ID + 0)
#define SEGMENTED_REDUCE_BATCH_ID (VKPRIM_OWN_ID + 1)
#define SEGMENTED_REDUCE_ALIGNED_ID (VKPRIM_OWN_ID + 2)

#define SEGMENTED_REDUCE_MOST_ROW_SHARE 16384u // vectors, of rows of so many, which are in no lists

struct SegmentedReducePush {
    VKPRIM_ADDRESS input_address;
    VKPRIM_ADDRESS output_address;
    VKPRIM_ADDRESS scratch;
    VKPRIM_ADDRESS offsets_address;
    VKPRIM_ADDRESS count_address;
    VKPRIM_ADDRESS segments_address;
    VKPRIM_UINT    count;    // elements: of a row, or of all
    VKPRIM_UINT    segments;
    VKPRIM_UINT    pitch;        // bytes from one row to the next
    VKPRIM_UINT    offset_size;  // bytes: 4 or 8
    VKPRIM_UINT    share;        // places
    VKPRIM_UINT    workgroups;   // of all parts
    VKPRIM_UINT    first;        // number of this dispatch's first workgroup in the operation
};

/// What scratch has for segments of several tiles, of each block of as many places as the least tile has elements: the total of a tile that
/// begins there, that of a segment's first one, and its arrivals.
#define SEGMENTED_REDUCE_BLOCK_ELEMENTS 3u
#endif
