#version 460
// variants: word | long LONG_KEYS
//
// Counts the digits of a pass: of each chunk of tiles, a row.
#extension GL_GOOGLE_include_directive : require
#include "keys.glsl"
layout(constant_id = 11) const uint COPIES = 8; // of the counters, by invocation, so that equal keys do not meet in a word
layout(constant_id = 12) const uint LOADS = 8; // of an invocation at a time

shared uint counters[SORT_DIGITS * COPIES];

void main() {
    element_count = vkprim_count_of(push.count, push.count_address, 0);
    select_digit(push.shift, push.digit_bits);
    const uint number = vkprim_workgroup_number(), invocation = gl_LocalInvocationIndex;
    if (number >= chunks_of_all()) return;
    for (uint first = 0; first < SORT_DIGITS * COPIES; first += VKPRIM_WORKGROUP_SIZE) {
        if (first + invocation < SORT_DIGITS * COPIES) counters[first + invocation] = 0;
    }
    barrier();

    const Chunk chunk = chunk_of(number);
    const uint begin = chunk.first * TILE, count = min(chunk.tiles * TILE, element_count - begin);
    const uvec2 keys_address = vkprim_address_of(push.keys, begin, 4 * KEY_WORDS);
    const uint whole = count / (LOADS * VKPRIM_WORKGROUP_SIZE), copy = invocation % COPIES;
    Keys source = Keys(keys_address);
    for (uint round = 0; round < whole; ++round) {
        Key keys[LOADS];
        uint index = round * (LOADS * VKPRIM_WORKGROUP_SIZE) + invocation;
        [[unroll]] for (uint i = 0; i < LOADS; ++i) keys[i] = source.at[index + i * VKPRIM_WORKGROUP_SIZE];
        if ((push.flags & SORT_ENCODES) != 0) {
            [[unroll]] for (uint i = 0; i < LOADS; ++i) keys[i] = encode(keys[i]);
        }
        [[unroll]] for (uint i = 0; i < LOADS; ++i) atomicAdd(counters[digit_of(keys[i]) * COPIES + copy], 1);
    }
    for (uint i = 0; i < LOADS; ++i) {
        uint index = (whole * LOADS + i) * VKPRIM_WORKGROUP_SIZE + invocation;
        if (index < count) {
            Key key = source.at[index];
            if ((push.flags & SORT_ENCODES) != 0) key = encode(key);
            atomicAdd(counters[digit_of(key) * COPIES + copy], 1);
        }
    }
    barrier();

    vkprim_Words row = vkprim_Words(vkprim_address_of(push.counts, number, SORT_DIGITS * 4));
    for (uint first = 0; first < SORT_DIGITS; first += VKPRIM_WORKGROUP_SIZE) {
        uint digit = first + invocation;
        if (digit < SORT_DIGITS) {
            uint total = 0;
            for (uint c = 0; c < COPIES; ++c) total += counters[digit * COPIES + (c + invocation) % COPIES];
            row.at[digit] = total;
        }
    }
}
