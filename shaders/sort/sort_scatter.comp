#version 460
// variants: word(u32,i32,f32) | long(u64,i64,f64) LONG_KEYS | narrow(u8,i8,u16,i16,f16) NARROW_KEYS  x  one | rows SORT_ROWS
//
// A pass: moves keys and values to the places of their digits. A workgroup moves a tile, whose place among all tiles is known from the counts;
// so no workgroup waits for another. Tiles that are moved at the same time are neighbours, and their keys with equal digits go to
// neighbouring addresses. So memory is written in whole lines.
#extension GL_GOOGLE_include_directive : require
#include "tile.glsl"

const uint LISTS = 8; // of counts, that are loaded at a time

#ifdef SORT_ROWS
uvec2 values_begin() { return address_of(push.values, matrix_row * push.row_stride, 4 * VALUE_WORDS); }
uvec2 output_values_begin() { return address_of(push.output_values, matrix_row * push.most_stored, 4 * VALUE_WORDS); }
#else
#define values_begin() push.values
#define output_values_begin() push.output_values
#endif

shared uint digit_targets[SORT_DIGITS]; // of the tile's first key of a digit, less its place in the tile

uint count_at(uvec2 lists, uint list, uint digit) { return Words(list_address(lists, list)).at[digit]; }

// Of this invocation's digits, how many keys there are in the chunks before the tile's, and in all.
void add_chunks(uint chunk, uint digit, out uint before, out uint total) {
    const uint chunks = chunks_of_all();
    before = total = 0;
    if ((push.flags & SORT_SCANNED) != 0) {
        before = count_at(counts_begin(), chunk, digit);
        total = count_at(counts_begin(), chunks, digit);
        return;
    }
    for (uint list = 0; list < chunks; list += LISTS) {
        uint counts[LISTS];
        [[unroll]] for (uint i = 0; i < LISTS; ++i) counts[i] = count_at(counts_begin(), min(list + i, chunks - 1), digit);
        [[unroll]] for (uint i = 0; i < LISTS; ++i) {
            uint count = list + i < chunks ? counts[i] : 0;
            total += count;
            before += list + i < chunk ? count : 0;
        }
    }
}

// Of this invocation's digits: how many keys the tiles before this one have, how many there are in all, and the sum of these.
uint load_counts(uint tile, out uint befores[DIGITS_EACH], out uint totals[DIGITS_EACH]) {
    uint sum = 0;
    [[unroll]] for (uint d = 0; d < DIGITS_EACH; ++d) {
        const uint digit = invocation * DIGITS_EACH + d;
        befores[d] = totals[d] = 0;
        if (digit < SORT_DIGITS) {
            add_chunks(tile / push.chunk, digit, befores[d], totals[d]);
            if (tile % push.chunk != 0) befores[d] += count_at(tile_counts_begin(), tile, digit);
        }
        sum += totals[d];
    }
    return sum;
}

void main() {
    element_count = count_of(push.count, push.count_address, 0);
    select_row(most_tiles());
    const uint tile = workgroup_of_row;
    if (tile >= tiles_of_all()) return;
    number_invocations();
    select_digit(push.shift, push.digit_bits);
    // Load: the keys of a tile, and the counts of those before it.
    const uint count = min(TILE, element_count - tile * TILE);
    Key keys[ITEMS];
    uint ranks[RANKS], tiles_before[DIGITS_EACH], totals[DIGITS_EACH], befores[DIGITS_EACH], target;
    load_keys(address_of(keys_begin(), tile * TILE, KEY_BYTES), count, keys);
    const uint all = load_counts(tile, tiles_before, totals);
    // Combine: ranks in the tile, and from these and the counts the place in the output.
    rank_keys(keys, all, ranks, befores, target);
    [[unroll]] for (uint d = 0; d < DIGITS_EACH; ++d) {
        const uint digit = invocation * DIGITS_EACH + d;
        if (digit < SORT_DIGITS) digit_targets[digit] = target + tiles_before[d] - befores[d] - push.bias;
        target += totals[d];
    }
    uvec4 values[ITEMS];
    if (VALUE_WORDS > 0) load_values(address_of(values_begin(), tile * TILE, 4 * VALUE_WORDS), tile * TILE, count, values);
    [[unroll]] for (uint item = 0; item < ITEMS; ++item) stage_key(rank_of(ranks, item), keys[item]);
    barrier();

    // Store: in the order of the tile, so that neighbours go to neighbouring addresses.
    int places[ITEMS];
    const bool decodes = (push.flags & SORT_DECODES) != 0;
    [[unroll]] for (uint item = 0; item < ITEMS; ++item) {
        uint place = item * WORKGROUP_SIZE + invocation;
        Key key = staged_key(place);
        places[item] = int(digit_targets[digit_of(key)] + place);
        key = decodes ? decode(key) : key;
        if (place < count) store_key(output_keys_begin(), places[item], key);
    }
    if (VALUE_WORDS > 0) {
        barrier();
        [[unroll]] for (uint item = 0; item < ITEMS; ++item) stage_value(rank_of(ranks, item), values[item]);
        barrier();
        [[unroll]] for (uint item = 0; item < ITEMS; ++item) {
            uint place = item * WORKGROUP_SIZE + invocation;
            if (place < count) store_value(output_values_begin(), places[item], staged_value(place));
        }
    }
}
