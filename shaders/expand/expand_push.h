#ifndef EXPAND_PUSH_H
#define EXPAND_PUSH_H
#include <vkprim/glsl/detail/constants.h>
#include <vkprim/glsl/detail/push.h>

// Ids of its specialization constants.
#define EXPAND_VALUE_WORDS_ID (VKPRIM_OWN_ID + 0)

// Places: segments lie one after the other, and each takes one more than it has elements.
#define EXPAND_WORKGROUP 256u
#define EXPAND_TILE 4096u // places
#define EXPAND_MOST_SHARE 16u // tiles of a workgroup

struct ExpandPush {
    VKPRIM_ADDRESS offsets_address;
    VKPRIM_ADDRESS values_address;
    VKPRIM_ADDRESS output_address;
    VKPRIM_ADDRESS segments_address;
    VKPRIM_UINT    count;    // elements at most
    VKPRIM_UINT    segments;
    VKPRIM_UINT    share;      // tiles of a workgroup
    VKPRIM_UINT    workgroups; // of all parts
    VKPRIM_UINT    first;      // number of this dispatch's first workgroup in the operation
};
#endif
