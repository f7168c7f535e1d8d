// Stores the outputs one after the other: kept elements, rejected ones, indices.

void store_output(uint copy, uint tile, uint prefix, uvec4 copies[RUNS][ROWS_PER_RUN], uint kept[RUNS], uint befores[RUNS], uint totals[RUNS], uint run_before[RUNS]) {
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        store_run(copy, tile, run, prefix + run_before[run], totals[run], befores[run], kept[run], copies[run]);
    }
}

// Stores the rejected elements. The number of rejected elements before a place is the number of all elements before it, less the kept ones.
void store_rejected(uint tile, uint prefix, uvec4 copies[RUNS][ROWS_PER_RUN], uint kept[RUNS], uint befores[RUNS], uint totals[RUNS],
                    uint run_before[RUNS]) {
    const uint count = count_of_tile(tile);
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        uint begin = element_index(run, 0) - invocation() % TEAM * PER_VECTOR, all = 0, all_before = 0, all_in_rows = 0;
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) {
            uint in_row = min(count - min(count, begin + row * ROW), ROW), before = min(invocation() % TEAM * PER_VECTOR, in_row);
            all |= (1u << min(in_row - before, PER_VECTOR)) - 1 << MASK_BITS * row;
            all_before |= before << 8 * row;
            all_in_rows |= in_row << 8 * row;
        }
        kept[run] ^= all;
        befores[run] = all_before - befores[run];
        totals[run] = all_in_rows - totals[run];
        run_before[run] = min(begin, count) - run_before[run];
    }
#ifdef THREE
    output_address = three.above_output;
#else
    output_address = several.rejected_output;
#endif
    store_output(COPY, tile, tile * TILE - prefix, copies, kept, befores, totals, run_before);
}

#ifdef THREE
#include "three.glsl"
#else
void store_outputs(uint tile, uint prefix, uvec4 copies[RUNS][ROWS_PER_RUN], uint kept[RUNS], uint befores[RUNS], uint totals[RUNS],
                   uint run_before[RUNS]) {
    output_address = push.output_address;
#ifdef LONG_KEYS
    copy_words = COPY == COPY_KEYS ? 2 : 1;
#endif
    store_output(COPY, tile, prefix, copies, kept, befores, totals, run_before);
    if (ALSO_REJECTED) store_rejected(tile, prefix, copies, kept, befores, totals, run_before);
    if (!ALSO_INDICES) return;
    output_address = several.indices_output;
#ifdef LONG_KEYS
    copy_words = 1;
#endif
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) copies[run][row] = tile * TILE + element_index(run, row) + uvec4(0, 1, 2, 3);
    }
    store_output(COPY_INDICES, tile, prefix, copies, kept, befores, totals, run_before);
}
#endif
