#version 460
// variants: word | long LONG_KEYS | narrow NARROW_KEYS  x  subgroups | plain VKPRIM_NO_SUBGROUPS
//
// All passes of a sort that fits into one tile, in one workgroup. Or the same for each row of a matrix: then the first of its sorted keys are
// stored, or only the last of these.
#extension GL_GOOGLE_include_directive : require
#include "tile.glsl"

void main() {
    element_count = vkprim_count_of(push.count, push.count_address, 0);
    const uint row = vkprim_workgroup_number(), stored = min(element_count, push.most_stored);
    if (row >= push.rows || stored == 0) return;
    number_invocations();
    Key keys[ITEMS];
    uvec4 values[ITEMS];
    load_keys(vkprim_address_of(push.keys, row * push.row_stride, KEY_BYTES), element_count, keys);
    if (VALUE_WORDS > 0) load_values(vkprim_address_of(push.values, row * push.row_stride, 4 * VALUE_WORDS), 0, element_count, values);
    for (uint shift = push.shift; shift < push.end_bit; shift += push.digit_bits) {
        select_digit(shift, min(push.digit_bits, push.end_bit - shift));
        uint ranks[RANKS], befores[DIGITS_EACH], nothing;
        rank_keys(keys, 0, ranks, befores, nothing);
        [[unroll]] for (uint item = 0; item < ITEMS; ++item) stage_key(rank_of(ranks, item), keys[item]);
        barrier();
        [[unroll]] for (uint item = 0; item < ITEMS; ++item) keys[item] = staged_key(index_of(item));
        barrier();
        if (VALUE_WORDS > 0) {
            [[unroll]] for (uint item = 0; item < ITEMS; ++item) stage_value(rank_of(ranks, item), values[item]);
            barrier();
            [[unroll]] for (uint item = 0; item < ITEMS; ++item) values[item] = staged_value(index_of(item));
            barrier();
        }
    }
    vkprim_barrier_with_buffers(); // the output may be the input
    const bool nth = (push.flags & SORT_NTH) != 0;
    const uint first = nth ? stored - 1 : 0, to = nth ? row : row * push.most_stored;
    const uvec2 output_keys = vkprim_address_of(push.output_keys, to, KEY_BYTES);
    const uvec2 output_values = vkprim_address_of(push.output_values, to, 4 * VALUE_WORDS);
    [[unroll]] for (uint item = 0; item < ITEMS; ++item) {
        if (index_of(item) >= first && index_of(item) < stored) {
            const int place = int(index_of(item) - first);
            store_key(output_keys, place, (push.flags & SORT_DECODES) != 0 ? decode(keys[item]) : keys[item]);
            if (VALUE_WORDS > 0) store_value(output_values, place, values[item]);
        }
    }
}
