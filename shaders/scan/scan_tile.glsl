// The order of operations in a tile: a block is a tree of pairs over eight runs; a run is four rows in sequence; a row is a tree of pairs
// over 32 vectors; a vector is four elements in sequence. In a tree, the left half's total is added in front of the right half (Sklansky,
// "Conditional-Sum Addition Logic", 1960). A team of 32 invocations has VKPRIM_RUNS consecutive runs, so a tile is one block, or two. A vector
// is 16 bytes, so it has fewer elements of more than one word; it is one element if that has more than two words (runs.glsl).
//
// Before including this file, a shader defines INCLUSIVE, VKPRIM_RUNS, and run_totals, with a total for each run of the tile.
#ifndef SCAN_TILE_GLSL
#define SCAN_TILE_GLSL
#if VKPRIM_VECTOR_WIDTH == 1
// Scans a run of wide elements by itself, one row after the other. Since there are few registers, only what the output needs is kept.
// Returns the run's total.
VKPRIM_ELEMENT scan_run(VKPRIM_MEMORY memory[VKPRIM_ROWS_PER_RUN], out VKPRIM_VECTOR rows[VKPRIM_ROWS_PER_RUN], out VKPRIM_ELEMENT4) {
    VKPRIM_ELEMENT rows_before = vkprim_element_identity();
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) {
        VKPRIM_ELEMENT element = vkprim_vector_from_memory(memory[row], 0), total = element, before = vkprim_whole_team_scan(total);
        rows[row]     = vkprim_operate(rows_before, INCLUSIVE ? vkprim_operate(before, element) : before);
        rows_before = vkprim_operate(rows_before, total);
    }
    return rows_before;
}

// Adds the total before a run in its block to the run's elements.
void place_run(inout VKPRIM_VECTOR rows[VKPRIM_ROWS_PER_RUN], VKPRIM_ELEMENT run_before, VKPRIM_ELEMENT4) {
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) rows[row] = vkprim_operate(run_before, rows[row]);
}
#else
// Scans a run by itself, from its vectors in memory: inclusive scans of the vectors, the total before each in the run, and the run's total.
VKPRIM_ELEMENT scan_run(VKPRIM_MEMORY memory[VKPRIM_ROWS_PER_RUN], out VKPRIM_VECTOR rows[VKPRIM_ROWS_PER_RUN], out VKPRIM_ELEMENT4 before) {
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) rows[row] = vkprim_vector_scan(vkprim_vector_from_memory(memory[row], 0));
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

// Adds the total before each vector in the block to the vectors of a run: that before the run, and that in it.
void place_run(inout VKPRIM_VECTOR rows[VKPRIM_ROWS_PER_RUN], VKPRIM_ELEMENT run_before, VKPRIM_ELEMENT4 before) {
    before = vkprim_operate(vkprim_element4(run_before), before);
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) {
        VKPRIM_VECTOR inner = INCLUSIVE ? rows[row] : vkprim_vector_shift(rows[row]);
        rows[row] = vkprim_operate(vkprim_vector_of(vkprim_element4_at(before, row)), inner);
    }
}
#endif

// From the totals of a tile's runs: the tile's total, its first block's, and the total before each of this team's runs in its block.
// Invocations 0 to 15 of every team hold a run each.
VKPRIM_ELEMENT scan_runs(out VKPRIM_ELEMENT first_block, out VKPRIM_ELEMENT run_before[VKPRIM_RUNS]) {
    const uint RUNS_OF_BLOCK = VKPRIM_TILE_BLOCK / VKPRIM_TILE_RUN;
    VKPRIM_ELEMENT before = vkprim_element_identity(), total = run_totals[vkprim_invocation() % (VKPRIM_TEAMS * VKPRIM_RUNS)];
    [[unroll]] for (uint bit = 1; bit < RUNS_OF_BLOCK; bit <<= 1) {
        VKPRIM_ELEMENT sibling = vkprim_team_exchange(total, bit);
        if ((vkprim_invocation() & bit) != 0) before = vkprim_operate(sibling, before);
        total = vkprim_operate_pair(total, sibling, bit);
    }
    [[unroll]] for (uint run = 0; run < VKPRIM_RUNS; ++run) {
        run_before[run] = vkprim_team_shuffle(before, vkprim_invocation() / VKPRIM_TEAM * VKPRIM_RUNS + run);
    }
    first_block = vkprim_team_shuffle(total, 0);
    return VKPRIM_RUNS == 1 ? total : vkprim_operate_pair(total, vkprim_team_exchange(total, RUNS_OF_BLOCK), RUNS_OF_BLOCK);
}
#endif
