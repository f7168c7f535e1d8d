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
layout(constant_id = SCAN_INCLUSIVE_ID) const bool INCLUSIVE = false;
layout(constant_id = SCAN_RUNS_ID) const uint VKPRIM_RUNS = 2;           // of a team: 1 or 2
layout(constant_id = SCAN_ALIGNED_ID) const bool VKPRIM_ALIGNED = false; // input and output, to 16 bytes
layout(constant_id = SCAN_AHEAD_ID) const uint VKPRIM_LOOP_AHEAD = 0;
layout(constant_id = SCAN_FAN_ID) const uint FAN = VKPRIM_TILE_FAN;
layout(constant_id = SCAN_RUNNING_ID) const uint VKPRIM_LOOP_RUNNING = 0;
layout(constant_id = SCAN_STAGE_ID) const uint VKPRIM_LOOKBACK_STAGE = 0;
layout(constant_id = SCAN_ONE_GROUP_ID) const bool VKPRIM_LOOKBACK_ONE_GROUP = false;
#define VKPRIM_LOOKBACK_HALVES (VKPRIM_RUNS == 1 && VKPRIM_REGISTER_WORDS <= 2) // of wide elements, all tiles are of one block
const uint VKPRIM_LOOKBACK_GROUP = FAN / VKPRIM_RUNS, VKPRIM_LOOKBACK_FAN = FAN;
const bool VKPRIM_LOOP_CROSSES = !VKPRIM_ALIGNED; // with whole vectors, an invocation stores to what it has loaded itself
#include <vkprim/glsl/detail/runs.glsl>
#include <vkprim/glsl/detail/lookback.glsl>

layout(push_constant) uniform Push {
    ScanPush push;
    VKPRIM_PARAMETERS_MEMBER
};
VKPRIM_DEFINE_PARAMETERS

shared VKPRIM_ELEMENT run_totals[VKPRIM_TEAMS * VKPRIM_RUNS];

uint element_count; // of this operation

#if VKPRIM_VECTOR_WIDTH == 1
// A run on its own: of wide elements one row after the other, and none but what is needed for the output is kept, since registers are few.
// Returns the run's total.
VKPRIM_ELEMENT scan_run(VKPRIM_MEMORY memory[VKPRIM_ROWS], out VKPRIM_VECTOR rows[VKPRIM_ROWS], out VKPRIM_ELEMENT4) {
    VKPRIM_ELEMENT rows_before = vkprim_element_identity();
    [[unroll]] for (uint r = 0; r < VKPRIM_ROWS; ++r) {
        VKPRIM_ELEMENT element = vkprim_vector_from_memory(memory[r], 0), total = element, before = vkprim_whole_team_scan(total);
        rows[r]     = vkprim_operate(rows_before, INCLUSIVE ? vkprim_operate(before, element) : before);
        rows_before = vkprim_operate(rows_before, total);
    }
    return rows_before;
}

// Adds to the elements of a run what comes before it in its block.
void place_run(inout VKPRIM_VECTOR rows[VKPRIM_ROWS], VKPRIM_ELEMENT run_before, VKPRIM_ELEMENT4) {
    [[unroll]] for (uint r = 0; r < VKPRIM_ROWS; ++r) rows[r] = vkprim_operate(run_before, rows[r]);
}
#else
// A run on its own, from its vectors in memory: inclusive scans of them, what comes before each in the run, and the run's total.
VKPRIM_ELEMENT scan_run(VKPRIM_MEMORY memory[4], out VKPRIM_VECTOR rows[4], out VKPRIM_ELEMENT4 before) {
    [[unroll]] for (uint r = 0; r < 4; ++r) rows[r] = vkprim_vector_scan(vkprim_vector_from_memory(memory[r], 0));
    VKPRIM_ELEMENT4 totals = VKPRIM_ELEMENT4(vkprim_vector_last(rows[0]), vkprim_vector_last(rows[1]), vkprim_vector_last(rows[2]),
                                             vkprim_vector_last(rows[3]));
    before = vkprim_whole_team_scan(totals);
    before.y = vkprim_operate(totals.x, before.y);
    totals.y = vkprim_operate(totals.x, totals.y);
    before.z = vkprim_operate(totals.y, before.z);
    totals.z = vkprim_operate(totals.y, totals.z);
    before.w = vkprim_operate(totals.z, before.w);
    return vkprim_operate(totals.z, totals.w);
}

// Adds to the vectors of a run what comes before each in the block: before the run, and in it.
void place_run(inout VKPRIM_VECTOR rows[4], VKPRIM_ELEMENT run_before, VKPRIM_ELEMENT4 before) {
    before = vkprim_operate(vkprim_element4(run_before), before);
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        VKPRIM_VECTOR inner = INCLUSIVE ? rows[r] : vkprim_vector_shift(rows[r]);
        rows[r] = vkprim_operate(vkprim_vector_of(vkprim_element4_at(before, r)), inner);
    }
}
#endif

// From the totals of a tile's runs: the tile's total, its first block's, and what comes before each of this team's runs in its block.
// Invocations 0 to 15 of every team hold a run each.
VKPRIM_ELEMENT scan_runs(out VKPRIM_ELEMENT first_block, out VKPRIM_ELEMENT run_before[VKPRIM_RUNS]) {
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

// Loads a tile's vectors and scans its runs, each on its own.
void load_tile(uint tile, out VKPRIM_VECTOR rows[VKPRIM_RUNS][VKPRIM_ROWS], out VKPRIM_ELEMENT4 before[VKPRIM_RUNS]) {
    VKPRIM_MEMORY memory[VKPRIM_RUNS][VKPRIM_ROWS];
    [[unroll]] for (uint q = 0; q < VKPRIM_RUNS; ++q) vkprim_run_load(push.input_address, tile, element_count, q, memory[q]);
    [[unroll]] for (uint q = 0; q < VKPRIM_RUNS; ++q) {
        VKPRIM_ELEMENT total = scan_run(memory[q], rows[q], before[q]);
        if (vkprim_invocation() % VKPRIM_TEAM == q) run_totals[vkprim_invocation() / VKPRIM_TEAM * VKPRIM_RUNS + q] = total;
    }
}

uint touch_tile(uint tile) {
#if defined(VKPRIM_HAS_LOAD) || defined(VKPRIM_STRIDED)
    return 0;
#else
    uvec2 address = vkprim_address_of(push.input_address, tile, VKPRIM_TILE_BYTES);
    if (VKPRIM_INPUT_BYTES < 4) address.x &= ~3u;
    return vkprim_touch(address, VKPRIM_TILE_BYTES / 4);
#endif
}

// Stores a run, with what comes before its block added.
void store_run(uint tile, uint q, VKPRIM_VECTOR rows[VKPRIM_ROWS], VKPRIM_ELEMENT block_before) {
    VKPRIM_MEMORY memory[VKPRIM_ROWS];
    [[unroll]] for (uint r = 0; r < VKPRIM_ROWS; ++r) memory[r] = vkprim_vector_to_memory(vkprim_operate(vkprim_vector_of(block_before), rows[r]));
    vkprim_run_store(push.output_address, tile, element_count, q, memory);
}

void main() {
    element_count = vkprim_count_of(push.count, push.count_address, 0);
    const uint tiles = element_count / VKPRIM_TILE_ELEMENTS + uint(element_count % VKPRIM_TILE_ELEMENTS != 0);
    const uint workgroup = push.first + vkprim_workgroup_number();
    const uvec2 scratch = push.scratch;
    VKPRIM_VECTOR rows[VKPRIM_RUNS][VKPRIM_ROWS]; // of this invocation: its vectors, and what becomes of them
    VKPRIM_ELEMENT4 before[VKPRIM_RUNS];          // what comes before each vector in its run; not of wide elements
    VKPRIM_ELEMENT run_before[VKPRIM_RUNS];       // what comes before the run in its block
    VKPRIM_ELEMENT first_block;                   // the total of the tile's first block
#define VKPRIM_HOOK_LOAD(tile) load_tile(tile, rows, before)
#define VKPRIM_HOOK_AGGREGATE(tile) scan_runs(first_block, run_before)
#define VKPRIM_HOOK_FETCH(tile)
#define VKPRIM_HOOK_TOUCH(tile) touch_tile(tile)
#define VKPRIM_HOOK_PLACE(tile) \
    [[unroll]] for (uint q = 0; q < VKPRIM_RUNS; ++q) place_run(rows[q], run_before[q], before[q])
#define VKPRIM_HOOK_STORE(tile, prefix) \
    if (VKPRIM_RUNS == 2 && vkprim_invocation() >= VKPRIM_WORKGROUP_SIZE / 2) prefix = vkprim_operate(prefix, first_block); \
    [[unroll]] for (uint q = 0; q < VKPRIM_RUNS; ++q) store_run(tile, q, rows[q], prefix)
#include <vkprim/glsl/detail/tile_loop.glsl>
}
