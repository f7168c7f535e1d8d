#version 460
// variants: elements x word32 | word64 VKPRIM_WORD64 | plain VKPRIM_NO_SUBGROUPS
//
// Scan in one dispatch. A workgroup scans one tile on its own, learns what comes before the tile by deterministic look-back
// (lookback.glsl), and adds that while storing.
//
// The order of operations: a block is a tree of pairs over eight runs; a run is four rows in sequence; a row is a tree of
// pairs over 32 vectors of four elements in sequence. In a tree, the left half's total is added in front of the right half
// (Sklansky 1960). A team of 32 invocations has RUNS consecutive runs, so a tile is one block, or two. Elements of more than one word
// have fewer in a vector, so that it is always 16 bytes.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/tile.h>
#include "scan_push.h"
layout(constant_id = 8) const bool INCLUSIVE = false;
layout(constant_id = 9) const uint RUNS = 2;         // of a team: 1 or 2
layout(constant_id = 10) const bool ALIGNED = false; // input and output, to 16 bytes
layout(constant_id = 11) const uint AHEAD = 0;       // tiles from this one to the one that it prefetches; 0: none
layout(constant_id = 12) const uint FAN = VKPRIM_TILE_FAN;
layout(constant_id = 13) const uint RUNNING = 0;     // tiles that start all at once, which nobody need prefetch
layout(constant_id = 14) const uint VKPRIM_LOOKBACK_STAGE = 0;
layout(constant_id = 15) const bool VKPRIM_LOOKBACK_ONE_GROUP = false;
const bool VKPRIM_LOOKBACK_HALVES = RUNS == 1;
const uint VKPRIM_LOOKBACK_GROUP = FAN / RUNS, VKPRIM_LOOKBACK_FAN = FAN;
#include <vkprim/glsl/detail/lookback.glsl>

layout(push_constant) uniform Push { ScanPush push; };

const uint TILE = VKPRIM_TILE_BLOCK * RUNS, ROW = 4 * VKPRIM_TEAM; // words
const uint TILE_ELEMENTS = TILE / VKPRIM_MEMORY_WORDS;

shared VKPRIM_ELEMENT run_totals[VKPRIM_TEAMS * RUNS];

uint element_count; // of this operation

// Words.
uint count_of_tile(uint tile) { return min(TILE_ELEMENTS, element_count - tile * TILE_ELEMENTS) * VKPRIM_MEMORY_WORDS; }

// The word of the tile where this invocation's vector of row `r` of run `q` begins.
uint word_index(uint q, uint r) {
    return (vkprim_invocation() / VKPRIM_TEAM * RUNS + q) * VKPRIM_TILE_RUN + r * ROW + vkprim_invocation() % VKPRIM_TEAM * 4;
}

// This invocation's vectors in a run, one of each row; the identity where there are no elements.
void load_aligned(uvec2 source, uint count, uint q, out uvec4 bits[4]) {
    uint rest = count % 4;
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        uint index = word_index(q, r);
        bits[r] = vkprim_words_of_nothing();
        if (index + 4 <= count) bits[r] = vkprim_Words4(source).at[index / 4];
    }
    if (rest == 0) return;
    // By the invocation alone that stores it: in place, another's load would race with that store.
    uint place = count - rest - word_index(q, 0);
    if (place >= 4 * ROW || place % ROW != 0) return;
    uvec4 last = vkprim_words_load_partial(source, count - rest, count);
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        if (place == r * ROW) bits[r] = last;
    }
}

#if VKPRIM_MEMORY_WORDS == 2
// The same at any address of an element: one element at a time.
void load_unaligned(uvec2 source, uint count, uint q, out uvec4 bits[4]) {
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        uint index = word_index(q, r);
        bits[r] = vkprim_words_of_nothing();
        if (index + 0 < count) bits[r].xy = vkprim_Words2(source).at[index / 2];
        if (index + 2 < count) bits[r].zw = vkprim_Words2(source).at[index / 2 + 1];
    }
}
#else
// The same at any address: vectors at multiples of 16 bytes, of which the last words come from the invocation behind. At both ends
// of a tile only its own words are loaded: others may lie beyond the buffer, or, in place, be stored by a neighbour meanwhile.
void load_unaligned(uvec2 source, uint count, uint q, out uvec4 bits[4]) {
    uint lane = vkprim_invocation() % VKPRIM_TEAM, shift = vkprim_address_shift(source);
    vkprim_Words4 vectors = vkprim_Words4(uvec2(source.x & ~15u, source.y));
    uvec4 behind = uvec4(0); // the run, where a part of its last vector lies
    uint end = word_index(q, 4);
    if (count == TILE && lane == 0 && shift > 0) behind = vkprim_words_load_partial(source, end - shift, end);
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        uint index = word_index(q, r);
        if (count < TILE) {
            bits[r] = vkprim_words_load_partial(source, index, count);
        } else if (index == 0 && shift > 0) {
            bits[r] = vkprim_words_shifted_up(vkprim_words_load_partial(source, 0, 4 - shift), shift);
        } else {
            bits[r] = vectors.at[index / 4];
        }
    }
    if (count < TILE || shift == 0) return;
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        uvec4 sent = lane > 0 ? bits[r] : r < 3 ? bits[min(r, 2) + 1] : behind;
        uvec4 next = VKPRIM_ELEMENT_BITS4(vkprim_team_shuffle(VKPRIM_ELEMENT_FROM_BITS4(sent), (lane + 1) % VKPRIM_TEAM));
        bits[r] = vkprim_words_shifted(bits[r], next, shift);
    }
}
#endif

void load_run(uint tile, uint q, out uvec4 bits[4]) {
    uvec2 source = vkprim_address_of(push.input_address, tile, TILE * 4);
    if (ALIGNED) {
        load_aligned(source, count_of_tile(tile), q, bits);
    } else {
        load_unaligned(source, count_of_tile(tile), q, bits);
    }
}

// Stores a run's vectors, of which the first `count` elements of the tile exist.
void store_aligned(uvec2 target, uint count, uint q, uvec4 bits[4]) {
    uint rest = count % 4;
    uvec4 last;
    bool has_last = false;
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        uint index = word_index(q, r);
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
void store_unaligned(uvec2 target, uint count, uint q, uvec4 bits[4]) {
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        uint index = word_index(q, r);
        if (index + 0 < count) vkprim_Words2(target).at[index / 2] = bits[r].xy;
        if (index + 2 < count) vkprim_Words2(target).at[index / 2 + 1] = bits[r].zw;
    }
}
#else
// The same at any address: vectors at multiples of 16 bytes, of which the first words come from the invocation before. The ends
// of a run are stored in single words.
void store_unaligned(uvec2 target, uint count, uint q, uvec4 bits[4]) {
    uint lane = vkprim_invocation() % VKPRIM_TEAM, head = 4 - vkprim_address_shift(target); // words of this invocation's vector in the first of two
    vkprim_Words4 vectors = vkprim_Words4(uvec2(target.x & ~15u, target.y));
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        uint index = word_index(q, r);
        uvec4 sent = r > 0 && lane == VKPRIM_TEAM - 1 ? bits[max(r, 1) - 1] : bits[r];
        uvec4 before = VKPRIM_ELEMENT_BITS4(vkprim_team_shuffle(VKPRIM_ELEMENT_FROM_BITS4(sent), (lane + VKPRIM_TEAM - 1) % VKPRIM_TEAM));
        if (count < TILE) {
            vkprim_words_store_partial(target, index, count, bits[r]);
            continue;
        }
        bool begins = lane == 0 && r == 0, ends = lane == VKPRIM_TEAM - 1 && r == 3;
        if (!begins) vectors.at[index / 4] = vkprim_words_shifted(before, bits[r], head);
        if (begins) vkprim_words_store_partial(target, index, index + head, bits[r]);
        if (ends && head < 4) {
            vkprim_words_store_partial(target, index + head, index + 4, vkprim_words_shifted(bits[r], bits[r], head));
        }
    }
}
#endif

// Stores a run, with what comes before its block added.
void store_run(uint tile, uint q, VKPRIM_VECTOR rows[4], VKPRIM_ELEMENT block_before) {
    uvec4 bits[4];
    [[unroll]] for (uint r = 0; r < 4; ++r) bits[r] = vkprim_vector_to_memory(vkprim_operate(vkprim_vector_of(block_before), rows[r]));
    uvec2 target = vkprim_address_of(push.output_address, tile, TILE * 4);
    if (ALIGNED) {
        store_aligned(target, count_of_tile(tile), q, bits);
    } else {
        store_unaligned(target, count_of_tile(tile), q, bits);
    }
}

// A run on its own: inclusive scans of this invocation's vectors, what comes before each in the run, and the run's total.
VKPRIM_ELEMENT scan_run(uvec4 bits[4], out VKPRIM_VECTOR rows[4], out VKPRIM_ELEMENT4 before) {
    [[unroll]] for (uint r = 0; r < 4; ++r) rows[r] = vkprim_vector_scan(vkprim_vector_from_memory(bits[r], 0));
    VKPRIM_ELEMENT4 totals = VKPRIM_ELEMENT4(vkprim_vector_last(rows[0]), vkprim_vector_last(rows[1]), vkprim_vector_last(rows[2]),
                                             vkprim_vector_last(rows[3]));
    before = vkprim_element4(vkprim_element_identity());
    [[unroll]] for (uint bit = 1; bit < VKPRIM_TEAM; bit <<= 1) {
        VKPRIM_ELEMENT4 sibling = vkprim_team_exchange(totals, bit);
        if ((vkprim_invocation() & bit) != 0) before = vkprim_operate(sibling, before);
        totals = vkprim_operate(totals, sibling);
    }
    before.y = vkprim_operate(totals.x, before.y);
    totals.y = vkprim_operate(totals.x, totals.y);
    before.z = vkprim_operate(totals.y, before.z);
    totals.z = vkprim_operate(totals.y, totals.z);
    before.w = vkprim_operate(totals.z, before.w);
    return vkprim_operate(totals.z, totals.w);
}

// From the totals of a tile's runs: the tile's total, its first block's, and what comes before each of this team's runs in its
// block. Invocations 0 to 15 of every team hold a run each.
VKPRIM_ELEMENT scan_runs(out VKPRIM_ELEMENT first_block, out VKPRIM_ELEMENT before_run[RUNS]) {
    const uint BLOCK_RUNS = VKPRIM_TILE_BLOCK / VKPRIM_TILE_RUN;
    VKPRIM_ELEMENT before = vkprim_element_identity(), total = run_totals[vkprim_invocation() % (VKPRIM_TEAMS * RUNS)];
    [[unroll]] for (uint bit = 1; bit < BLOCK_RUNS; bit <<= 1) {
        VKPRIM_ELEMENT sibling = vkprim_team_exchange(total, bit);
        if ((vkprim_invocation() & bit) != 0) before = vkprim_operate(sibling, before);
        total = vkprim_operate(total, sibling);
    }
    [[unroll]] for (uint q = 0; q < RUNS; ++q) before_run[q] = vkprim_team_shuffle(before, vkprim_invocation() / VKPRIM_TEAM * RUNS + q);
    first_block = vkprim_team_shuffle(total, 0);
    return RUNS == 1 ? total : vkprim_operate(total, vkprim_team_exchange(total, BLOCK_RUNS));
}

// Adds to the vectors of a run what comes before each in the block: before the run, and in it.
void place_run(inout VKPRIM_VECTOR rows[4], VKPRIM_ELEMENT run_before, VKPRIM_ELEMENT4 before) {
    before = vkprim_operate(vkprim_element4(run_before), before);
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        VKPRIM_VECTOR inner = INCLUSIVE ? rows[r] : vkprim_vector_shift(rows[r]);
        rows[r] = vkprim_operate(vkprim_vector_of(vkprim_element4_at(before, r)), inner);
    }
}

// Brings the input of a tile that is about to start into the cache, so that memory has work while this workgroup waits. What
// it returns must be used, or the compiler drops the loads.
uint prefetch_tile(vkprim_Lookback lookback, uint tile) {
    const uint SECTOR = 8; // words that come with the one that is touched
    uint touched = 0;
    if (AHEAD == 0 || tile < RUNNING || tile + 1 >= lookback.tiles) return touched;
    vkprim_Words source = vkprim_Words(vkprim_address_of(push.input_address, tile, TILE * 4));
    [[unroll]] for (uint first = 0; first < TILE; first += VKPRIM_WORKGROUP_SIZE * SECTOR) {
        touched |= source.at[first + vkprim_invocation() * SECTOR];
    }
    return touched;
}

void main() {
    const uint workgroup = push.first + vkprim_workgroup_number();
    element_count = vkprim_count_of(push.count, push.count_address, 0);
    uint tiles = element_count / TILE_ELEMENTS + uint(element_count % TILE_ELEMENTS != 0);
    const bool CLOSES = VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_GROUPS || VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_SUPERS;
    if (workgroup >= (CLOSES ? vkprim_lookback_closed(max(tiles, 1), VKPRIM_LOOKBACK_STAGE - 1) : tiles)) return;

    vkprim_Lookback lookback = vkprim_lookback_begin(push.scratch, tiles, workgroup);
    if (CLOSES) {
        vkprim_lookback_close(lookback, VKPRIM_LOOKBACK_STAGE - 1, workgroup);
        return;
    }
    const uint own = vkprim_lookback_tile(lookback);
    VKPRIM_VECTOR rows[RUNS][4];
    VKPRIM_ELEMENT prefix, first_block;
    uint touched = 0;
    bool is_first_pass = true;
    for (uint tile = own;; tile = vkprim_lookback_missing(lookback, own)) {
        uvec4 bits[RUNS][4];
        VKPRIM_ELEMENT4 before[RUNS];
        VKPRIM_ELEMENT before_run[RUNS];
        [[unroll]] for (uint q = 0; q < RUNS; ++q) load_run(tile, q, bits[q]);
        [[unroll]] for (uint q = 0; q < RUNS; ++q) {
            VKPRIM_ELEMENT total = scan_run(bits[q], rows[q], before[q]);
            if (vkprim_invocation() % VKPRIM_TEAM == q) run_totals[vkprim_invocation() / VKPRIM_TEAM * RUNS + q] = total;
        }
        vkprim_lookback_arrived(lookback, tile, is_first_pass);
        // In place at any address, an invocation stores words that another one has loaded; with whole vectors, its own.
        if (ALIGNED) barrier();
        else vkprim_barrier_with_buffers();
        vkprim_lookback_publish(lookback, tile, is_first_pass, scan_runs(first_block, before_run));
        if (VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_TILES) return;
        touched = prefetch_tile(lookback, tile + AHEAD);
        [[unroll]] for (uint q = 0; q < RUNS; ++q) place_run(rows[q], before_run[q], before[q]);
        if (vkprim_lookback_prefix(lookback, tile, is_first_pass, prefix) && tile == own) break;
        is_first_pass = false;
    }
    if (RUNS == 2 && vkprim_invocation() >= VKPRIM_WORKGROUP_SIZE / 2) prefix = vkprim_operate(prefix, first_block);
    [[unroll]] for (uint q = 0; q < RUNS; ++q) store_run(own, q, rows[q], prefix);
    // All reads of it lie before look-back's barriers, so this is harmless; but a use of what was touched.
    if (AHEAD > 0 && touched == 0x9e3779b9) run_totals[0] = vkprim_element_identity();
}
