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

// Behind it in the variants that may have a second output.
struct CompactSeveralPush {
    VKPRIM_ADDRESS indices_output;
};

#define COMPACT_ALSO_INDICES 4u // added to a Copy: there is that second output
#endif
