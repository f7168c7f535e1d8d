#version 460
// variants: word(u32,i32,f32) | long(u64,i64,f64) LONG_KEYS | narrow(u8,i8,u16,i16,f16) NARROW_KEYS  x  one | rows SORT_ROWS
//
// Counts the digits of a pass. A workgroup processes a chunk of tiles. It stores a list of counts for the chunk, and for each tile a list with
// the counts of the tiles before it in the chunk.
//
// Counters have 16 bits, two in a word, in COPIES copies that are interleaved by invocation, so that equal keys do not conflict in a word.
#extension GL_GOOGLE_include_directive : require
#include "pass.glsl"
layout(constant_id = OWN_ID + 3) const uint COPIES = 8;
layout(constant_id = OWN_ID + 4) const uint LOADS = 8; // of an invocation at a time

const uint PAIRS = SORT_DIGITS / 2;
const uint ROUND = LOADS * WORKGROUP_SIZE;
const uint EACH = WORKGROUP_SIZE < SORT_DIGITS ? SORT_DIGITS / WORKGROUP_SIZE : 1; // digits of an invocation

shared uint counters[PAIRS * COPIES];

void count_alike(uint digit, uint keys) {
    atomicAdd(counters[digit / 2 * COPIES + gl_LocalInvocationIndex % COPIES], keys << digit % 2 * 16);
}

// A round of the `count` keys at `source`: those from number `first` on. All are loaded before the first is counted. Successive keys of an
// invocation with the same digit are counted together.
void count_round(uvec2 source, uint first, uint count) {
    const uint index = first + gl_LocalInvocationIndex, there = count - min(count, index);
    Key keys[LOADS];
    if (first + ROUND <= count) {
        [[unroll]] for (uint i = 0; i < LOADS; ++i) keys[i] = load_key(source, index + i * WORKGROUP_SIZE);
    } else {
        [[unroll]] for (uint i = 0; i < LOADS; ++i) {
            keys[i] = LAST_KEY;
            if (i * WORKGROUP_SIZE < there) keys[i] = load_key(source, index + i * WORKGROUP_SIZE);
        }
    }
    if ((push.flags & SORT_ENCODES) != 0) {
        [[unroll]] for (uint i = 0; i < LOADS; ++i) keys[i] = encode(keys[i]);
    }
    uint digit = digit_of(keys[0]), alike = 0;
    [[unroll]] for (uint i = 0; i < LOADS; ++i) {
        uint next = digit_of(keys[i]);
        if (next != digit) {
            count_alike(digit, alike);
            digit = next;
            alike = 0;
        }
        alike += uint(i * WORKGROUP_SIZE < there);
    }
    count_alike(digit, alike);
}

void count_tile(uint tile) {
    const uint begin = tile * push.tile, count = min(push.tile, element_count - begin);
    const uvec2 source = address_of(keys_begin(), begin, KEY_BYTES);
    for (uint first = 0; first < count; first += ROUND) count_round(source, first, count);
}

uint counted(uint digit) {
    uint total = 0;
    [[unroll]] for (uint c = 0; c < COPIES; ++c) {
        total += counters[digit / 2 * COPIES + (c + digit) % COPIES] >> digit % 2 * 16 & 0xffff;
    }
    return total;
}

void main() {
    element_count = count_of(push.count, push.count_address, 0);
    select_digit(push.shift, push.digit_bits);
    select_row(most_chunks());
    const uint chunk = workgroup_of_row, invocation = gl_LocalInvocationIndex;
    if (chunk >= chunks_of_all()) return;
    for (uint first = 0; first < PAIRS * COPIES; first += WORKGROUP_SIZE) {
        if (first + invocation < PAIRS * COPIES) counters[first + invocation] = 0;
    }
    barrier();

    const uint first_tile = chunk * push.chunk, tiles = min(push.chunk, tiles_of_all() - first_tile);
    for (uint t = 0; t < tiles; ++t) {
        // Load: the keys of a tile, each counted by its digit.
        count_tile(first_tile + t);
        barrier();
        // Combine and store: the copies of each counter. The counts of this tile and those before it are the counts before the next tile.
        Words list = Words(t + 1 == tiles ? list_address(counts_begin(), chunk) : list_address(tile_counts_begin(), first_tile + t + 1));
        [[unroll]] for (uint i = 0; i < EACH; ++i) {
            uint digit = i * WORKGROUP_SIZE + invocation;
            if (digit < SORT_DIGITS) list.at[digit] = counted(digit);
        }
        barrier();
    }
}
