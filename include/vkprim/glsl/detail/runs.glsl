// How a workgroup's tile of elements lies in memory. A team of 32 invocations has VKPRIM_RUNS consecutive runs. A run is VKPRIM_ROWS_PER_RUN
// rows of 32 vectors: 4 rows for elements of one or two words, 2 rows for three or four words, 1 row for more. An invocation loads and
// stores one vector of each row.
//
// Before including this file, a shader defines VKPRIM_RUNS (1 or 2), and VKPRIM_RUNS_ADDRESSES, of input and output (tile.h).
#ifndef VKPRIM_RUNS_GLSL
#define VKPRIM_RUNS_GLSL
#include "element.glsl"
#include "tile.h"
#include "workgroup.glsl"

const uint VKPRIM_ROWS_PER_RUN = VKPRIM_TILE_ROWS(VKPRIM_REGISTER_WORDS);
const uint VKPRIM_TILE_VECTORS = VKPRIM_TILE_BLOCK / 16 * VKPRIM_ROWS_PER_RUN * VKPRIM_RUNS;
const uint VKPRIM_TILE_ELEMENTS = VKPRIM_TILE_VECTORS * VKPRIM_VECTOR_WIDTH;
const uint VKPRIM_TILE_BYTES = VKPRIM_TILE_ELEMENTS * VKPRIM_INPUT_BYTES;

#ifdef VKPRIM_ELEMENT_BY_ELEMENT
// The element of the tile where this invocation's vector of a row of a run begins.
uint vkprim_run_element(uint run, uint row) {
    uint row_of_tile = (vkprim_invocation() / VKPRIM_TEAM * VKPRIM_RUNS + run) * VKPRIM_ROWS_PER_RUN + row;
    return (row_of_tile * VKPRIM_TEAM + vkprim_invocation() % VKPRIM_TEAM) * VKPRIM_VECTOR_WIDTH;
}

void vkprim_run_load_elements(uvec2 source, uint tile, uint count, uint run, out VKPRIM_MEMORY vectors[VKPRIM_ROWS_PER_RUN]) {
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) {
        vectors[row] = vkprim_vector_load(source, tile * VKPRIM_TILE_ELEMENTS, vkprim_run_element(run, row), count);
    }
}

void vkprim_run_store_elements(uvec2 target, uint tile, uint count, uint run, VKPRIM_MEMORY vectors[VKPRIM_ROWS_PER_RUN]) {
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) {
        vkprim_vector_store(target, tile * VKPRIM_TILE_ELEMENTS, vkprim_run_element(run, row), count, vectors[row]);
    }
}
#else
const uint VKPRIM_TILE_WORDS = VKPRIM_TILE_BLOCK * VKPRIM_RUNS, VKPRIM_ROW_WORDS = VKPRIM_VECTOR_WORDS * VKPRIM_TEAM;

// The word of the tile where this invocation's vector of a row of a run begins.
uint vkprim_run_word(uint run, uint row) {
    return (vkprim_invocation() / VKPRIM_TEAM * VKPRIM_RUNS + run) * VKPRIM_TILE_RUN + row * VKPRIM_ROW_WORDS + vkprim_invocation() % VKPRIM_TEAM * VKPRIM_VECTOR_WORDS;
}

void vkprim_run_load_aligned(uvec2 source, uint count, uint run, out uvec4 bits[VKPRIM_ROWS_PER_RUN]) {
    if (count == VKPRIM_TILE_WORDS) { // apart, or NVIDIA's compiler runs out of registers (bench/NOTES.md, "Registers of a scan")
        [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) bits[row] = vkprim_Words4(source).at[vkprim_run_word(run, row) / VKPRIM_VECTOR_WORDS];
        return;
    }
    uint rest = count % VKPRIM_VECTOR_WORDS;
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) {
        uint index = vkprim_run_word(run, row);
        bits[row] = vkprim_words_of_nothing();
        if (index + VKPRIM_VECTOR_WORDS <= count) bits[row] = vkprim_Words4(source).at[index / VKPRIM_VECTOR_WORDS];
    }
    if (rest == 0) return;
    // By the invocation alone that stores it: in place, another's load would race with that store.
    uint place = count - rest - vkprim_run_word(run, 0);
    if (place >= VKPRIM_ROWS_PER_RUN * VKPRIM_ROW_WORDS || place % VKPRIM_ROW_WORDS != 0) return;
    uvec4 last = vkprim_words_load_partial(source, count - rest, count);
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) {
        if (place == row * VKPRIM_ROW_WORDS) bits[row] = last;
    }
}

#if VKPRIM_MEMORY_WORDS == 2
// The same at any address of an element: one element at a time.
void vkprim_run_load_unaligned(uvec2 source, uint count, uint run, out uvec4 bits[VKPRIM_ROWS_PER_RUN]) {
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) {
        uint index = vkprim_run_word(run, row);
        bits[row] = vkprim_words_of_nothing();
        if (index + 0 < count) bits[row].xy = vkprim_Words2(source).at[index / 2];
        if (index + 2 < count) bits[row].zw = vkprim_Words2(source).at[index / 2 + 1];
    }
}
#else
// The same at any address: vectors at multiples of 16 bytes are loaded, and the last words come from the next invocation. At both ends
// of a tile only its own words are loaded: others may lie beyond the buffer, or, in place, be stored by a neighbour meanwhile.
void vkprim_run_load_unaligned(uvec2 source, uint count, uint run, out uvec4 bits[VKPRIM_ROWS_PER_RUN]) {
    uint member = vkprim_invocation() % VKPRIM_TEAM, shift = vkprim_address_shift(source);
    vkprim_Words4 vectors = vkprim_Words4(uvec2(source.x & ~15u, source.y));
    uvec4 behind = uvec4(0); // the vector after the run, which contains the run's last words
    if (VKPRIM_RUNS_ADDRESSES == VKPRIM_RUNS_BY_WORDS) {
        [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) {
            bits[row] = vkprim_words_load_partial(source, vkprim_run_word(run, row), count);
        }
        return;
    }
    uint end = vkprim_run_word(run, VKPRIM_ROWS_PER_RUN);
    bool begins = vkprim_run_word(run, 0) == 0 && shift > 0; // this invocation has the tile's first words, inside a vector
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) {
        uint index = vkprim_run_word(run, row);
        if (count < VKPRIM_TILE_WORDS) {
            bits[row] = vkprim_words_load_partial(source, index, count);
        } else {
            bits[row] = uvec4(0);
            if (row > 0 || !begins) bits[row] = vectors.at[index / VKPRIM_VECTOR_WORDS];
        }
    }
    if (count < VKPRIM_TILE_WORDS || shift == 0) return;
    if (member == 0) {
        if (end < VKPRIM_TILE_WORDS) behind = vectors.at[end / VKPRIM_VECTOR_WORDS];
        else behind = vkprim_words_load_partial(source, end - shift, end);
    }
    uvec4 first = uvec4(0); // the tile's first vector, unshifted
    if (begins) first = vkprim_words_load_partial(source, 0, VKPRIM_VECTOR_WORDS);
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) {
        uvec4 sent = member > 0 ? bits[row] : row < VKPRIM_ROWS_PER_RUN - 1 ? bits[min(row, VKPRIM_ROWS_PER_RUN - 2) + 1] : behind;
        uvec4 next = VKPRIM_ELEMENT_BITS4(vkprim_team_shuffle(VKPRIM_ELEMENT_FROM_BITS4(sent), (member + 1) % VKPRIM_TEAM));
        bits[row] = vkprim_words_shifted(bits[row], next, shift);
    }
    if (begins) bits[0] = first;
}
#endif

void vkprim_run_store_aligned(uvec2 target, uint count, uint run, uvec4 bits[VKPRIM_ROWS_PER_RUN]) {
    uint rest = count % VKPRIM_VECTOR_WORDS;
    uvec4 last;
    bool has_last = false;
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) {
        uint index = vkprim_run_word(run, row);
        if (index + VKPRIM_VECTOR_WORDS <= count) {
            vkprim_Words4(target).at[index / VKPRIM_VECTOR_WORDS] = bits[row];
        } else if (index < count) {
            has_last = true;
            last = bits[row];
        }
    }
    if (has_last) vkprim_words_store_partial(target, count - rest, count, last);
}

#if VKPRIM_MEMORY_WORDS == 2
void vkprim_run_store_unaligned(uvec2 target, uint count, uint run, uvec4 bits[VKPRIM_ROWS_PER_RUN]) {
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) {
        uint index = vkprim_run_word(run, row);
        if (index + 0 < count) vkprim_Words2(target).at[index / 2] = bits[row].xy;
        if (index + 2 < count) vkprim_Words2(target).at[index / 2 + 1] = bits[row].zw;
    }
}
#else
// The same at any address: vectors at multiples of 16 bytes are stored, and their first words come from the previous invocation. The
// ends of a run are stored in single words.
void vkprim_run_store_unaligned(uvec2 target, uint count, uint run, uvec4 bits[VKPRIM_ROWS_PER_RUN]) {
    uint member = vkprim_invocation() % VKPRIM_TEAM, head = VKPRIM_VECTOR_WORDS - vkprim_address_shift(target); // words of this invocation's vector in the first of two
    vkprim_Words4 vectors = vkprim_Words4(uvec2(target.x & ~15u, target.y));
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) {
        uint index = vkprim_run_word(run, row);
        if (VKPRIM_RUNS_ADDRESSES == VKPRIM_RUNS_BY_WORDS) {
            vkprim_words_store_partial(target, index, count, bits[row]);
            continue;
        }
        uvec4 sent = row > 0 && member == VKPRIM_TEAM - 1 ? bits[max(row, 1) - 1] : bits[row];
        uvec4 before = VKPRIM_ELEMENT_BITS4(vkprim_team_shuffle(VKPRIM_ELEMENT_FROM_BITS4(sent), (member + VKPRIM_TEAM - 1) % VKPRIM_TEAM));
        if (count < VKPRIM_TILE_WORDS) {
            vkprim_words_store_partial(target, index, count, bits[row]);
            continue;
        }
        bool begins = member == 0 && row == 0, ends = member == VKPRIM_TEAM - 1 && row == VKPRIM_ROWS_PER_RUN - 1;
        if (!begins) vectors.at[index / VKPRIM_VECTOR_WORDS] = vkprim_words_shifted(before, bits[row], head);
        if (begins) vkprim_words_store_partial(target, index, index + head, bits[row]);
        if (ends && head < VKPRIM_VECTOR_WORDS) {
            vkprim_words_store_partial(target, index + head, index + VKPRIM_VECTOR_WORDS, vkprim_words_shifted(bits[row], bits[row], head));
        }
    }
}
#endif

#endif

// Loads this invocation's vectors of a run of a tile. Elements past the first `elements` of the array are read as the identity.
void vkprim_run_load(uvec2 input_address, uint tile, uint elements, uint run, out VKPRIM_MEMORY vectors[VKPRIM_ROWS_PER_RUN]) {
    uvec2 source = vkprim_address_of(input_address, tile, VKPRIM_TILE_BYTES);
    uint count = min(VKPRIM_TILE_ELEMENTS, elements - tile * VKPRIM_TILE_ELEMENTS);
#ifdef VKPRIM_ELEMENT_BY_ELEMENT
    vkprim_run_load_elements(source, tile, count, run, vectors);
#else
    if (VKPRIM_RUNS_ADDRESSES == VKPRIM_RUNS_ALIGNED) {
        vkprim_run_load_aligned(source, count * VKPRIM_MEMORY_WORDS, run, vectors);
    } else {
        vkprim_run_load_unaligned(source, count * VKPRIM_MEMORY_WORDS, run, vectors);
    }
#endif
}

// Stores those that exist.
void vkprim_run_store(uvec2 output_address, uint tile, uint elements, uint run, VKPRIM_MEMORY vectors[VKPRIM_ROWS_PER_RUN]) {
    uvec2 target = vkprim_address_of(output_address, tile, VKPRIM_TILE_ELEMENTS * VKPRIM_OUTPUT_BYTES);
    uint count = min(VKPRIM_TILE_ELEMENTS, elements - tile * VKPRIM_TILE_ELEMENTS);
#ifdef VKPRIM_ELEMENT_BY_ELEMENT
    vkprim_run_store_elements(target, tile, count, run, vectors);
#else
    if (VKPRIM_RUNS_ADDRESSES == VKPRIM_RUNS_ALIGNED) {
        vkprim_run_store_aligned(target, count * VKPRIM_MEMORY_WORDS, run, vectors);
    } else {
        vkprim_run_store_unaligned(target, count * VKPRIM_MEMORY_WORDS, run, vectors);
    }
#endif
}

#endif
