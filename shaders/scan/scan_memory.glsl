// How the runs of a tile of a scan (scan_tile.glsl) are loaded, prefetched (by shaders that look back), and stored: at once, or where
// registers are few, one row after the other. Then a tile is read twice: when its prefix is known, its elements are no longer in registers.
//
// Before including this file, a shader defines push.input_address, push.output_address, and element_count, all from the first tile on.
#ifndef SCAN_MEMORY_GLSL
#define SCAN_MEMORY_GLSL
#ifdef VKPRIM_ADAPTS
#include "scan_rows.glsl"

// Scans a run, and stores it with what comes before it, if `stores`. Returns its total.
Element scan_run_by_rows(uint tile, uint run, bool stores, Element run_before, Element block_before) {
    const uvec2 input_base = address_of(push.input_address, tile, TILE_BYTES);
    const uvec2 output_base = address_of(push.output_address, tile, TILE_ELEMENTS * OUTPUT_BYTES);
    const uint first = tile * TILE_ELEMENTS, row = (invocation() / TEAM * RUNS + run) * ROWS_PER_RUN;
    const Segment elements = Segment(input_base, first, min(TILE_ELEMENTS, element_count - first), 0);
    return scan_rows(elements, output_base, row, TEAM, ROWS_PER_RUN, stores, run_before, block_before);
}
#endif

void store_run_total(uint run, Element total) {
    if (invocation() % TEAM == run) run_totals[invocation() / TEAM * RUNS + run] = total;
}

// Loads a tile's vectors and scans its runs, each on its own. Where registers are few, only their totals are kept.
void load_tile(uint tile, out Vector rows[RUNS][ROWS_PER_RUN], out Element4 before[RUNS]) {
#ifdef VKPRIM_ADAPTS
    if (FEW_REGISTERS) {
        [[unroll]] for (uint run = 0; run < RUNS; ++run) {
            store_run_total(run, scan_run_by_rows(tile, run, false, element_identity(), element_identity()));
        }
        return;
    }
#endif
    Memory memory[RUNS][ROWS_PER_RUN];
    [[unroll]] for (uint run = 0; run < RUNS; ++run) run_load(push.input_address, tile, element_count, run, memory[run]);
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        store_run_total(run, scan_run(memory[run], rows[run], before[run]));
    }
}

#ifdef VKPRIM_LOOKBACK_GLSL
uint touch_tile(uint tile) {
#if defined(VKPRIM_HAS_LOAD) || defined(VKPRIM_STRIDED)
    return 0;
#else
    uvec2 address = address_of(push.input_address, tile, TILE_BYTES);
    if (INPUT_BYTES < 4) address.x &= ~3u;
    return touch(address, TILE_BYTES / 4);
#endif
}
#endif

// Stores a run, with what comes before its block added. It is in `rows`, with what comes before it in the block, unless registers are few.
void store_run(uint tile, uint run, Vector rows[ROWS_PER_RUN], Element run_before, Element block_before) {
#ifdef VKPRIM_ADAPTS
    if (FEW_REGISTERS) {
        scan_run_by_rows(tile, run, true, run_before, block_before);
        return;
    }
#endif
    Memory memory[ROWS_PER_RUN];
    [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) memory[row] = vector_to_memory(operate(vector_of(block_before), rows[row]));
    run_store(push.output_address, tile, element_count, run, memory);
}
#endif
