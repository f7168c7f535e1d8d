// The order of operations in a tile: a block is a tree of pairs over eight runs; a run is four rows in sequence; a row is a tree of pairs
// over 32 vectors; a vector is four elements in sequence. In a tree, the left half's total is added in front of the right half (Sklansky,
// "Conditional-Sum Addition Logic", 1960). A team of 32 invocations has RUNS consecutive runs, so a tile is one block, or two. A vector
// is 16 bytes, so it has fewer elements of more than one word; it is one element if that has more than two words (runs.glsl).
//
// Before including this file, a shader defines INCLUSIVE, RUNS, and run_totals, with a total for each run of the tile.
#ifndef SCAN_TILE_GLSL
#define SCAN_TILE_GLSL
#if VECTOR_WIDTH == 1
// Scans a run of wide elements by itself, one row after the other. Since there are few registers, only what the output needs is kept.
// Returns the run's total.
Element scan_run(Memory memory[ROWS_PER_RUN], out Vector rows[ROWS_PER_RUN], out Element4) {
    Element rows_before = element_identity();
    [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) {
        Element element = vector_from_memory(memory[row], 0), total = element, before = whole_team_scan(total);
        rows[row]     = operate(rows_before, INCLUSIVE ? operate(before, element) : before);
        rows_before = operate(rows_before, total);
    }
    return rows_before;
}

// Adds the total before a run in its block to the run's elements.
void place_run(inout Vector rows[ROWS_PER_RUN], Element run_before, Element4) {
    [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) rows[row] = operate(run_before, rows[row]);
}
#else
// Scans a run by itself, from its vectors in memory: inclusive scans of the vectors, the total before each in the run, and the run's total.
Element scan_run(Memory memory[ROWS_PER_RUN], out Vector rows[ROWS_PER_RUN], out Element4 before) {
    [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) rows[row] = vector_scan(vector_from_memory(memory[row], 0));
    Element4 totals = Element4(vector_last(rows[0]), vector_last(rows[1]), vector_last(rows[2]), vector_last(rows[3]));
    before = whole_team_scan(totals);
    before.y = operate(totals.x, before.y);
    totals.y = operate(totals.x, totals.y);
    before.z = operate(totals.y, before.z);
    totals.z = operate(totals.y, totals.z);
    before.w = operate(totals.z, before.w);
    return operate(totals.z, totals.w);
}

// Adds the total before each vector in the block to the vectors of a run: that before the run, and that in it.
void place_run(inout Vector rows[ROWS_PER_RUN], Element run_before, Element4 before) {
    before = operate(element4(run_before), before);
    [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) {
        Vector inner = INCLUSIVE ? rows[row] : vector_shift(rows[row]);
        rows[row] = operate(vector_of(element4_at(before, row)), inner);
    }
}
#endif

// From the totals of a tile's runs: the tile's total, its first block's, and the total before each of this team's runs in its block.
// Invocations 0 to 15 of every team hold a run each.
Element scan_runs(out Element first_block, out Element run_before[RUNS]) {
    const uint RUNS_OF_BLOCK = TILE_BLOCK / TILE_RUN;
    Element before = element_identity(), total = run_totals[invocation() % (TEAMS * RUNS)];
    [[unroll]] for (uint bit = 1; bit < RUNS_OF_BLOCK; bit <<= 1) {
        Element sibling = team_exchange(total, bit);
        if ((invocation() & bit) != 0) before = operate(sibling, before);
        total = operate_pair(total, sibling, bit);
    }
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        run_before[run] = team_shuffle(before, invocation() / TEAM * RUNS + run);
    }
    first_block = team_shuffle(total, 0);
    return RUNS == 1 ? total : operate_pair(total, team_exchange(total, RUNS_OF_BLOCK), RUNS_OF_BLOCK);
}
#endif
