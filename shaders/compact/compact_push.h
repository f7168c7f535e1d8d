#ifndef VKPRIM_COMPACT_PUSH_H
#define VKPRIM_COMPACT_PUSH_H
#include <vkprim/glsl/push.h>

struct CompactPush {
    ADDRESS keys_address;
    ADDRESS elements_address;
    ADDRESS output_address;
    ADDRESS kept_address;
    ADDRESS scratch;
    ADDRESS count_address;
    UINT    count;
    UINT    first; // number of the first workgroup, where others have been dispatched before
    UINT    lower; // the range of keys, as their places in the order of their type
    UINT    upper;
};
#endif
