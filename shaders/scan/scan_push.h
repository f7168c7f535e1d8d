#ifndef VKPRIM_SCAN_PUSH_H
#define VKPRIM_SCAN_PUSH_H
#include <vkprim/glsl/detail/push.h>

struct ScanPush {
    VKPRIM_ADDRESS input_address;
    VKPRIM_ADDRESS output_address;
    VKPRIM_ADDRESS scratch;
    VKPRIM_ADDRESS count_address;
    VKPRIM_UINT    count;
    VKPRIM_UINT    first; // number of the first workgroup, where others have been dispatched before
};
#endif
