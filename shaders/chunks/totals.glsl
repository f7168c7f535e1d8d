// Totals as plain words in memory, in one format for all devices: the words of an element in registers, without flags. There are barriers
// between the dispatches that write them and those that read them, so no workgroup waits for a total.
#ifndef CHUNKS_TOTALS_GLSL
#define CHUNKS_TOTALS_GLSL
#include <vkprim/glsl/detail/workgroup.glsl>
#include "totals.h"

uvec2 total_address(uvec2 totals, uint index) { return vkprim_address_of(totals, index, 4 * VKPRIM_REGISTER_WORDS); }

// Number `index` of an array of totals; the identity if that is not `wanted`.
VKPRIM_ELEMENT load_total(uvec2 totals, uint index, bool wanted) {
    VKPRIM_ELEMENT total = vkprim_element_identity();
    if (wanted) {
        uint words[VKPRIM_REGISTER_WORDS];
        [[unroll]] for (uint i = 0; i < VKPRIM_REGISTER_WORDS; ++i) words[i] = vkprim_Words(total_address(totals, index)).at[i];
        total = vkprim_element_of(words);
    }
    return total;
}

void store_total(uvec2 totals, uint index, VKPRIM_ELEMENT total) {
    [[unroll]] for (uint i = 0; i < VKPRIM_REGISTER_WORDS; ++i) vkprim_Words(total_address(totals, index)).at[i] = vkprim_element_word(total, i);
}

// The fold, in pairs, of group `group` of an array of `count` totals. Invocation i has number i of the group.
VKPRIM_ELEMENT fold_totals(uvec2 totals, uint group, uint count) {
    const uint index = group * CHUNKS_FAN + vkprim_invocation();
    return vkprim_workgroup_reduce(load_total(totals, index, index < count));
}
#endif
