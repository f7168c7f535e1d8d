#ifndef CHUNKED_SCAN_PUSH_H
#define CHUNKED_SCAN_PUSH_H
#include <vkprim/glsl/detail/constants.h>
#include <vkprim/glsl/detail/tile.h>
#include "../chunks/totals.h"

// Ids of its specialization constants.
#define CHUNKED_SCAN_INCLUSIVE_ID (VKPRIM_OWN_ID + 0)
#define CHUNKED_SCAN_ADDRESSES_ID (VKPRIM_OWN_ID + 1)
#define CHUNKED_SCAN_STAGE_ID (VKPRIM_OWN_ID + 2)

// What a dispatch does: the totals of blocks; those of groups of totals; or the outputs.
VKPRIM_CONSTANT CHUNKED_SCAN_BLOCKS = 0, CHUNKED_SCAN_GROUPS = 1, CHUNKED_SCAN_OUTPUTS = 2;

struct ChunkedScanPush {
    VKPRIM_ADDRESS input_address;  // the chunk's elements; for CHUNKED_SCAN_GROUPS, totals
    VKPRIM_ADDRESS output_address; // the chunk's results, or totals
    VKPRIM_ADDRESS blocks;         // totals of the chunk's blocks
    VKPRIM_ADDRESS groups;         // and of the array's groups of CHUNKS_FAN blocks
    VKPRIM_ADDRESS supergroups;    // and of CHUNKS_FAN of these
    VKPRIM_UINT    count;          // elements of the chunk; for CHUNKED_SCAN_GROUPS, totals
    VKPRIM_UINT    first_group;    // number of the chunk's first group in the array
    VKPRIM_UINT    workgroups;
};
#endif
