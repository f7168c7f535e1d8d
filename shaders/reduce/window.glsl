// The window of exponents of a tile, and the slices in it.

// An element's exponent and what follows, without the sign; 0 of zeros alone.
#ifdef ELEMENT_F64
#define KEYS uvec2
KEYS keys_of(uvec4 bits) { return bits.yw << 1 | min(bits.xz, uvec2(1)); }
#else
#define KEYS uvec4
KEYS keys_of(uvec4 bits) { return bits << 1; }
#endif

// The window: the exponent of what is added for the first slice, and the keys that belong to it.
uint window_exponent = 0, window_bottom = 0, window_span = 0;

// Whether they are outside, which zeros are, too.
#define OUTSIDE(keys) greaterThanEqual(keys - window_bottom, KEYS(window_span))

#if defined(DOUBLES) || !defined(ELEMENT_F64)
// For all invocations, from the highest key of each.
void choose_window(uint key) {
    if (USES_SUBGROUPS) {
        [[unroll]] for (uint bit = 1; bit < SUBGROUP_SIZE; bit <<= 1) key = max(key, SUBGROUP_EXCHANGE(key, bit));
    }
    if (invocation() % SUBGROUP_SIZE == 0) atomicMax(highest_key, key);
    barrier();
    uint exponent = highest_key >> KEY_SHIFT;
    if (exponent == 0) exponent = EXPONENT_MASK / 2; // nothing there that could choose: that of 1
    // What the last slice leaves is no denormal, nor is its unit.
    const uint least = FRACTION_BITS + 1 + (SLICES - 1) * SLICE_BITS;
    // And what rounds up on the first slice is no infinity.
    window_exponent = clamp(exponent + SLACK + NO_SLICE, least, EXPONENT_MASK - 2);
    window_bottom = window_exponent - (SLICES - 1) * SLICE_BITS << KEY_SHIFT;
    window_span = (window_exponent - NO_SLICE + 1 << KEY_SHIFT) - window_bottom;
}

shared uvec2 team_totals[TEAMS][SLICES];

// Adds what invocation number xor `bit` has of each slice.
#define ADD_EXCHANGED(totals, bit)                                                        \
    {                                                                                     \
        [[unroll]] for (uint slice = 0; slice < SLICES; ++slice) {                        \
            totals[slice] = operate(totals[slice], team_exchange(totals[slice], bit));    \
        }                                                                                 \
    }

// 1.5 * 2^52, or 2^23, units of a slice.
#ifdef ELEMENT_F64
#define REALS dvec2
REALS reals_of(uvec4 bits) { return REALS(packDouble2x32(bits.xy), packDouble2x32(bits.zw)); }
uint upper_magic(uint slice) { return window_exponent - slice * SLICE_BITS << UPPER_BITS | 1 << UPPER_BITS - 1; }
double magic(uint slice) { return packDouble2x32(uvec2(0, upper_magic(slice))); }

#define SLICE_SUM uvec2
SLICE_SUM slice_add(SLICE_SUM sum, REALS moved) {
    return operate(operate(sum, unpackDouble2x32(moved.x)), unpackDouble2x32(moved.y));
}
// The sum of the integers alone, of so many.
uvec2 slice_total(SLICE_SUM sum, uint slice, uint added) { return uvec2(sum.x, sum.y - added * upper_magic(slice)); }
#else
#define REALS vec4
REALS reals_of(uvec4 bits) { return uintBitsToFloat(bits); }
uint upper_magic(uint slice) { return window_exponent - slice * SLICE_BITS << UPPER_BITS | 1 << UPPER_BITS - 1; }
float magic(uint slice) { return uintBitsToFloat(upper_magic(slice)); }

#define SLICE_SUM uint
SLICE_SUM slice_add(SLICE_SUM sum, REALS moved) {
    uvec4 bits = floatBitsToUint(moved);
    return sum + bits.x + bits.y + bits.z + bits.w;
}
uvec2 slice_total(SLICE_SUM sum, uint slice, uint added) {
    uint total = sum - added * upper_magic(slice);
    return uvec2(total, int(total) >> 31);
}
#endif
#endif
