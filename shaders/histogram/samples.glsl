// Samples and their bins, for all methods of counting.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/count.glsl>
#include "histogram_push.h"

layout(constant_id = HISTOGRAM_BINS_ID) const uint BINS = 256;
layout(constant_id = HISTOGRAM_COPIES_ID) const uint COPIES = 1;
layout(constant_id = HISTOGRAM_LOWER_ID) const uint LOWER = 0;             // of the range: an integer, or a float's signed_order_of()
layout(constant_id = HISTOGRAM_LAST_ID) const uint LAST = 255;             // the largest offset from LOWER that is counted
layout(constant_id = HISTOGRAM_SCALE_WHOLE_ID) const uint SCALE_WHOLE = 1; // integers: bins per unit, whole part; floats: bits of lower
layout(constant_id = HISTOGRAM_SCALE_HIGH_ID) const uint SCALE_HIGH = 0;   // integers: its fraction in units of 2^-32; floats: bits of bins per unit
layout(constant_id = HISTOGRAM_SCALE_LOW_ID) const uint SCALE_LOW = 0;     // integers: its fraction in units of 2^-64, rounded up
layout(constant_id = HISTOGRAM_VECTORS_ID) const uint VECTORS = 4;         // of 16 bytes, that each invocation loads before it counts the first
layout(constant_id = HISTOGRAM_GATHERS_ID) const bool GATHERS = false;     // many bins: a subgroup adds up what equals its first sample
layout(constant_id = HISTOGRAM_RANGE_ID) const uint RANGE = 24448;         // bins that a workgroup counts, an even number
layout(constant_id = HISTOGRAM_RANGES_ID) const uint RANGES = 1;
layout(constant_id = HISTOGRAM_WIDTH_LOW_ID) const uint WIDTH_LOW = 0;     // floats: bits of a bin's width; f64: the lower word
layout(constant_id = HISTOGRAM_WIDTH_HIGH_ID) const uint WIDTH_HIGH = 0;
layout(constant_id = HISTOGRAM_NARROW_ID) const bool NARROW = false;       // floats: edges are so close that their rounding counts
#ifdef SAMPLE_DOUBLE
const uint SAMPLE_SIZE = 8;
#else
layout(constant_id = HISTOGRAM_SAMPLE_SIZE_ID) const uint SAMPLE_SIZE = 4; // bytes: 1, 2 or 4
layout(constant_id = HISTOGRAM_FLOAT_ID) const bool IS_FLOAT = false;      // samples are f32
#endif
#ifdef GENERAL
layout(constant_id = HISTOGRAM_CHANNEL_BINS_ID) const uint CHANNEL_BINS = 256; // of each channel; BINS are those of all that are counted
layout(constant_id = HISTOGRAM_CHANNELS_ID) const uint CHANNELS = 1;           // sample i is of channel i % CHANNELS
layout(constant_id = HISTOGRAM_WEIGHTS_ID) const uint WEIGHTS = 0;             // vkprim::Weights
layout(constant_id = HISTOGRAM_WIDE_ID) const bool WIDE = false;               // counts of 64 bits
layout(constant_id = HISTOGRAM_LEVEL_STEP_ID) const uint LEVEL_STEP = 0;       // the largest power of two up to CHANNEL_BINS; 0: equal bins
layout(constant_id = HISTOGRAM_UPPER_HIGH_ID) const uint UPPER_HIGH = 0;       // f64: see bin_of()
layout(constant_id = HISTOGRAM_NEAR_ID) const float NEAR = 0;                  // f64: so far from an edge, in bins, a sum's rounding does not count
const bool WEIGHTED = WEIGHTS != 0;
const bool PAIRS = WIDE && WEIGHTED;                                           // what a workgroup counts may not fit into 32 bits
#ifndef VKPRIM_ROWS
layout(push_constant) uniform Push { HistogramPush push; HistogramTables tables; };
#endif
#else
#define CHANNEL_BINS BINS
#ifndef VKPRIM_ROWS
layout(push_constant) uniform Push { HistogramPush push; };
#endif
#endif

// Of all samples, or of those of a row or of a piece of a segment: where they, their weights and their counts begin, how many there are and
// how many come before; and which of their workgroups this is.
#ifndef VKPRIM_ROWS
#define INPUT_ADDRESS push.input_address
#define WEIGHTS_ADDRESS tables.weights_address
#define COUNTS_ADDRESS push.counts_address
#define WORKGROUP_NUMBER vkprim_workgroup_number()
#define WORKGROUP_COUNT vkprim_workgroup_count()
#else
#ifdef VKPRIM_OFFSETS
#include "piece.glsl"
#else
#include "row.glsl"
#endif
#ifdef GENERAL
const uint COUNTER_WORDS = PAIRS ? 2 : 1;       // in scratch
const uint COUNTS_SIZE = BINS * (WIDE ? 8 : 4); // bytes of a row's counts
#else
const uint COUNTER_WORDS = 1;
const uint COUNTS_SIZE = BINS * 4;
#endif
#ifndef VKPRIM_OFFSETS
#define INPUT_ADDRESS row_input
#define WEIGHTS_ADDRESS row_weights
#define COUNTS_ADDRESS row_counts
#define WORKGROUP_NUMBER row_workgroup
#define WORKGROUP_COUNT matrix.workgroups
#else
#define INPUT_ADDRESS piece_input
#define WEIGHTS_ADDRESS piece_weights
#define COUNTS_ADDRESS piece_counts
#define SAMPLE_COUNT piece_count
#define SKIPPED piece_skipped
#endif
#endif
#ifndef VKPRIM_OFFSETS
#define SAMPLE_COUNT vkprim_count_of(push.count, push.count_address, push.skipped)
#define SKIPPED push.skipped
#endif

const uint PER_WORD = SAMPLE_SIZE > 4 ? 1 : 4 / SAMPLE_SIZE;
const uint PER_VECTOR = 16 / SAMPLE_SIZE;
const uint TILE = VKPRIM_WORKGROUP_SIZE * VECTORS; // vectors
const uint NO_BIN = BINS;                   // of a sample that is not counted

#ifdef SAMPLE_DOUBLE
#define SAMPLE uvec2
#else
#define SAMPLE uint
#endif
#ifdef GENERAL
#define COUNTED uint bin, uint weight
#else
#define COUNTED uint bin
#endif

// To be defined by the shader that includes this. Called by whole subgroups; not every invocation need have a sample.
void count_bin(COUNTED);

// Called by the whole workgroup before a tile, with the bin of this invocation's first sample, and after it.
void tile_begins(uint bin);
void tile_counted();

#if defined(SAMPLE_DOUBLE)
// Below 0 if a < b; both are doubles as unsigned integers that compare in the same order.
bool is_less(uvec2 a, uvec2 b) { return a.y < b.y || a.y == b.y && a.x < b.x; }

// Doubles as unsigned integers in the same order, NaN beyond both infinities, and the zeros alike.
uvec2 order_of(uvec2 bits) {
    if (bits == uvec2(0, 0x80000000u)) bits = uvec2(0);
    uint sign = uint(int(bits.y) >> 31);
    return bits ^ uvec2(sign, sign | 0x80000000u);
}

// Of floats: a sample is in the bin whose edges enclose it. The number of the edge nearest to it comes from a sum that is rounded to a whole
// number, which may be wrong by less than half a bin; so the sample is in the bin behind that edge, or in the one before it. (If NARROW,
// edges are so close that their own rounding counts, and it may be the bin after the next edge.) Edges, lower + k * width in two roundings,
// are compared as integers, since a GPU may take denormal samples for 0.
const double TWO_TO_52 = 4503599627370496.0LF;

uvec2 edge_order(double number) {
    precise double from_lower = number * packDouble2x32(uvec2(WIDTH_LOW, WIDTH_HIGH));
    precise double edge = packDouble2x32(uvec2(LOWER, LAST)) + from_lower;
    return order_of(unpackDouble2x32(edge));
}

// Its constants are words of the doubles `lower`, bins per unit, and `upper`.
uint bin_of(uvec2 bits) {
    const uvec2 lower = uvec2(LOWER, LAST), scale = uvec2(SCALE_WHOLE, SCALE_HIGH), upper = uvec2(SCALE_LOW, UPPER_HIGH);
    uvec2 order = order_of(bits);
    precise double offset = packDouble2x32(bits) - packDouble2x32(lower);
    double rounded = fma(offset, packDouble2x32(scale), TWO_TO_52);
    precise double nearest = rounded - TWO_TO_52;
    double behind = fma(offset, packDouble2x32(scale), -nearest); // the edge: bins
    uint bin = unpackDouble2x32(rounded).x;
    // Only near an edge are words compared: there are many instructions for it.
    if (abs(behind) <= double(NEAR)) bin -= uint(is_less(order, edge_order(nearest)));
    else bin -= uint(behind < 0.0LF);
    if (NARROW) bin += uint(!is_less(order, edge_order(nearest + 1.0LF)));
    return is_less(order, order_of(lower)) || !is_less(order, order_of(upper)) ? NO_BIN : min(bin, CHANNEL_BINS - 1);
}
#else
// As of doubles.
const float TWO_TO_23 = 8388608.0;

// Floats as unsigned integers in the same order, NaN beyond both infinities.
uint order_of(uint bits) { return bits ^ (uint(int(bits) >> 31) | 0x80000000u); }

// The same as integers with a sign. Where no number below 0 is in the range, bits are in that order already.
int signed_order_of(uint bits) { return int(SCALE_WHOLE < 0x80000000u ? bits : order_of(bits) ^ 0x80000000u); }

int edge_order(float number) {
    precise float from_lower = number * uintBitsToFloat(WIDTH_LOW);
    precise float edge = uintBitsToFloat(SCALE_WHOLE) + from_lower;
    return signed_order_of(floatBitsToUint(edge));
}

uint bin_of_float(uint bits) {
    precise float offset = uintBitsToFloat(bits) - uintBitsToFloat(SCALE_WHOLE);
    float rounded = fma(offset, uintBitsToFloat(SCALE_HIGH), TWO_TO_23); // as one operation or as two
    precise float nearest = rounded - TWO_TO_23;
    int order = signed_order_of(bits == 0x80000000u ? 0 : bits); // not between edges at -0 and 0: a GPU may take either for the other
    uint bin = floatBitsToUint(rounded) - floatBitsToUint(TWO_TO_23) - uint(order < edge_order(nearest));
    if (NARROW) bin += uint(order >= edge_order(nearest + 1.0));
    return uint(order) - LOWER > LAST ? NO_BIN : min(bin, CHANNEL_BINS - 1);
}

const uint UNCOUNTED = LOWER | LAST ^ 0xffffffffu >> (32 - 8 * SAMPLE_SIZE); // 0: the range is the whole type

// floor(offset * bins / span) without a division: bins / span is known to 64 bits after the point, rounded up, which is
// exact for offsets below 2^32 (Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994).
uint bin_of_integer(uint value) {
    uint offset = value - LOWER, whole = 0, carry = 0;
    if (SCALE_HIGH != 0 || SCALE_LOW != 0) {
        uint fraction, carry_in, unused;
        umulExtended(offset, SCALE_HIGH, whole, fraction);
        umulExtended(offset, SCALE_LOW, carry_in, unused);
        uaddCarry(fraction, carry_in, carry);
    }
    return UNCOUNTED != 0 && offset > LAST ? NO_BIN : offset * SCALE_WHOLE + whole + carry;
}

uint bin_of(uint bits) {
    if (IS_FLOAT) return bin_of_float(bits);
    return bin_of_integer(bits);
}
#endif

uint sample_of(uint word, uint s) {
    return PER_WORD == 1 ? word : bitfieldExtract(word, int(s * 8 * SAMPLE_SIZE), int(8 * SAMPLE_SIZE));
}

// Samples as most are counted, each for itself; and with GENERAL those that have channels, weights or levels. That is code of its own, so
// that the others' is as short as it can be.
#ifndef GENERAL
#define BIN_OF(value, number) bin_of(value)
#define COUNT_BIN(bin, weight) count_bin(bin)
#define COUNT_VECTOR(words, base, vector, exists) count_vector(words, exists)
#define FIRST_OF(words) sample_of(words.x, 0)

// Counts the samples of a vector, or none of them.
void count_vector(uvec4 words, bool exists) {
    [[unroll]] for (uint w = 0; w < 4; ++w) {
        [[unroll]] for (uint s = 0; s < PER_WORD; ++s) count_bin(exists ? bin_of(sample_of(words[w], s)) : NO_BIN);
    }
}
#else
#define BIN_OF(value, number) bin_in_channel(value, (number) % CHANNELS)
#define COUNT_BIN(bin, weight) count_bin(bin, weight)
#define COUNT_VECTOR(words, base, vector, exists) count_vector(words, number_of(base, vector), exists)
#define FIRST_OF(words) sample_at(words, 0)

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
SAMPLE level_in_memory(uint number) { return place_of(vkprim_Words2(vkprim_address_of(tables.levels_address, number, 8)).at[0]); }
#else
SAMPLE level_in_memory(uint number) { return place_of(vkprim_Words(vkprim_address_of(tables.levels_address, number, 4)).at[0]); }
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
    return WEIGHTED ? vkprim_Words(vkprim_address_of(WEIGHTS_ADDRESS, number / CHANNELS, 4)).at[0] : 1;
}

// Of the samples from `number` on, 4 or as many as there are in a vector.
uvec4 weights_from(uint number) {
    if (!WEIGHTED) return uvec4(1);
    if (CHANNELS == 1 && PER_VECTOR >= 4) {
        uvec2 address = vkprim_address_of(WEIGHTS_ADDRESS, number, 4);
        if ((address.x & 15) == 0) return vkprim_Words4(address).at[0];
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
#endif

// Adds to a count of the output; nothing to a bin that does not exist.
void add_to_output(uint bin, uint count) {
    if (count == 0 || bin >= BINS) return;
#ifdef GENERAL
    if (WIDE) {
        vkprim_Words words = vkprim_Words(COUNTS_ADDRESS);
        uint before = atomicAdd(words.at[2 * bin], count, gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
        uint high = weight_high(count) + uint(before + count < before);
        if (high == 0) return;
        atomicAdd(words.at[2 * bin + 1], high, gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
        return;
    }
#endif
    atomicAdd(vkprim_Words(COUNTS_ADDRESS).at[bin], count, gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
}

// The input as 16-byte vectors from the aligned address at or before its start.
struct Vectors {
    uvec2 base;
    uint count;
    uint first; // place of the first sample in the first vector
    uint end;   // place after the last sample in the last vector
};

Vectors vectors_of_input() {
    uint count = SAMPLE_COUNT;
    uvec2 base = uvec2(INPUT_ADDRESS.x & ~15u, INPUT_ADDRESS.y);
    uint first = (INPUT_ADDRESS.x & 15) / SAMPLE_SIZE;
    uint last = count % PER_VECTOR + first + PER_VECTOR - 1; // count + first may not fit in 32 bits
    uint vectors = count == 0 ? 0 : count / PER_VECTOR + last / PER_VECTOR;
    return Vectors(base, vectors, first, last % PER_VECTOR + 1);
}

uint tiles_of(Vectors vectors) { return vectors.count / TILE + uint(vectors.count % TILE != 0); }

void count_whole_tile(uvec2 base) {
    uvec4 words[VECTORS];
    [[unroll]] for (uint v = 0; v < VECTORS; ++v) words[v] = vkprim_Words4(base).at[v * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex];
    tile_begins(BIN_OF(FIRST_OF(words[0]), number_of(base, gl_LocalInvocationIndex)));
    [[unroll]] for (uint v = 0; v < VECTORS; ++v) COUNT_VECTOR(words[v], base, v * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex, true);
}

// One sample.
#ifdef SAMPLE_DOUBLE
#define LOAD_SAMPLE(value, address) value = vkprim_Words2(address).at[0]
#else
#define LOAD_SAMPLE(value, address)                                                              \
    if (SAMPLE_SIZE == 4) {                                                                      \
        value = vkprim_Words(address).at[0];                                                     \
    } else {                                                                                     \
        value = vkprim_byte_at(address);                                                         \
        if (SAMPLE_SIZE == 2) value |= vkprim_byte_at(vkprim_address_add(address, 1)) << 8;      \
    }
#endif

// The input's first or last vector, which may contain other bytes than samples; one invocation for each. Bytes that are no sample's are not
// read: they may lie beyond the buffer.
void count_end(Vectors vectors, uint v) {
    uint first = v == 0 ? vectors.first : 0, end = v == vectors.count - 1 ? vectors.end : PER_VECTOR;
    uint place = gl_LocalInvocationIndex, bin = NO_BIN;
#ifdef GENERAL
    SAMPLE value = SAMPLE(0);
    uint number = number_of(vectors.base, v) + place, weight = 0;
#endif
    if (place >= first && place < end) {
        uvec2 address = vkprim_address_add(vkprim_address_of(vectors.base, v, 16), place * SAMPLE_SIZE);
#ifndef GENERAL
        uint value;
#else
        weight = weight_of(number);
#endif
        LOAD_SAMPLE(value, address);
#ifndef GENERAL
        bin = bin_of(value);
#endif
    }
#ifdef GENERAL
    uint found = BIN_OF(value, number);
    if (place >= first && place < end) bin = found;
#endif
    COUNT_BIN(bin, weight);
}

#ifdef VKPRIM_ROWS
// A short row leaves most of a workgroup without a sample. Who has none nor has any of these neighbours counts nothing at all; otherwise
// counting none is faster than a condition. Searching levels is a loop, which Mesa's CPU driver loses if whole subgroups skip it.
const uint NEIGHBOURS = 64;
#ifdef GENERAL
const bool SKIPS = LEVEL_STEP == 0;
#else
const bool SKIPS = true;
#endif
#endif

// A tile that contains the first or the last vector.
void count_end_tile(Vectors vectors, uint tile) {
    uvec2 base = vkprim_address_of(vectors.base, tile, TILE * 16);
    uint last = vectors.count - 1;
    uvec4 words[VECTORS];
    [[unroll]] for (uint v = 0; v < VECTORS; ++v) {
        uint index = v * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex;
        words[v] = uvec4(0);
        if (tile * TILE + index > 0 && tile * TILE + index < last) words[v] = vkprim_Words4(base).at[index];
    }
    tile_begins(BIN_OF(FIRST_OF(words[0]), number_of(base, gl_LocalInvocationIndex)));
    [[unroll]] for (uint v = 0; v < VECTORS; ++v) {
        uint index = tile * TILE + v * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex;
#ifdef VKPRIM_ROWS
        if (SKIPS && index - gl_LocalInvocationIndex % NEIGHBOURS >= last) continue;
#endif
        COUNT_VECTOR(words[v], base, v * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex, index > 0 && index < last);
    }
#ifdef VKPRIM_ROWS
    if (SKIPS && gl_LocalInvocationIndex >= NEIGHBOURS) return;
#endif
    if (tile == 0) count_end(vectors, 0);
    if (tile + 1 == tiles_of(vectors) && last > 0) count_end(vectors, last);
}

// Counts tiles `tile`, `tile` + step, ... The first and the last one apart, because Mesa's CPU driver goes through both sides of
// a condition; and with one copy of the code, because that costs GPUs time.
void count_tiles(Vectors vectors, uint tile, uint step) {
    uint tiles = tiles_of(vectors);
    for (uint whole = tile == 0 ? step : tile; whole + 1 < tiles; whole += step) {
        count_whole_tile(vkprim_address_of(vectors.base, whole, TILE * 16));
        tile_counted();
    }
    bool has_first = tile == 0 && tiles > 0, has_last = tiles > 1 && (tiles - 1) % step == tile;
    [[dont_unroll]] for (uint end = has_first ? 0 : 1; end < (has_last ? 2 : 1); ++end) {
        count_end_tile(vectors, end * (tiles - 1));
        tile_counted();
    }
}
