// Totals as plain words in memory, in one format for all devices: the words of an element in registers, without flags. There are barriers
// between the dispatches that write them and those that read them, so no workgroup waits for a total.
#ifndef CHUNKS_TOTALS_GLSL
#define CHUNKS_TOTALS_GLSL
#include <vkprim/glsl/detail/workgroup.glsl>
#include "../names.glsl"
#include "totals.h"

uvec2 total_address(uvec2 totals, uint index) { return address_of(totals, index, 4 * REGISTER_WORDS); }

// Number `index` of an array of totals; the identity if that is not `wanted`.
Element load_total(uvec2 totals, uint index, bool wanted) {
    Element total = element_identity();
    if (wanted) {
        uint words[REGISTER_WORDS];
        [[unroll]] for (uint i = 0; i < REGISTER_WORDS; ++i) words[i] = Words(total_address(totals, index)).at[i];
        total = element_of(words);
    }
    return total;
}

void store_total(uvec2 totals, uint index, Element total) {
    [[unroll]] for (uint i = 0; i < REGISTER_WORDS; ++i) Words(total_address(totals, index)).at[i] = element_word(total, i);
}

// The fold, in pairs, of group `group` of an array of `count` totals. Invocation i has number i of the group.
Element fold_totals(uvec2 totals, uint group, uint count) {
    const uint index = group * CHUNKS_FAN + invocation();
    return workgroup_reduce(load_total(totals, index, index < count));
}
#endif
