#version 460
// variants: elements x word32 | word64 VKPRIM_WORD64 | plain VKPRIM_NO_SUBGROUPS
//
// Scan in one dispatch. A workgroup scans one tile on its own, learns what comes before the tile by deterministic look-back
// (tile_loop.glsl), and adds that while storing.
//
// The order of operations: a block is a tree of pairs over eight runs; a run is four rows in sequence; a row is a tree of
// pairs over 32 vectors of four elements in sequence. In a tree, the left half's total is added in front of the right half
// (Sklansky 1960). A team of 32 invocations has VKPRIM_RUNS consecutive runs, so a tile is one block, or two. Elements of more than one
// word have fewer in a vector, so that it is 16 bytes, or one element where that has more than two words (runs.glsl).
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/tile.h>
#include "scan_push.h"
layout(constant_id = 8) const bool INCLUSIVE = false;
layout(constant_id = 9) const uint VKPRIM_RUNS = 2;         // of a team: 1 or 2
layout(constant_id = 10) const bool VKPRIM_ALIGNED = false; // input and output, to 16 bytes
layout(constant_id = 11) const uint VKPRIM_LOOP_AHEAD = 0;
layout(constant_id = 12) const uint FAN = VKPRIM_TILE_FAN;
layout(constant_id = 13) const uint VKPRIM_LOOP_RUNNING = 0;
layout(constant_id = 14) const uint VKPRIM_LOOKBACK_STAGE = 0;
layout(constant_id = 15) const bool VKPRIM_LOOKBACK_ONE_GROUP = false;
#define VKPRIM_LOOKBACK_HALVES (VKPRIM_RUNS == 1 && VKPRIM_REGISTER_WORDS <= 2) // of wide elements, all tiles are of one block
const uint VKPRIM_LOOKBACK_GROUP = FAN / VKPRIM_RUNS, VKPRIM_LOOKBACK_FAN = FAN;
const bool VKPRIM_LOOP_CROSSES = !VKPRIM_ALIGNED; // with whole vectors, an invocation stores to what it has loaded itself
#include <vkprim/glsl/detail/runs.glsl>
#include <vkprim/glsl/detail/tile_loop.glsl>

layout(push_constant) uniform Push {
    ScanPush push;
    VKPRIM_PARAMETERS_MEMBER
};
VKPRIM_DEFINE_PARAMETERS

shared VKPRIM_ELEMENT run_totals[VKPRIM_TEAMS * VKPRIM_RUNS];

uint element_count; // of this operation
VKPRIM_VECTOR rows[VKPRIM_RUNS][VKPRIM_ROWS]; // of this invocation: its vectors, and what becomes of them
VKPRIM_ELEMENT run_before[VKPRIM_RUNS];       // what comes before the run in its block
VKPRIM_ELEMENT first_block;                   // the total of the tile's first block

#if VKPRIM_VECTOR_WIDTH == 1
// Run `q` of this team on its own: of wide elements one row after the other, and none but what is needed for the output is kept, since
// registers are few. Returns the run's total.
VKPRIM_ELEMENT scan_run(uint q, VKPRIM_MEMORY memory[VKPRIM_ROWS]) {
    VKPRIM_ELEMENT rows_before = vkprim_element_identity();
    [[unroll]] for (uint r = 0; r < VKPRIM_ROWS; ++r) {
        VKPRIM_ELEMENT element = vkprim_vector_from_memory(memory[r], 0), total = element, before = vkprim_element_identity();
        [[unroll]] for (uint bit = 1; bit < VKPRIM_TEAM; bit <<= 1) {
            VKPRIM_ELEMENT sibling = vkprim_team_exchange(total, bit);
            if ((vkprim_invocation() & bit) != 0) before = vkprim_operate(sibling, before);
            total = vkprim_operate_pair(total, sibling, bit);
        }
        rows[q][r]  = vkprim_operate(rows_before, INCLUSIVE ? vkprim_operate(before, element) : before);
        rows_before = vkprim_operate(rows_before, total);
    }
    return rows_before;
}

// Adds to the elements of a run what comes before it in its block.
void place_run(uint q) {
    [[unroll]] for (uint r = 0; r < VKPRIM_ROWS; ++r) rows[q][r] = vkprim_operate(run_before[q], rows[q][r]);
}
#else
VKPRIM_ELEMENT4 vectors_before[VKPRIM_RUNS]; // what comes before each vector in its run

// Run `q` of this team on its own, from its vectors in memory; returns its total.
VKPRIM_ELEMENT scan_run(uint q, VKPRIM_MEMORY memory[4]) {
    VKPRIM_VECTOR vectors[4];
    [[unroll]] for (uint r = 0; r < 4; ++r) vectors[r] = vkprim_vector_scan(vkprim_vector_from_memory(memory[r], 0));
    VKPRIM_ELEMENT4 totals = VKPRIM_ELEMENT4(vkprim_vector_last(vectors[0]), vkprim_vector_last(vectors[1]),
                                             vkprim_vector_last(vectors[2]), vkprim_vector_last(vectors[3]));
    VKPRIM_ELEMENT4 before = vkprim_element4(vkprim_element_identity());
    [[unroll]] for (uint bit = 1; bit < VKPRIM_TEAM; bit <<= 1) {
        VKPRIM_ELEMENT4 sibling = vkprim_team_exchange(totals, bit);
        if ((vkprim_invocation() & bit) != 0) before = vkprim_operate(sibling, before);
        totals = vkprim_operate_pair(totals, sibling, bit);
    }
    before.y = vkprim_operate(totals.x, before.y);
    totals.y = vkprim_operate(totals.x, totals.y);
    before.z = vkprim_operate(totals.y, before.z);
    totals.z = vkprim_operate(totals.y, totals.z);
    before.w = vkprim_operate(totals.z, before.w);
    rows[q]           = vectors;
    vectors_before[q] = before;
    return vkprim_operate(totals.z, totals.w);
}

// Adds to the vectors of a run what comes before each in the block: before the run, and in it.
void place_run(uint q) {
    VKPRIM_ELEMENT4 before = vkprim_operate(vkprim_element4(run_before[q]), vectors_before[q]);
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        VKPRIM_VECTOR inner = INCLUSIVE ? rows[q][r] : vkprim_vector_shift(rows[q][r]);
        rows[q][r] = vkprim_operate(vkprim_vector_of(vkprim_element4_at(before, r)), inner);
    }
}
#endif

// From the totals of a tile's runs: the tile's total. Invocations 0 to 15 of every team hold a run each.
VKPRIM_ELEMENT scan_runs() {
    const uint RUNS_OF_BLOCK = VKPRIM_TILE_BLOCK / VKPRIM_TILE_RUN;
    VKPRIM_ELEMENT before = vkprim_element_identity(), total = run_totals[vkprim_invocation() % (VKPRIM_TEAMS * VKPRIM_RUNS)];
    [[unroll]] for (uint bit = 1; bit < RUNS_OF_BLOCK; bit <<= 1) {
        VKPRIM_ELEMENT sibling = vkprim_team_exchange(total, bit);
        if ((vkprim_invocation() & bit) != 0) before = vkprim_operate(sibling, before);
        total = vkprim_operate_pair(total, sibling, bit);
    }
    [[unroll]] for (uint q = 0; q < VKPRIM_RUNS; ++q) {
        run_before[q] = vkprim_team_shuffle(before, vkprim_invocation() / VKPRIM_TEAM * VKPRIM_RUNS + q);
    }
    first_block = vkprim_team_shuffle(total, 0);
    return VKPRIM_RUNS == 1 ? total : vkprim_operate_pair(total, vkprim_team_exchange(total, RUNS_OF_BLOCK), RUNS_OF_BLOCK);
}

void vkprim_hook_load(uint tile) {
    VKPRIM_MEMORY memory[VKPRIM_RUNS][VKPRIM_ROWS];
    [[unroll]] for (uint q = 0; q < VKPRIM_RUNS; ++q) vkprim_run_load(push.input_address, tile, element_count, q, memory[q]);
    [[unroll]] for (uint q = 0; q < VKPRIM_RUNS; ++q) {
        VKPRIM_ELEMENT total = scan_run(q, memory[q]);
        if (vkprim_invocation() % VKPRIM_TEAM == q) run_totals[vkprim_invocation() / VKPRIM_TEAM * VKPRIM_RUNS + q] = total;
    }
}

VKPRIM_ELEMENT vkprim_hook_aggregate() { return scan_runs(); }

void vkprim_hook_fetch(uint tile) {}

uint vkprim_hook_touch(uint tile) {
#ifdef VKPRIM_HAS_LOAD
    return 0;
#else
    return vkprim_touch(vkprim_address_of(push.input_address, tile, VKPRIM_TILE_BYTES), VKPRIM_TILE_BYTES / 4);
#endif
}

void vkprim_hook_place() {
    [[unroll]] for (uint q = 0; q < VKPRIM_RUNS; ++q) place_run(q);
}

void vkprim_hook_store(uint tile, VKPRIM_ELEMENT prefix) {
    if (VKPRIM_RUNS == 2 && vkprim_invocation() >= VKPRIM_WORKGROUP_SIZE / 2) prefix = vkprim_operate(prefix, first_block);
    [[unroll]] for (uint q = 0; q < VKPRIM_RUNS; ++q) {
        VKPRIM_MEMORY memory[VKPRIM_ROWS];
        [[unroll]] for (uint r = 0; r < VKPRIM_ROWS; ++r) memory[r] = vkprim_vector_to_memory(vkprim_operate(vkprim_vector_of(prefix), rows[q][r]));
        vkprim_run_store(push.output_address, tile, element_count, q, memory);
    }
}

void main() {
    element_count = vkprim_count_of(push.count, push.count_address, 0);
    uint tiles = element_count / VKPRIM_TILE_ELEMENTS + uint(element_count % VKPRIM_TILE_ELEMENTS != 0);
    vkprim_tile_loop(push.scratch, tiles, push.first + vkprim_workgroup_number());
}
