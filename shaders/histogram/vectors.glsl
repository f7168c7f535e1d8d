// Goes through the input.

// The input as 16-byte vectors from the aligned address at or before its start.
struct Vectors {
    uvec2 base;
    uint count;
    uint first; // place of the first sample in the first vector
    uint end;   // place after the last sample in the last vector
};

Vectors vectors_of_input() {
    uint count = SAMPLE_COUNT;
    uvec2 base = uvec2(INPUT_ADDRESS.x & ~15u, INPUT_ADDRESS.y);
    uint first = (INPUT_ADDRESS.x & 15) / SAMPLE_SIZE;
    uint last = count % PER_VECTOR + first + PER_VECTOR - 1; // count + first may not fit in 32 bits
    uint vectors = count == 0 ? 0 : count / PER_VECTOR + last / PER_VECTOR;
    return Vectors(base, vectors, first, last % PER_VECTOR + 1);
}

uint tiles_of(Vectors vectors) { return vectors.count / TILE + uint(vectors.count % TILE != 0); }

void count_whole_tile(uvec2 base) {
    uvec4 words[VECTORS];
    [[unroll]] for (uint v = 0; v < VECTORS; ++v) words[v] = Words4(base).at[v * WORKGROUP_SIZE + gl_LocalInvocationIndex];
    tile_begins(BIN_OF(FIRST_OF(words[0]), number_of(base, gl_LocalInvocationIndex)));
    [[unroll]] for (uint v = 0; v < VECTORS; ++v) COUNT_VECTOR(words[v], base, v * WORKGROUP_SIZE + gl_LocalInvocationIndex, true);
}

// One sample.
#ifdef SAMPLE_DOUBLE
#define LOAD_SAMPLE(value, address) value = Words2(address).at[0]
#else
#define LOAD_SAMPLE(value, address)                                                              \
    if (SAMPLE_SIZE == 4) {                                                                      \
        value = Words(address).at[0];                                                            \
    } else {                                                                                     \
        value = byte_at(address);                                                                \
        if (SAMPLE_SIZE == 2) value |= byte_at(address_add(address, 1)) << 8;                    \
    }
#endif

// The input's first or last vector, which may contain other bytes than samples; one invocation for each. Bytes that are no sample's are not
// read: they may lie beyond the buffer.
void count_end(Vectors vectors, uint v) {
    uint first = v == 0 ? vectors.first : 0, end = v == vectors.count - 1 ? vectors.end : PER_VECTOR;
    uint place = gl_LocalInvocationIndex, bin = NO_BIN;
#ifdef CHANNELS_WEIGHTS_LEVELS
    SAMPLE value = SAMPLE(0);
    uint number = number_of(vectors.base, v) + place, weight = 0;
#endif
    if (place >= first && place < end) {
        uvec2 address = address_add(address_of(vectors.base, v, 16), place * SAMPLE_SIZE);
#ifndef CHANNELS_WEIGHTS_LEVELS
        uint value;
#else
        weight = weight_of(number);
#endif
        LOAD_SAMPLE(value, address);
#ifndef CHANNELS_WEIGHTS_LEVELS
        bin = bin_of(value);
#endif
    }
#ifdef CHANNELS_WEIGHTS_LEVELS
    uint found = BIN_OF(value, number);
    if (place >= first && place < end) bin = found;
#endif
    COUNT_BIN(bin, weight);
}

#ifdef ROWS
// A short row leaves most of a workgroup without a sample. Who has none nor has any of these neighbours counts nothing at all; otherwise
// counting none is faster than a condition. Searching levels is a loop, which Mesa's CPU driver loses if whole subgroups skip it.
const uint NEIGHBOURS = 64;
#ifdef CHANNELS_WEIGHTS_LEVELS
const bool SKIPS = LEVEL_STEP == 0;
#else
const bool SKIPS = true;
#endif
#endif

// A tile that contains the first or the last vector.
void count_end_tile(Vectors vectors, uint tile) {
    uvec2 base = address_of(vectors.base, tile, TILE * 16);
    uint last = vectors.count - 1;
    uvec4 words[VECTORS];
    [[unroll]] for (uint v = 0; v < VECTORS; ++v) {
        uint index = v * WORKGROUP_SIZE + gl_LocalInvocationIndex;
        words[v] = uvec4(0);
        if (tile * TILE + index > 0 && tile * TILE + index < last) words[v] = Words4(base).at[index];
    }
    tile_begins(BIN_OF(FIRST_OF(words[0]), number_of(base, gl_LocalInvocationIndex)));
    [[unroll]] for (uint v = 0; v < VECTORS; ++v) {
        uint index = tile * TILE + v * WORKGROUP_SIZE + gl_LocalInvocationIndex;
#ifdef ROWS
        if (SKIPS && index - gl_LocalInvocationIndex % NEIGHBOURS >= last) continue;
#endif
        COUNT_VECTOR(words[v], base, v * WORKGROUP_SIZE + gl_LocalInvocationIndex, index > 0 && index < last);
    }
#ifdef ROWS
    if (SKIPS && gl_LocalInvocationIndex >= NEIGHBOURS) return;
#endif
    if (tile == 0) count_end(vectors, 0);
    if (tile + 1 == tiles_of(vectors) && last > 0) count_end(vectors, last);
}

// Counts tiles `tile`, `tile` + step, ... The first and the last one apart, because Mesa's CPU driver goes through both sides of
// a condition; and with one copy of the code, because that costs GPUs time.
void count_tiles(Vectors vectors, uint tile, uint step) {
    uint tiles = tiles_of(vectors);
    for (uint whole = tile == 0 ? step : tile; whole + 1 < tiles; whole += step) {
        count_whole_tile(address_of(vectors.base, whole, TILE * 16));
        tile_counted();
    }
    bool has_first = tile == 0 && tiles > 0, has_last = tiles > 1 && (tiles - 1) % step == tile;
    [[dont_unroll]] for (uint end = has_first ? 0 : 1; end < (has_last ? 2 : 1); ++end) {
        count_end_tile(vectors, end * (tiles - 1));
        tile_counted();
    }
}
