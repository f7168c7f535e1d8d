#version 460
// variants: word | long LONG_KEYS  x  subgroups | plain VKPRIM_NO_SUBGROUPS
//
// A pass: moves the keys, and what goes with them, to where their digit says. A workgroup goes through a chunk of tiles, whose place among
// all chunks is known from their counts; so none waits for another.
#extension GL_GOOGLE_include_directive : require
#include "tile.glsl"

const uint ROWS = 8; // of counts, that are loaded at a time

shared uint digit_targets[SORT_DIGITS]; // of the tile's first key of a digit, less its place in the tile

// Of a digit in a row of counts.
uint count_at(uint row, uint digit) { return vkprim_Words(vkprim_address_of(push.counts, row, SORT_DIGITS * 4)).at[digit]; }

// Where the chunk's keys of this invocation's digits begin.
void find_targets(uint chunk, out uint targets[DIGITS_EACH]) {
    const uint chunks = chunks_of_all();
    uint sum = 0, totals[DIGITS_EACH];
    [[unroll]] for (uint d = 0; d < DIGITS_EACH; ++d) {
        const uint digit = min(invocation * DIGITS_EACH + d, SORT_DIGITS - 1);
        totals[d] = targets[d] = 0;
        if ((push.flags & SORT_SCANNED) != 0) {
            targets[d] = count_at(chunk, digit);
            totals[d] = count_at(chunks, digit);
        } else {
            for (uint row = 0; row < chunks; row += ROWS) {
                uint counts[ROWS];
                [[unroll]] for (uint i = 0; i < ROWS; ++i) counts[i] = count_at(min(row + i, chunks - 1), digit);
                [[unroll]] for (uint i = 0; i < ROWS; ++i) {
                    uint count = row + i < chunks ? counts[i] : 0;
                    totals[d] += count;
                    targets[d] += row + i < chunk ? count : 0;
                }
            }
        }
        if (invocation * DIGITS_EACH + d >= SORT_DIGITS) totals[d] = 0;
        sum += totals[d];
    }
    sum = exclusive_sum(sum);
    [[unroll]] for (uint d = 0; d < DIGITS_EACH; ++d) {
        targets[d] += sum;
        sum += totals[d];
    }
    barrier();
}

void main() {
    element_count = vkprim_count_of(push.count, push.count_address, 0);
    const uint number = vkprim_workgroup_number();
    if (number >= chunks_of_all()) return;
    number_invocations();
    select_digit(push.shift, push.digit_bits);
    const Chunk chunk = chunk_of(number);
    uint targets[DIGITS_EACH];
    find_targets(number, targets);
    for (uint t = 0; t < chunk.tiles; ++t) {
        const uint tile = chunk.first + t, count = min(TILE, element_count - tile * TILE);
        Key keys[ITEMS];
        uint ranks[ITEMS], totals[DIGITS_EACH], befores[DIGITS_EACH];
        load_keys(tile, count, keys);
        rank_keys(keys, ranks, totals, befores);
        [[unroll]] for (uint d = 0; d < DIGITS_EACH; ++d) {
            if (invocation * DIGITS_EACH + d < SORT_DIGITS) digit_targets[invocation * DIGITS_EACH + d] = targets[d] - befores[d] - push.bias;
            targets[d] += totals[d];
        }
        uvec4 values[ITEMS];
        if (VALUE_WORDS > 0) load_values(tile, count, values);
        [[unroll]] for (uint r = 0; r < ITEMS; ++r) stage_key(ranks[r], keys[r]);
        barrier();

        int places[ITEMS];
        [[unroll]] for (uint r = 0; r < ITEMS; ++r) {
            uint place = r * VKPRIM_WORKGROUP_SIZE + invocation;
            keys[r] = staged_key(place);
            places[r] = int(digit_targets[digit_of(keys[r])] + place);
        }
        if ((push.flags & SORT_DECODES) != 0) {
            [[unroll]] for (uint r = 0; r < ITEMS; ++r) keys[r] = decode(keys[r]);
        }
        Keys target = Keys(push.output_keys);
        if (count == TILE) {
            [[unroll]] for (uint r = 0; r < ITEMS; ++r) target.at[places[r]] = keys[r];
        } else {
            [[unroll]] for (uint r = 0; r < ITEMS; ++r) {
                if (r * VKPRIM_WORKGROUP_SIZE + invocation < count) target.at[places[r]] = keys[r];
            }
        }
        barrier();
        if (VALUE_WORDS > 0) {
            [[unroll]] for (uint r = 0; r < ITEMS; ++r) stage_value(ranks[r], values[r]);
            barrier();
            [[unroll]] for (uint r = 0; r < ITEMS; ++r) {
                uint place = r * VKPRIM_WORKGROUP_SIZE + invocation;
                if (place < count) store_value(push.output_values, places[r], staged_value(place));
            }
            barrier();
        }
    }
}
