#version 460
// variants: elements
//
// Scan of an array in chunks, as reduce-then-scan: the totals of a chunk's blocks, of its groups of 256 blocks, and of supergroups of 256
// groups; then each block's output. The prefix of a block is folded in the order of look-back (lookback.glsl), so it has the same bits:
// invocation i has number i of the pairs of blocks, of the groups and of the supergroups.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/tile.h>
#include "chunked_scan_push.h"
layout(constant_id = CHUNKED_SCAN_INCLUSIVE_ID) const bool INCLUSIVE = false;
layout(constant_id = CHUNKED_SCAN_ADDRESSES_ID) const uint VKPRIM_RUNS_ADDRESSES = VKPRIM_RUNS_ANYWHERE; // input and output
layout(constant_id = CHUNKED_SCAN_STAGE_ID) const uint STAGE = CHUNKED_SCAN_BLOCKS;
const uint VKPRIM_RUNS = 1; // a tile is one block
#include <vkprim/glsl/detail/runs.glsl>
#include "../names.glsl"

layout(push_constant) uniform Push { ChunkedScanPush push; };

shared Element run_totals[TEAMS];

uint element_count; // of the chunk

#include "../chunks/totals.glsl"
#include "../scan/scan_tile.glsl"
#include "../scan/scan_memory.glsl"

// What comes before a block of the chunk, in the whole array.
Element before_block(uint block) {
    const uint i = invocation(), group = push.first_group + block / CHUNKS_FAN, pairs = block % CHUNKS_FAN / 2;
    const uint begin = block - block % CHUNKS_FAN, supergroup = group / CHUNKS_FAN, groups = group % CHUNKS_FAN;
    Element before = operate(load_total(push.blocks, begin + 2 * i, i < pairs), load_total(push.blocks, begin + 2 * i + 1, i < pairs));
    before = operate(load_total(push.groups, group - groups + i, i < groups), before);
    before = operate(load_total(push.supergroups, i, i < supergroup), before);
    return operate(workgroup_reduce(before), load_total(push.blocks, max(block, 1) - 1, block % 2 == 1));
}

void main() {
    const uint workgroup = workgroup_number();
    if (workgroup >= push.workgroups) return;
    if (STAGE == CHUNKED_SCAN_GROUPS) {
        const Element total = fold_totals(push.input_address, workgroup, push.count);
        if (invocation() == 0) store_total(push.output_address, workgroup, total);
        return;
    }
    element_count = push.count;
    Vector rows[RUNS][ROWS_PER_RUN]; // of this invocation: its vectors, and what becomes of them
    Element4 before[RUNS];           // the total before each vector in its run
    Element run_before[RUNS];        // the total before the run in its block
    Element first_block;
    // Load: the vectors of a block, and scan each run on its own.
    load_tile(workgroup, rows, before);
    barrier_with_buffers(); // in place, an invocation may store where another one has loaded
    // Combine: the totals of the runs, and of all blocks before this one.
    const Element total = scan_runs(first_block, run_before);
    if (STAGE == CHUNKED_SCAN_BLOCKS) {
        if (invocation() == 0) store_total(push.blocks, workgroup, total);
        return;
    }
    const Element block_before = before_block(workgroup);
    if (!FEW_REGISTERS) place_run(rows[0], run_before[0], before[0]);
    // Store: each vector with all that is before it.
    store_run(workgroup, 0, rows[0], run_before[0], block_before);
}
