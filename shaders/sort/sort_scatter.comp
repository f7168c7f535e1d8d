#version 460
// variants: word | long LONG_KEYS  x  subgroups | plain VKPRIM_NO_SUBGROUPS
//
// A pass: moves the keys, and what goes with them, to where their digit says. A workgroup does so for a tile, whose place among all is known
// from their counts; so none waits for another. Tiles that are moved at the same time are neighbours, and so are the places of what they
// have of one digit: that is why memory is written in whole lines.
#extension GL_GOOGLE_include_directive : require
#include "tile.glsl"

const uint ROWS = 8; // of counts, that are loaded at a time

shared uint digit_targets[SORT_DIGITS]; // of the tile's first key of a digit, less its place in the tile

uint count_at(uvec2 rows, uint row, uint digit) { return vkprim_Words(row_address(rows, row)).at[digit]; }

// Of this invocation's digits, how many keys there are in the chunks before the tile's, and in all.
void add_chunks(uint chunk, uint digit, out uint before, out uint total) {
    const uint chunks = chunks_of_all();
    before = total = 0;
    if ((push.flags & SORT_SCANNED) != 0) {
        before = count_at(push.counts, chunk, digit);
        total = count_at(push.counts, chunks, digit);
        return;
    }
    for (uint row = 0; row < chunks; row += ROWS) {
        uint counts[ROWS];
        [[unroll]] for (uint i = 0; i < ROWS; ++i) counts[i] = count_at(push.counts, min(row + i, chunks - 1), digit);
        [[unroll]] for (uint i = 0; i < ROWS; ++i) {
            uint count = row + i < chunks ? counts[i] : 0;
            total += count;
            before += row + i < chunk ? count : 0;
        }
    }
}

// Where the tile's keys of this invocation's digits begin.
void find_targets(uint tile, out uint targets[DIGITS_EACH]) {
    const uint chunk = tile / push.chunk;
    uint sum = 0, totals[DIGITS_EACH];
    [[unroll]] for (uint d = 0; d < DIGITS_EACH; ++d) {
        const uint digit = min(invocation * DIGITS_EACH + d, SORT_DIGITS - 1);
        add_chunks(chunk, digit, targets[d], totals[d]);
        if (tile % push.chunk != 0) targets[d] += count_at(push.tile_counts, tile, digit);
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
    const uint tile = vkprim_workgroup_number();
    if (tile >= tiles_of_all()) return;
    number_invocations();
    select_digit(push.shift, push.digit_bits);
    const uint count = min(TILE, element_count - tile * TILE);
    Key keys[ITEMS];
    uint ranks[ITEMS], targets[DIGITS_EACH], totals[DIGITS_EACH], befores[DIGITS_EACH];
    load_keys(tile, count, keys);
    find_targets(tile, targets);
    rank_keys(keys, ranks, totals, befores);
    [[unroll]] for (uint d = 0; d < DIGITS_EACH; ++d) {
        if (invocation * DIGITS_EACH + d < SORT_DIGITS) digit_targets[invocation * DIGITS_EACH + d] = targets[d] - befores[d] - push.bias;
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
    if (VALUE_WORDS > 0) {
        barrier();
        [[unroll]] for (uint r = 0; r < ITEMS; ++r) stage_value(ranks[r], values[r]);
        barrier();
        [[unroll]] for (uint r = 0; r < ITEMS; ++r) {
            uint place = r * VKPRIM_WORKGROUP_SIZE + invocation;
            if (place < count) store_value(push.output_values, places[r], staged_value(place));
        }
    }
}
