#ifndef VKPRIM_SCAN_PUSH_H
#define VKPRIM_SCAN_PUSH_H
#include <vkprim/glsl/push.h>

struct ScanPush {
    ADDRESS input_address;
    ADDRESS output_address;
    ADDRESS scratch;
    ADDRESS count_address;
    UINT    count;
    UINT    first; // number of the first workgroup, where others have been dispatched before
};
#endif
