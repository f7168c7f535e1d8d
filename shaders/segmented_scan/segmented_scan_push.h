#ifndef VKPRIM_SEGMENTED_SCAN_PUSH_H
#define VKPRIM_SEGMENTED_SCAN_PUSH_H
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

// Words of look-back for as many places as a tile has elements: a segment of two tiles takes four, and others fewer for each.
#define SEGMENTED_SCAN_TILE_WORDS 4u
#endif
