// Samples that have channels, weights or levels.

#define BIN_OF(value, number) bin_in_channel(value, (number) % CHANNELS)
#define COUNT_BIN(bin, weight) count_bin(bin, weight)
#define COUNT_VECTOR(words, base, vector, exists) count_vector(words, number_of(base, vector), exists)
#define FIRST_OF(words) sample_at(words, 0)

#include "binning/levels.glsl"

// Among the bins of all channels. Those of channels beyond the counted ones come after all of them.
uint bin_in_channel(SAMPLE bits, uint channel) {
    return min(channel * CHANNEL_BINS + (LEVEL_STEP > 0 ? bin_of_levels(bits) : bin_of(bits)), NO_BIN);
}

// Whether words hold whole pixels: then a channel has its places in them, and for one that is not counted nothing is done.
const bool PIXELS_IN_WORDS = PER_WORD % CHANNELS == 0 && !WEIGHTED;

// The place in the whole input of a vector's first sample. Of the input's first vector it may be below 0.
uint number_of(uvec2 base, uint vector) {
    const uint per_carry = SAMPLE_SIZE == 1 ? 0 : 0x80000000u / SAMPLE_SIZE * 2; // samples in 2^32 bytes, modulo 2^32
    uint borrow, low = usubBorrow(base.x, INPUT_ADDRESS.x, borrow);
    return low / SAMPLE_SIZE + (base.y - INPUT_ADDRESS.y - borrow) * per_carry + vector * PER_VECTOR + SKIPPED;
}

SAMPLE sample_at(uvec4 words, uint place) {
#ifdef SAMPLE_DOUBLE
    return place == 0 ? words.xy : words.zw;
#else
    return sample_of(words[place / PER_WORD], place % PER_WORD);
#endif
}

// Of sample `number`: its pixel's.
uint weight_of(uint number) {
    return WEIGHTED ? Words(address_of(WEIGHTS_ADDRESS, number / CHANNELS, 4)).at[0] : 1;
}

// Of the samples from `number` on, 4 or as many as there are in a vector.
uvec4 weights_from(uint number) {
    if (!WEIGHTED) return uvec4(1);
    if (CHANNELS == 1 && PER_VECTOR >= 4) {
        uvec2 address = address_of(WEIGHTS_ADDRESS, number, 4);
        if ((address.x & 15) == 0) return Words4(address).at[0];
    }
    uvec4 weights = uvec4(weight_of(number), weight_of(number + 1), 0, 0);
    if (PER_VECTOR > 2) weights.zw = uvec2(weight_of(number + 2), weight_of(number + 3));
    return weights;
}

// Counts the samples of a vector, or none of them; the first one is sample `number` of the input.
void count_vector(uvec4 words, uint number, bool exists) {
    uint phase = number % CHANNELS;
    // Rotated until channel 0 comes first, as it already does if the input begins at a whole word.
    if (PIXELS_IN_WORDS && phase != 0) words = words << phase * 8 * SAMPLE_SIZE | words >> 32 - phase * 8 * SAMPLE_SIZE;
    [[unroll]] for (uint first = 0; first < PER_VECTOR; first += 4) {
        uvec4 weights = exists ? weights_from(number + first) : uvec4(0);
        [[unroll]] for (uint s = 0; s < min(PER_VECTOR, 4); ++s) {
            uint channel = (first + s) % CHANNELS;
            if (PIXELS_IN_WORDS && channel * CHANNEL_BINS >= BINS) continue;
            if (!PIXELS_IN_WORDS) channel = min(channel + phase, channel + phase - CHANNELS); // what wraps around is larger
            uint bin = bin_in_channel(sample_at(words, first + s), channel);
            count_bin(exists ? bin : NO_BIN, WEIGHTED ? weights[s] : 1);
        }
    }
}

// The upper word of a weight as one of 64 bits.
uint weight_high(uint weight) { return WEIGHTS == 2 ? uint(int(weight) >> 31) : 0; }

uvec2 pair_sum(uvec2 a, uvec2 b) {
    uint carry, low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}
