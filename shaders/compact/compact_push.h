#ifndef COMPACT_PUSH_H
#define COMPACT_PUSH_H
#include <vkprim/glsl/detail/constants.h>
#include <vkprim/glsl/detail/push.h>

// Ids of its specialization constants.
#define COMPACT_KEY_ID (VKPRIM_OWN_ID + 0)
#define COMPACT_COPY_ID (VKPRIM_OWN_ID + 1)
#define COMPACT_INSIDE_ID (VKPRIM_OWN_ID + 2)
#define COMPACT_BLOCKS_ID (VKPRIM_OWN_ID + 3)
#define COMPACT_ALIGNED_ID (VKPRIM_OWN_ID + 4)
#define COMPACT_PREFETCH_DISTANCE_ID (VKPRIM_OWN_ID + 5)
#define COMPACT_FIRST_WAVE_TILES_ID (VKPRIM_OWN_ID + 6)
#define COMPACT_STAGE_ID (VKPRIM_OWN_ID + 7)
#define COMPACT_ONE_GROUP_ID (VKPRIM_OWN_ID + 8)
#define COMPACT_RUN_HEADS_ID (VKPRIM_OWN_ID + 9)

// vkprim::KeyType, vkprim::Compact::Copy
#define KEY_U8 0u
#define KEY_U32 1u
#define KEY_I32 2u
#define KEY_F32 3u
#define KEY_U64 4u
#define COPY_KEYS 0u
#define COPY_ELEMENTS 1u
#define COPY_INDICES 2u

struct CompactPush {
    VKPRIM_ADDRESS keys_address;
    VKPRIM_ADDRESS elements_address;
    VKPRIM_ADDRESS output_address;
    VKPRIM_ADDRESS kept_address;
    VKPRIM_ADDRESS scratch;
    VKPRIM_ADDRESS count_address;
    VKPRIM_UINT    count;
    VKPRIM_UINT    first; // number of this dispatch's first workgroup in the operation
    VKPRIM_UINT    lower; // the range of keys, as their places in the order of their type
    VKPRIM_UINT    upper;
};

// Follows it in the variants that may have several outputs.
struct CompactSeveralPush {
    VKPRIM_ADDRESS indices_output;
    VKPRIM_ADDRESS rejected_output;
};

// Follows both in the variants for segments. Predicates of your own have no keys, so they use the members for keys instead: keys_address,
// lower and upper, and no segments_address.
struct CompactSegmentsPush {
    VKPRIM_ADDRESS offsets_address;
    VKPRIM_ADDRESS segments_address;
    VKPRIM_UINT    segments;
    VKPRIM_UINT    size; // bytes of an offset; or elements of a row
};

// Follows both in the variants for three outputs of elements.
struct CompactThreePush {
    VKPRIM_ADDRESS above_output;
    VKPRIM_UINT    below_lower; // the range of keys that are below, as in CompactPush
    VKPRIM_UINT    below_upper;
};

// Added to a Copy, for indices in an output of their own, rejected elements, indices_end and segments of vkprim::Compact::Desc
#define COMPACT_ALSO_INDICES 4u
#define COMPACT_ALSO_REJECTED 8u
#define COMPACT_INDICES_END 16u
#define COMPACT_SEGMENTS_OFFSETS 32u
#define COMPACT_SEGMENTS_ROWS 64u
#endif
