// How the runs of a tile of a scan (scan_tile.glsl) are loaded, prefetched (by shaders that look back), and stored.
//
// Before including this file, a shader defines push.input_address, push.output_address, and element_count, all from the first tile on.
#ifndef SCAN_MEMORY_GLSL
#define SCAN_MEMORY_GLSL

// Loads a tile's vectors and scans its runs, each on its own.
void load_tile(uint tile, out VKPRIM_VECTOR rows[VKPRIM_RUNS][VKPRIM_ROWS_PER_RUN], out VKPRIM_ELEMENT4 before[VKPRIM_RUNS]) {
    VKPRIM_MEMORY memory[VKPRIM_RUNS][VKPRIM_ROWS_PER_RUN];
    [[unroll]] for (uint run = 0; run < VKPRIM_RUNS; ++run) vkprim_run_load(push.input_address, tile, element_count, run, memory[run]);
    [[unroll]] for (uint run = 0; run < VKPRIM_RUNS; ++run) {
        VKPRIM_ELEMENT total = scan_run(memory[run], rows[run], before[run]);
        if (vkprim_invocation() % VKPRIM_TEAM == run) run_totals[vkprim_invocation() / VKPRIM_TEAM * VKPRIM_RUNS + run] = total;
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

// Stores a run, with what comes before its block added.
void store_run(uint tile, uint run, VKPRIM_VECTOR rows[VKPRIM_ROWS_PER_RUN], VKPRIM_ELEMENT block_before) {
    VKPRIM_MEMORY memory[VKPRIM_ROWS_PER_RUN];
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) memory[row] = vkprim_vector_to_memory(vkprim_operate(vkprim_vector_of(block_before), rows[row]));
    vkprim_run_store(push.output_address, tile, element_count, run, memory);
}
#endif
