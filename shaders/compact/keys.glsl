// Keys of a byte and of four bytes, and which of them are kept.

// Four words; those from `count` on are not used. There is no condition for each word at any address, since AMD's compiler spilled then.
uvec4 load_words(uvec2 source, uint index, uint count) {
    if (ALIGNED && index + VECTOR_WORDS <= count) return Words4(source).at[index / VECTOR_WORDS];
    if (ALIGNED || count == 0) return words_load_partial(source, index, count);
    Words words = Words(source);
    uvec4 at = min(uvec4(index) + uvec4(0, 1, 2, 3), uvec4(count - 1));
    return uvec4(words.at[at.x], words.at[at.y], words.at[at.z], words.at[at.w]);
}

// Keys of a byte, in the aligned words from a tile's first on. The first word and the last may hold bytes that are no keys, and may
// lie beyond the buffer: keys are put together from their bytes there, once for the tile.
struct ByteKeys {
    uvec2 base;        // of the first word
    uint shift;        // place of the tile's first key in it
    uint begin, end;   // places of keys, from the base on: of the first key, and after the last
    uint first, last;  // these two words, if they are not whole
};

uint word_of_bytes(ByteKeys keys, uint word) {
    const uint last = max(keys.end, keys.begin + 1) - 1; // the loop's load is of a key in any round (address.glsl)
    uint bytes = 0;
    for (uint place = max(4 * word, keys.begin); place < min(4 * word + 4, keys.end); ++place) {
        bytes |= byte_at(address_add(keys.base, min(place, last))) << 8 * (place - 4 * word);
    }
    return bytes;
}

ByteKeys byte_keys_of(uint tile) {
    ByteKeys keys;
    keys.base = address_of(push.keys_address, tile, TILE);
    keys.shift = keys.base.x & 3;
    keys.base.x -= keys.shift;
    keys.begin = tile == 0 ? keys.shift : 0;
    keys.end = keys.shift + min(element_count - tile * TILE, TILE + 4);
    keys.first = keys.last = 0;
    if (keys.begin > 0) keys.first = word_of_bytes(keys, 0);
    if (keys.end % 4 > 0) keys.last = word_of_bytes(keys, keys.end / 4);
    return keys;
}

// After the last word, any value: kept_of() does not use it.
uint key_word(ByteKeys keys, uint word) {
    uint bytes = 4 * word < keys.begin ? keys.first : keys.last;
    if (4 * word >= keys.begin && 4 * word + 4 <= keys.end) bytes = Words(keys.base).at[word];
    return bytes;
}

uvec4 bytes_of(uint word) { return uvec4(word, word >> 8, word >> 16, word >> 24) & 0xff; }

uvec4 load_bytes(ByteKeys keys, uint index) {
    uint word = key_word(keys, index / 4) >> 8 * keys.shift;
    if (keys.shift > 0) word |= key_word(keys, index / 4 + 1) << 32 - 8 * keys.shift;
    return bytes_of(word);
}

// The same if the tile begins with a whole word: only the last one may not be whole, and is loaded after the others.
void load_aligned_bytes(uint tile, out uvec4 keys[RUNS][ROWS_PER_RUN]) {
    uvec2 source = address_of(push.keys_address, tile, TILE);
    uint count = count_of_tile(tile), last = count - count % 4, rest = 0;
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) {
            uint index = element_index(run, row), word = 0;
            if (index < last) word = Words(source).at[index / 4];
            keys[run][row] = bytes_of(word);
        }
    }
    if (last == count) return;
    for (uint i = last; i < count; ++i) rest |= byte_at(address_add(source, min(i, count - 1))) << 8 * (i - last);
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) {
            if (element_index(run, row) == last) keys[run][row] = bytes_of(rest);
        }
    }
}

// Of a tile: this invocation's keys, a vector of each row.
void load_keys(uint tile, out uvec4 keys[RUNS][ROWS_PER_RUN]) {
    if (KEY == KEY_U8 && ALIGNED) {
        load_aligned_bytes(tile, keys);
        return;
    }
    uvec2 source = address_of(push.keys_address, tile, TILE * 4);
    ByteKeys byte_keys;
    if (KEY == KEY_U8) byte_keys = byte_keys_of(tile);
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) {
            uint index = element_index(run, row);
            keys[run][row] = KEY == KEY_U8 ? load_bytes(byte_keys, index) : load_words(source, index, count_of_tile(tile));
        }
    }
}

// The place of a key in the order of its type; that of +0 for both zeros.
uvec4 order_of(uvec4 bits) {
    if (KEY == KEY_I32) return bits ^ 0x80000000u;
    if (KEY != KEY_F32) return bits;
    uvec4 negative = uvec4(ivec4(bits) >> 31);
    return mix(bits ^ (negative | 0x80000000u), uvec4(0x80000000u), equal(bits << 1, uvec4(0)));
}

// For each key of the vector that begins at `index`: 1 if it differs from the key before it, so that a run begins there; else 0.
uvec4 run_heads_of(uint tile, uvec4 keys, uint index, uint count) {
    uint element = tile * TILE + index, before = ~keys.x; // nothing comes before the first
    if (element > 0 && index < count) before = Words(address_of(push.keys_address, element - 1, 4)).at[0];
    return uvec4(notEqual(keys, uvec4(before, keys.xyz)));
}

// Which of a vector of keys are kept, as bits; with THREE, in the upper half which are below.
uint kept_of(uint tile, uvec4 keys, uint index, uint count) {
    uvec4 order = order_of(keys), place = uvec4(index) + uvec4(0, 1, 2, 3), kept;
    uvec4 inside = uvec4(greaterThanEqual(order, uvec4(push.lower))) & uvec4(lessThanEqual(order, uvec4(push.upper)));
    kept = RUN_HEADS ? run_heads_of(tile, keys, index, count) : INSIDE ? inside : 1 - inside;
    kept &= uvec4(lessThan(place, uvec4(count)));
#ifdef THREE
    uvec4 below = uvec4(greaterThanEqual(order, uvec4(three.below_lower))) & uvec4(lessThanEqual(order, uvec4(three.below_upper)));
    kept |= (below & uvec4(lessThan(place, uvec4(count)))) << 16;
#endif
    return kept.x | kept.y << 1 | kept.z << 2 | kept.w << 3;
}
