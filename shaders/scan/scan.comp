#version 460
// variants: elements
//
// Scan in one dispatch. A workgroup scans one tile, gets the prefix of the tile by deterministic look-back (tile_loop.glsl), and adds it
// while storing. scan_tile.glsl describes the order of operations.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/tile.h>
#include "scan_push.h"
layout(constant_id = SCAN_INCLUSIVE_ID) const bool INCLUSIVE = false;
layout(constant_id = SCAN_BLOCKS_ID) const uint VKPRIM_RUNS = 2;         // of a team, as many as a tile has blocks: 1 or 2
layout(constant_id = SCAN_ADDRESSES_ID) const uint VKPRIM_RUNS_ADDRESSES = VKPRIM_RUNS_ANYWHERE; // input and output
layout(constant_id = SCAN_PREFETCH_DISTANCE_ID) const uint VKPRIM_LOOP_PREFETCH_DISTANCE = 0;
layout(constant_id = SCAN_FAN_ID) const uint FAN = VKPRIM_TILE_FAN;
layout(constant_id = SCAN_FIRST_WAVE_TILES_ID) const uint VKPRIM_LOOP_FIRST_WAVE_TILES = 0;
layout(constant_id = SCAN_STAGE_ID) const uint VKPRIM_LOOKBACK_STAGE = 0;
layout(constant_id = SCAN_ONE_GROUP_ID) const bool VKPRIM_LOOKBACK_ONE_GROUP = false;
#define VKPRIM_LOOKBACK_HALVES (VKPRIM_RUNS == 1 && VKPRIM_REGISTER_WORDS <= 2) // of wide elements, all tiles are of one block
const uint VKPRIM_LOOKBACK_GROUP = FAN / VKPRIM_RUNS, VKPRIM_LOOKBACK_FAN = FAN;
const bool VKPRIM_LOOP_CROSSES = VKPRIM_RUNS_ADDRESSES == VKPRIM_RUNS_ANYWHERE; // otherwise an invocation stores only where it has loaded itself
#include <vkprim/glsl/detail/runs.glsl>
#include <vkprim/glsl/detail/lookback.glsl>
#include "../names.glsl"

layout(push_constant) uniform Push {
    ScanPush push;
    VKPRIM_PARAMETERS_MEMBER
};
VKPRIM_DEFINE_PARAMETERS

shared Element run_totals[TEAMS * RUNS];

uint element_count; // of this operation

#include "scan_tile.glsl"
#include "scan_memory.glsl"

void main() {
    element_count = count_of(push.count, push.count_address, 0);
    const uint tiles = element_count / TILE_ELEMENTS + uint(element_count % TILE_ELEMENTS != 0);
    const uint workgroup = push.first + workgroup_number();
    const uvec2 scratch = push.scratch;
    Vector rows[RUNS][ROWS_PER_RUN]; // of this invocation: its vectors, and what becomes of them
    Element4 before[RUNS];           // the total before each vector in its run; not for wide elements
    Element run_before[RUNS];        // the total before the run in its block
    Element first_block;             // the total of the tile's first block
    // Load: the vectors of a tile, and scan each run on its own.
#define VKPRIM_HOOK_LOAD(tile) load_tile(tile, rows, before)
    // Combine: the totals of the runs; while others publish, what is before each vector in its block.
#define VKPRIM_HOOK_AGGREGATE(tile) scan_runs(first_block, run_before)
#define VKPRIM_HOOK_FETCH(tile)
#define VKPRIM_HOOK_TOUCH(tile) touch_tile(tile)
#define VKPRIM_HOOK_PLACE(tile) \
    if (!FEW_REGISTERS) { \
        [[unroll]] for (uint run = 0; run < RUNS; ++run) place_run(rows[run], run_before[run], before[run]); \
    }
    // Store: each vector with the `prefix` of all tiles before.
#define VKPRIM_HOOK_STORE(tile, prefix) \
    if (RUNS == 2 && invocation() >= WORKGROUP_SIZE / 2) prefix = operate(prefix, first_block); \
    [[unroll]] for (uint run = 0; run < RUNS; ++run) store_run(tile, run, rows[run], run_before[run], prefix)
#include <vkprim/glsl/detail/tile_loop.glsl>
}
