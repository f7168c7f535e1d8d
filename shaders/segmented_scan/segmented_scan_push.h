#ifndef SEGMENTED_SCAN_PUSH_H
#define SEGMENTED_SCAN_PUSH_H
#include <vkprim/glsl/detail/constants.h>
#include <vkprim/glsl/detail/push.h>
#include "../segments/segments_push.h"

// Ids of its specialization constants.
#define SEGMENTED_SCAN_ROWS_ID (VKPRIM_OWN_ID + 0)
#define SEGMENTED_SCAN_INCLUSIVE_ID (VKPRIM_OWN_ID + 1)
#define SEGMENTED_SCAN_STAGE_ID (VKPRIM_OWN_ID + 2)

struct SegmentedScanPush {
    VKPRIM_ADDRESS input_address;
    VKPRIM_ADDRESS output_address;
    VKPRIM_ADDRESS scratch;
    VKPRIM_ADDRESS offsets_address;
    VKPRIM_ADDRESS count_address;
    VKPRIM_ADDRESS segments_address;
    VKPRIM_UINT    count;    // elements: of a row, or of all
    VKPRIM_UINT    segments;
    VKPRIM_UINT    pitch;        // bytes from one row to the next
    VKPRIM_UINT    output_pitch; // the same for the output
    VKPRIM_UINT    offset_size;  // bytes: 4 or 8
    VKPRIM_UINT    share;        // places
    VKPRIM_UINT    workgroups;   // of all parts
    VKPRIM_UINT    first;        // number of this dispatch's first workgroup in the operation
};

// Words of look-back for as many places as a tile has elements. A segment of n > 1 tiles has more than n - 1 times as many places, and uses at most
// 2 * (n - 1) words: one for each tile, and where there are tiles after a group, one for the group.
#define SEGMENTED_SCAN_TILE_WORDS 2u
#endif
