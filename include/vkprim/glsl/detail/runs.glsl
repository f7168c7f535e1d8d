// How a workgroup's tile of elements lies in memory. A team of 32 invocations has VKPRIM_RUNS consecutive runs; a run is VKPRIM_ROWS rows
// of 32 vectors: four; two where an element has more than two words, and one from five on. An invocation loads and stores one vector of each row.
//
// The shader that includes this defines, ahead of that, VKPRIM_RUNS (1 or 2), and VKPRIM_ALIGNED: whether input and output are at
// multiples of 16.
#ifndef VKPRIM_RUNS_GLSL
#define VKPRIM_RUNS_GLSL
#include "element.glsl"
#include "tile.h"
#include "workgroup.glsl"

const uint VKPRIM_ROWS = VKPRIM_TILE_ROWS(VKPRIM_REGISTER_WORDS);
const uint VKPRIM_TILE_VECTORS = VKPRIM_TILE_BLOCK / 16 * VKPRIM_ROWS * VKPRIM_RUNS;
const uint VKPRIM_TILE_ELEMENTS = VKPRIM_TILE_VECTORS * VKPRIM_VECTOR_WIDTH;
const uint VKPRIM_TILE_BYTES = VKPRIM_TILE_ELEMENTS * VKPRIM_INPUT_BYTES;

#ifdef VKPRIM_ELEMENT_BY_ELEMENT
// The element of the tile where this invocation's vector of row `r` of run `q` begins.
uint vkprim_run_element(uint q, uint r) {
    uint row = (vkprim_invocation() / VKPRIM_TEAM * VKPRIM_RUNS + q) * VKPRIM_ROWS + r;
    return (row * VKPRIM_TEAM + vkprim_invocation() % VKPRIM_TEAM) * VKPRIM_VECTOR_WIDTH;
}

void vkprim_run_load_elements(uvec2 source, uint tile, uint count, uint q, out VKPRIM_MEMORY vectors[VKPRIM_ROWS]) {
    [[unroll]] for (uint r = 0; r < VKPRIM_ROWS; ++r) {
        vectors[r] = vkprim_vector_load(source, tile * VKPRIM_TILE_ELEMENTS, vkprim_run_element(q, r), count);
    }
}

void vkprim_run_store_elements(uvec2 target, uint tile, uint count, uint q, VKPRIM_MEMORY vectors[VKPRIM_ROWS]) {
    [[unroll]] for (uint r = 0; r < VKPRIM_ROWS; ++r) {
        vkprim_vector_store(target, tile * VKPRIM_TILE_ELEMENTS, vkprim_run_element(q, r), count, vectors[r]);
    }
}
#else
const uint VKPRIM_TILE_WORDS = VKPRIM_TILE_BLOCK * VKPRIM_RUNS, VKPRIM_ROW = 4 * VKPRIM_TEAM;

// The word of the tile where this invocation's vector of row `r` of run `q` begins.
uint vkprim_run_word(uint q, uint r) {
    return (vkprim_invocation() / VKPRIM_TEAM * VKPRIM_RUNS + q) * VKPRIM_TILE_RUN + r * VKPRIM_ROW + vkprim_invocation() % VKPRIM_TEAM * 4;
}

void vkprim_run_load_aligned(uvec2 source, uint count, uint q, out uvec4 bits[4]) {
    if (count == VKPRIM_TILE_WORDS) { // apart, or NVIDIA's compiler runs out of registers (bench/NOTES.md, "Registers of a scan")
        [[unroll]] for (uint r = 0; r < 4; ++r) bits[r] = vkprim_Words4(source).at[vkprim_run_word(q, r) / 4];
        return;
    }
    uint rest = count % 4;
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        uint index = vkprim_run_word(q, r);
        bits[r] = vkprim_words_of_nothing();
        if (index + 4 <= count) bits[r] = vkprim_Words4(source).at[index / 4];
    }
    if (rest == 0) return;
    // By the invocation alone that stores it: in place, another's load would race with that store.
    uint place = count - rest - vkprim_run_word(q, 0);
    if (place >= 4 * VKPRIM_ROW || place % VKPRIM_ROW != 0) return;
    uvec4 last = vkprim_words_load_partial(source, count - rest, count);
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        if (place == r * VKPRIM_ROW) bits[r] = last;
    }
}

#if VKPRIM_MEMORY_WORDS == 2
// The same at any address of an element: one element at a time.
void vkprim_run_load_unaligned(uvec2 source, uint count, uint q, out uvec4 bits[4]) {
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        uint index = vkprim_run_word(q, r);
        bits[r] = vkprim_words_of_nothing();
        if (index + 0 < count) bits[r].xy = vkprim_Words2(source).at[index / 2];
        if (index + 2 < count) bits[r].zw = vkprim_Words2(source).at[index / 2 + 1];
    }
}
#else
// The same at any address: vectors at multiples of 16 bytes, of which the last words come from the invocation behind. At both ends
// of a tile only its own words are loaded: others may lie beyond the buffer, or, in place, be stored by a neighbour meanwhile.
void vkprim_run_load_unaligned(uvec2 source, uint count, uint q, out uvec4 bits[4]) {
    uint member = vkprim_invocation() % VKPRIM_TEAM, shift = vkprim_address_shift(source);
    vkprim_Words4 vectors = vkprim_Words4(uvec2(source.x & ~15u, source.y));
    uvec4 behind = uvec4(0); // the run, where a part of its last vector lies
    uint end = vkprim_run_word(q, 4);
    bool begins = vkprim_run_word(q, 0) == 0 && shift > 0; // this invocation has the tile's first words, inside a vector
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        uint index = vkprim_run_word(q, r);
        if (count < VKPRIM_TILE_WORDS) {
            bits[r] = vkprim_words_load_partial(source, index, count);
        } else {
            bits[r] = uvec4(0);
            if (r > 0 || !begins) bits[r] = vectors.at[index / 4];
        }
    }
    if (count < VKPRIM_TILE_WORDS || shift == 0) return;
    if (member == 0) {
        if (end < VKPRIM_TILE_WORDS) behind = vectors.at[end / 4];
        else behind = vkprim_words_load_partial(source, end - shift, end);
    }
    uvec4 first = uvec4(0); // the tile's first four words, unshifted
    if (begins) first = vkprim_words_load_partial(source, 0, 4);
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        uvec4 sent = member > 0 ? bits[r] : r < 3 ? bits[min(r, 2) + 1] : behind;
        uvec4 next = VKPRIM_ELEMENT_BITS4(vkprim_team_shuffle(VKPRIM_ELEMENT_FROM_BITS4(sent), (member + 1) % VKPRIM_TEAM));
        bits[r] = vkprim_words_shifted(bits[r], next, shift);
    }
    if (begins) bits[0] = first;
}
#endif

void vkprim_run_store_aligned(uvec2 target, uint count, uint q, uvec4 bits[4]) {
    uint rest = count % 4;
    uvec4 last;
    bool has_last = false;
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        uint index = vkprim_run_word(q, r);
        if (index + 4 <= count) {
            vkprim_Words4(target).at[index / 4] = bits[r];
        } else if (index < count) {
            has_last = true;
            last = bits[r];
        }
    }
    if (has_last) vkprim_words_store_partial(target, count - rest, count, last);
}

#if VKPRIM_MEMORY_WORDS == 2
void vkprim_run_store_unaligned(uvec2 target, uint count, uint q, uvec4 bits[4]) {
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        uint index = vkprim_run_word(q, r);
        if (index + 0 < count) vkprim_Words2(target).at[index / 2] = bits[r].xy;
        if (index + 2 < count) vkprim_Words2(target).at[index / 2 + 1] = bits[r].zw;
    }
}
#else
// The same at any address: vectors at multiples of 16 bytes, of which the first words come from the invocation before. The ends
// of a run are stored in single words.
void vkprim_run_store_unaligned(uvec2 target, uint count, uint q, uvec4 bits[4]) {
    uint member = vkprim_invocation() % VKPRIM_TEAM, head = 4 - vkprim_address_shift(target); // words of this invocation's vector in the first of two
    vkprim_Words4 vectors = vkprim_Words4(uvec2(target.x & ~15u, target.y));
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        uint index = vkprim_run_word(q, r);
        uvec4 sent = r > 0 && member == VKPRIM_TEAM - 1 ? bits[max(r, 1) - 1] : bits[r];
        uvec4 before = VKPRIM_ELEMENT_BITS4(vkprim_team_shuffle(VKPRIM_ELEMENT_FROM_BITS4(sent), (member + VKPRIM_TEAM - 1) % VKPRIM_TEAM));
        if (count < VKPRIM_TILE_WORDS) {
            vkprim_words_store_partial(target, index, count, bits[r]);
            continue;
        }
        bool begins = member == 0 && r == 0, ends = member == VKPRIM_TEAM - 1 && r == 3;
        if (!begins) vectors.at[index / 4] = vkprim_words_shifted(before, bits[r], head);
        if (begins) vkprim_words_store_partial(target, index, index + head, bits[r]);
        if (ends && head < 4) {
            vkprim_words_store_partial(target, index + head, index + 4, vkprim_words_shifted(bits[r], bits[r], head));
        }
    }
}
#endif

#endif

// Loads this invocation's vectors of run `q` of a tile; the identity in place of what lies behind the last of `elements`.
void vkprim_run_load(uvec2 input_address, uint tile, uint elements, uint q, out VKPRIM_MEMORY vectors[VKPRIM_ROWS]) {
    uvec2 source = vkprim_address_of(input_address, tile, VKPRIM_TILE_BYTES);
    uint count = min(VKPRIM_TILE_ELEMENTS, elements - tile * VKPRIM_TILE_ELEMENTS);
#ifdef VKPRIM_ELEMENT_BY_ELEMENT
    vkprim_run_load_elements(source, tile, count, q, vectors);
#else
    if (VKPRIM_ALIGNED) {
        vkprim_run_load_aligned(source, count * VKPRIM_MEMORY_WORDS, q, vectors);
    } else {
        vkprim_run_load_unaligned(source, count * VKPRIM_MEMORY_WORDS, q, vectors);
    }
#endif
}

// Stores those that exist.
void vkprim_run_store(uvec2 output_address, uint tile, uint elements, uint q, VKPRIM_MEMORY vectors[VKPRIM_ROWS]) {
    uvec2 target = vkprim_address_of(output_address, tile, VKPRIM_TILE_ELEMENTS * VKPRIM_OUTPUT_BYTES);
    uint count = min(VKPRIM_TILE_ELEMENTS, elements - tile * VKPRIM_TILE_ELEMENTS);
#ifdef VKPRIM_ELEMENT_BY_ELEMENT
    vkprim_run_store_elements(target, tile, count, q, vectors);
#else
    if (VKPRIM_ALIGNED) {
        vkprim_run_store_aligned(target, count * VKPRIM_MEMORY_WORDS, q, vectors);
    } else {
        vkprim_run_store_unaligned(target, count * VKPRIM_MEMORY_WORDS, q, vectors);
    }
#endif
}

#endif
