// Keys of two words, and the heads of their runs.

// Two keys; those from `count` on are not used.
uvec4 load_long_keys(uvec2 source, uint index, uint count) {
    if (ALIGNED && index + 2 <= count) return Words4(source).at[index / 2];
    uvec4 keys = uvec4(0);
    if (index + 0 < count) keys.xy = Words2(source).at[index];
    if (index + 1 < count) keys.zw = Words2(source).at[index + 1];
    return keys;
}

// The elements of two keys; those from `count` on, and the last two words, are not used.
uvec4 load_words(uvec2 source, uint index, uint count) {
    uvec4 words = uvec4(0);
    if (ALIGNED && index + 2 <= count) {
        words.xy = Words2(source).at[index / 2];
        return words;
    }
    if (index + 0 < count) words.x = Words(source).at[index];
    if (index + 1 < count) words.y = Words(source).at[index + 1];
    return words;
}

// Of a tile: this invocation's keys, a vector of each row.
void load_keys(uint tile, out uvec4 keys[RUNS][ROWS_PER_RUN]) {
    uvec2 source = address_of(push.keys_address, tile, TILE * KEY_SIZE);
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) keys[run][row] = load_long_keys(source, element_index(run, row), count_of_tile(tile));
    }
}

// Which of a vector of keys are kept, as bits: those that differ from the key before them, so that a run begins there.
uint kept_of(uint tile, uvec4 keys, uint index, uint count) {
    uint element = tile * TILE + index;
    uvec2 before = ~keys.xy; // nothing comes before the first
    if (element > 0 && index < count) before = Words2(address_of(push.keys_address, element - 1, KEY_SIZE)).at[0];
    uint first = uint(index + 0 < count && keys.xy != before), second = uint(index + 1 < count && keys.zw != keys.xy);
    return first | second << 1;
}
