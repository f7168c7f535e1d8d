// What the user's keep() says (vkprim/glsl/predicate.glsl).

// Calls keep() for the elements of a tile. The loop over rows is not unrolled: each copy of the call would compile the user's code again.
void load_tile(uint tile, out uvec4 keys[RUNS][ROWS_PER_RUN], out uint kept[RUNS], out uint befores[RUNS], out uint totals[RUNS]) {
    const uint count = count_of_tile(tile);
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        uint counts = 0;
        kept[run] = 0;
        for (uint row = 0; row < ROWS_PER_RUN; ++row) {
            uint index = element_index(run, row), mask = 0;
            [[unroll]] for (uint i = 0; i < PER_VECTOR; ++i) {
                if (index + i < count) mask |= uint(keep(tile * TILE + index + i)) << i;
            }
            kept[run] |= mask << MASK_BITS * row;
            counts |= bitCount(mask) << 8 * row;
        }
        befores[run] = scan_rows(counts, totals[run]);
        if (invocation() % TEAM == run) run_totals[invocation() / TEAM * RUNS + run] = sum_of_bytes(totals[run]);
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) keys[run][row] = uvec4(0);
    }
}
