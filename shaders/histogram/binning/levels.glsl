// The bin between levels.

// Levels and samples as unsigned integers that compare in the same order.
SAMPLE place_of(SAMPLE bits) {
#ifdef SAMPLE_DOUBLE
    return order_of(bits);
#else
    if (IS_FLOAT) return order_of(bits == 0x80000000u ? 0 : bits);
    return bits - LOWER; // the type's least value
#endif
}

#ifdef SAMPLE_DOUBLE
SAMPLE level_in_memory(uint number) { return place_of(Words2(address_of(tables.levels_address, number, 8)).at[0]); }
#else
SAMPLE level_in_memory(uint number) { return place_of(Words(address_of(tables.levels_address, number, 4)).at[0]); }
bool is_less(uint a, uint b) { return a < b; }
#endif

// To be defined by the shader that includes this: one of CHANNEL_BINS + 1 levels, by place_of().
SAMPLE level(uint number);

// The last level that the sample is not below, found in a number of steps that does not depend on the table's content. To be called by whole
// subgroups: lavapipe loses what lanes did that were not in the loop.
uint bin_of_levels(SAMPLE bits) {
    SAMPLE place = place_of(bits);
    uint bin = 0;
    for (uint step = LEVEL_STEP; step > 0; step >>= 1) {
        uint next = min(bin + step, CHANNEL_BINS);
        if (!is_less(place, level(next))) bin = next;
    }
    return bin == CHANNEL_BINS || is_less(place, level(0)) ? NO_BIN : bin;
}
