// How the runs of a tile of a scan (scan_tile.glsl) are loaded, prefetched (by shaders that look back), and stored: at once, or where
// registers are few, one row after the other. Then a tile is read twice: when its prefix is known, its elements are no longer in registers.
//
// Before including this file, a shader defines push.input_address, push.output_address, and element_count, all from the first tile on.
#ifndef SCAN_MEMORY_GLSL
#define SCAN_MEMORY_GLSL
#ifdef VKPRIM_ADAPTS
#include "scan_rows.glsl"

// Scans a run, and stores it with what comes before it, if `stores`. Returns its total.
VKPRIM_ELEMENT scan_run_by_rows(uint tile, uint run, bool stores, VKPRIM_ELEMENT run_before, VKPRIM_ELEMENT block_before) {
    const uvec2 input_base = vkprim_address_of(push.input_address, tile, VKPRIM_TILE_BYTES);
    const uvec2 output_base = vkprim_address_of(push.output_address, tile, VKPRIM_TILE_ELEMENTS * VKPRIM_OUTPUT_BYTES);
    const uint first = tile * VKPRIM_TILE_ELEMENTS, row = (vkprim_invocation() / VKPRIM_TEAM * VKPRIM_RUNS + run) * VKPRIM_ROWS_PER_RUN;
    const Segment elements = Segment(input_base, first, min(VKPRIM_TILE_ELEMENTS, element_count - first), 0);
    return scan_rows(elements, output_base, row, VKPRIM_TEAM, VKPRIM_ROWS_PER_RUN, stores, run_before, block_before);
}
#endif

void store_run_total(uint run, VKPRIM_ELEMENT total) {
    if (vkprim_invocation() % VKPRIM_TEAM == run) run_totals[vkprim_invocation() / VKPRIM_TEAM * VKPRIM_RUNS + run] = total;
}

// Loads a tile's vectors and scans its runs, each on its own. Where registers are few, only their totals are kept.
void load_tile(uint tile, out VKPRIM_VECTOR rows[VKPRIM_RUNS][VKPRIM_ROWS_PER_RUN], out VKPRIM_ELEMENT4 before[VKPRIM_RUNS]) {
#ifdef VKPRIM_ADAPTS
    if (VKPRIM_FEW_REGISTERS) {
        [[unroll]] for (uint run = 0; run < VKPRIM_RUNS; ++run) {
            store_run_total(run, scan_run_by_rows(tile, run, false, vkprim_element_identity(), vkprim_element_identity()));
        }
        return;
    }
#endif
    VKPRIM_MEMORY memory[VKPRIM_RUNS][VKPRIM_ROWS_PER_RUN];
    [[unroll]] for (uint run = 0; run < VKPRIM_RUNS; ++run) vkprim_run_load(push.input_address, tile, element_count, run, memory[run]);
    [[unroll]] for (uint run = 0; run < VKPRIM_RUNS; ++run) {
        store_run_total(run, scan_run(memory[run], rows[run], before[run]));
    }
}

#ifdef VKPRIM_LOOKBACK_GLSL
uint touch_tile(uint tile) {
#if defined(VKPRIM_HAS_LOAD) || defined(VKPRIM_STRIDED)
    return 0;
#else
    uvec2 address = vkprim_address_of(push.input_address, tile, VKPRIM_TILE_BYTES);
    if (VKPRIM_INPUT_BYTES < 4) address.x &= ~3u;
    return vkprim_touch(address, VKPRIM_TILE_BYTES / 4);
#endif
}
#endif

// Stores a run, with what comes before its block added. It is in `rows`, with what comes before it in the block, unless registers are few.
void store_run(uint tile, uint run, VKPRIM_VECTOR rows[VKPRIM_ROWS_PER_RUN], VKPRIM_ELEMENT run_before, VKPRIM_ELEMENT block_before) {
#ifdef VKPRIM_ADAPTS
    if (VKPRIM_FEW_REGISTERS) {
        scan_run_by_rows(tile, run, true, run_before, block_before);
        return;
    }
#endif
    VKPRIM_MEMORY memory[VKPRIM_ROWS_PER_RUN];
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) memory[row] = vkprim_vector_to_memory(vkprim_operate(vkprim_vector_of(block_before), rows[row]));
    vkprim_run_store(push.output_address, tile, element_count, run, memory);
}
#endif
