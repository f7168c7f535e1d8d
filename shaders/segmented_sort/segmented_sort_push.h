// What the dispatches of a sort of segments are told, for GLSL and C++.
#ifndef SEGMENTED_SORT_PUSH_H
#define SEGMENTED_SORT_PUSH_H
#include <vkprim/glsl/detail/push.h>

#define SEGMENTED_SORT_CHUNK 2048u // elements of a workgroup that numbers or gathers

#define SEGMENTED_SORT_COPIES 1u // segmented_sort_gather.comp: keys and values lie in their order already

struct SegmentedSortPush {
    VKPRIM_ADDRESS keys, values;               // read
    VKPRIM_ADDRESS output_keys, output_values; // written
    VKPRIM_ADDRESS offsets_address;
    VKPRIM_ADDRESS count_address;
    VKPRIM_ADDRESS segments_address;
    VKPRIM_ADDRESS indices;    // of the keys in their order: by the key, or by segment and key
    VKPRIM_ADDRESS numbers;    // of the segments of these: how many offsets are not above the index
    VKPRIM_UINT    count;      // elements: of a row, or of all
    VKPRIM_UINT    segments;
    VKPRIM_UINT    offset_size; // bytes: 4 or 8
    VKPRIM_UINT    row_stride;  // elements from one row to the next
    VKPRIM_UINT    share;       // of a workgroup that sorts: places, or rows
    VKPRIM_UINT    shift;       // to the lowest digit's lowest bit
    VKPRIM_UINT    digit_bits;  // of all digits but the last
    VKPRIM_UINT    end_bit;     // the end of the digits
    VKPRIM_UINT    flags;
    VKPRIM_UINT    workgroups;
};
#endif
