// Counts, which the host says or which lie in GPU memory.
#ifndef VKPRIM_COUNT_GLSL
#define VKPRIM_COUNT_GLSL
#include "address.glsl"
#include "constants.glsl"
#include "push.h"

// The element count of this dispatch: the host's `count`; or the count at `count_address`, less the `skipped` elements before this dispatch,
// and at most `count`. A word can be read at `count_address` in both cases.
uint vkprim_count_of(uint count, uvec2 count_address, uint skipped) {
    if ((count_address.x & VKPRIM_COUNT_ON_HOST) != 0) return count;
    if (VKPRIM_UNMASKED_LOADS) count_address.x &= ~3u;
    uint all = vkprim_Words(count_address).at[0];
    return min(count, all - min(all, skipped));
}

#endif
