// Stores three outputs: elements below the range, inside of it, and all others.

// Stores the elements below, the kept ones, and those above, which are all others.
void store_three(uint tile, uvec2 prefix, uvec4 copies[RUNS][ROWS_PER_RUN], uint kept[RUNS], uvec2 befores[RUNS], uvec2 totals[RUNS],
                 uvec2 run_before[RUNS]) {
    uint masks[RUNS], mask_befores[RUNS], mask_totals[RUNS], mask_run_before[RUNS];
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        masks[run] = kept[run] >> 16;
        mask_befores[run] = befores[run].y;
        mask_totals[run] = totals[run].y;
        mask_run_before[run] = run_before[run].y;
    }
    output_address = several.rejected_output;
    store_output(COPY, tile, prefix.y, copies, masks, mask_befores, mask_totals, mask_run_before);
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        masks[run] |= kept[run] & 0xffff;
        mask_befores[run] += befores[run].x;
        mask_totals[run] += totals[run].x;
        mask_run_before[run] += run_before[run].x;
    }
    store_rejected(tile, prefix.x + prefix.y, copies, masks, mask_befores, mask_totals, mask_run_before);
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        masks[run] = kept[run] & 0xffff;
        mask_befores[run] = befores[run].x;
        mask_totals[run] = totals[run].x;
        mask_run_before[run] = run_before[run].x;
    }
    output_address = push.output_address;
    store_output(COPY, tile, prefix.x, copies, masks, mask_befores, mask_totals, mask_run_before);
}
