#ifndef SCAN_PUSH_H
#define SCAN_PUSH_H
#include <vkprim/glsl/detail/constants.h>
#include <vkprim/glsl/detail/push.h>

// Ids of its specialization constants.
#define SCAN_INCLUSIVE_ID (VKPRIM_OWN_ID + 0)
#define SCAN_BLOCKS_ID (VKPRIM_OWN_ID + 1)
#define SCAN_ADDRESSES_ID (VKPRIM_OWN_ID + 2)
#define SCAN_PREFETCH_DISTANCE_ID (VKPRIM_OWN_ID + 3)
#define SCAN_FAN_ID (VKPRIM_OWN_ID + 4)
#define SCAN_FIRST_WAVE_TILES_ID (VKPRIM_OWN_ID + 5)
#define SCAN_STAGE_ID (VKPRIM_OWN_ID + 6)
#define SCAN_ONE_GROUP_ID (VKPRIM_OWN_ID + 7)

struct ScanPush {
    VKPRIM_ADDRESS input_address;
    VKPRIM_ADDRESS output_address;
    VKPRIM_ADDRESS scratch;
    VKPRIM_ADDRESS count_address;
    VKPRIM_UINT    count;
    VKPRIM_UINT    first; // number of this dispatch's first workgroup in the operation
};
#endif
