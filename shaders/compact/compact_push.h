#ifndef VKPRIM_COMPACT_PUSH_H
#define VKPRIM_COMPACT_PUSH_H
#include <vkprim/glsl/detail/push.h>

struct CompactPush {
    VKPRIM_ADDRESS keys_address;
    VKPRIM_ADDRESS elements_address;
    VKPRIM_ADDRESS output_address;
    VKPRIM_ADDRESS kept_address;
    VKPRIM_ADDRESS scratch;
    VKPRIM_ADDRESS count_address;
    VKPRIM_UINT    count;
    VKPRIM_UINT    first; // number of the first workgroup, where others have been dispatched before
    VKPRIM_UINT    lower; // the range of keys, as their places in the order of their type
    VKPRIM_UINT    upper;
};

// Behind it where there are several outputs, of which that of keys is CompactPush's.
struct CompactSeveralPush {
    VKPRIM_ADDRESS elements_output;
    VKPRIM_ADDRESS indices_output;
};
#endif
