// Packs the kept elements of a few rows in shared memory, so that whole rows are stored.

// What goes to an output, COPY_..., for a vector with kept elements.
uvec4 load_copies(uint copy, uint tile, uint run, uint row, uvec4 keys, bool any) {
    uint index = element_index(run, row);
    if (copy == COPY_KEYS) return keys;
    if (copy == COPY_INDICES) return tile * TILE + index + uvec4(0, 1, 2, 3);
    if (!any) return uvec4(0);
    return load_words(address_of(push.elements_address, tile, TILE * 4), index, count_of_tile(tile));
}

// Keys that go to an output, once more.
uvec4 load_keys_again(uint tile, uint run, uint row) {
    uvec2 source = address_of(push.keys_address, tile, TILE * KEY_SIZE);
#ifdef LONG_KEYS
    return load_long_keys(source, element_index(run, row), count_of_tile(tile));
#else
    return load_words(source, element_index(run, row), count_of_tile(tile));
#endif
}

// From how many this invocation keeps in each row of a run, a byte each: how many are kept in the row before it; and in the rows.
COUNTS scan_rows(COUNTS counts, out COUNTS totals) {
    COUNTS before = COUNTS(0);
    totals = counts;
    [[unroll]] for (uint bit = 1; bit < TEAM; bit <<= 1) {
        COUNTS sibling = team_exchange(totals, bit);
        if ((invocation() & bit) != 0) before += sibling;
        totals += sibling;
    }
    return before;
}

COUNTS sum_of_bytes(COUNTS bytes) {
    bytes = (bytes & 0xff00ff) + (bytes >> 8 & 0xff00ff);
    return (bytes & 0xffff) + (bytes >> 16);
}

// From the totals of a tile's runs: the tile's total, and the number of kept elements before each of this team's runs. Invocations 0 to 15 of
// every team hold a run each.
COUNTS scan_runs(out COUNTS run_before[RUNS]) {
    COUNTS before = COUNTS(0), total = run_totals[invocation() % (TEAMS * RUNS)];
    [[unroll]] for (uint bit = 1; bit < TEAMS * RUNS; bit <<= 1) {
        COUNTS sibling = team_exchange(total, bit);
        if ((invocation() & bit) != 0) before += sibling;
        total += sibling;
    }
    [[unroll]] for (uint run = 0; run < RUNS; ++run) run_before[run] = team_shuffle(before, invocation() / TEAM * RUNS + run);
    return total;
}

// Stores the kept elements of `rows` rows of this team, from `first_row` on. The first kept element goes to output[target]. At most ROWS_AT_ONCE * ROW may
// be kept.
void store_rows(uint copy, uint tile, uint run, uint target, uint totals, uint befores, uint kept, uvec4 copies[ROWS_PER_RUN], uint first_row,
                uint rows) {
    const uint base = invocation() / TEAM * (ROWS_AT_ONCE * ROW_WORDS);
    uint total = 0;
    [[unroll]] for (uint i = 0; i < rows; ++i) {
        uint row = first_row + i, mask = kept >> MASK_BITS * row, at = base + total + (befores >> 8 * row & 0xff);
        if (FEW_REGISTERS) {
            copies[row] = copy == COPY_KEYS ? load_keys_again(tile, run, row) : load_copies(copy, tile, run, row, copies[row], (mask & 15) != 0);
        }
#ifdef LONG_KEYS
        at = base + (at - base) * copy_words;
        [[unroll]] for (uint i = 0; i < PER_VECTOR; ++i) {
            if ((mask >> i & 1) != 0) {
                staged[at] = copy_words == 2 ? copies[row][2 * i] : copies[row][i];
                if (copy_words == 2) staged[at + 1] = copies[row][2 * i + 1];
                at += copy_words;
            }
        }
#else
        [[unroll]] for (uint i = 0; i < PER_VECTOR; ++i) {
            if ((mask >> i & 1) != 0) staged[at++] = copies[row][i];
        }
#endif
        total += totals >> 8 * row & 0xff;
    }
    team_barrier();
#ifdef LONG_KEYS
    Words output_words = Words(address_of(output_address, target, 4 * copy_words));
    total *= copy_words;
#else
    Words output_words = Words(address_of(output_address, target, 4));
#endif
    [[unroll]] for (uint first = 0; first < ROWS_AT_ONCE * ROW_WORDS; first += TEAM) {
        uint i = first + invocation() % TEAM;
        if (i < total) output_words.at[i] = staged[base + i];
    }
    team_barrier();
}

// Stores the kept elements of a run. There are mostly few heads: if those of all four rows fit into the staging memory, for every run of the subgroup,
// they are stored at once. For other predicates that is slower (bench/NOTES.md).
void store_run(uint copy, uint tile, uint run, uint target, uint totals, uint befores, uint kept, uvec4 copies[ROWS_PER_RUN]) {
#ifndef THREE
    if (RUN_HEADS && SUBGROUP_SIZE >= TEAM && ROWS_AT_ONCE < ROWS_PER_RUN) {
        if (subgroup_all(sum_of_bytes(totals) <= ROWS_AT_ONCE * ROW)) {
            store_rows(copy, tile, run, target, totals, befores, kept, copies, 0, ROWS_PER_RUN);
            return;
        }
    }
#endif
    [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; row += ROWS_AT_ONCE) {
        store_rows(copy, tile, run, target, totals, befores, kept, copies, row, ROWS_AT_ONCE);
        [[unroll]] for (uint i = row; i < row + ROWS_AT_ONCE; ++i) target += totals >> 8 * i & 0xff;
    }
}
