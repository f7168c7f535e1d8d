// Samples and their bins, for all methods of counting.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/count.glsl>
#include "../names.glsl"
#include "histogram_push.h"

layout(constant_id = HISTOGRAM_BINS_ID) const uint BINS = 256;
layout(constant_id = HISTOGRAM_COPIES_ID) const uint COPIES = 1;
layout(constant_id = HISTOGRAM_LOWER_ID) const uint LOWER = 0;             // of the range: an integer, or a float's signed_order_of()
layout(constant_id = HISTOGRAM_LAST_ID) const uint LAST = 255;             // the largest offset from LOWER that is counted
layout(constant_id = HISTOGRAM_SCALE_WHOLE_ID) const uint SCALE_WHOLE = 1; // integers: bins per unit, whole part; floats: LOWER_BITS
layout(constant_id = HISTOGRAM_SCALE_HIGH_ID) const uint SCALE_HIGH = 0;   // integers: its fraction in units of 2^-32; floats: SCALE_BITS
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
#ifdef CHANNELS_WEIGHTS_LEVELS
layout(constant_id = HISTOGRAM_CHANNEL_BINS_ID) const uint CHANNEL_BINS = 256; // of each channel; BINS are those of all that are counted
layout(constant_id = HISTOGRAM_CHANNELS_ID) const uint CHANNELS = 1;           // sample i is of channel i % CHANNELS
layout(constant_id = HISTOGRAM_WEIGHTS_ID) const uint WEIGHTS = 0;             // vkprim::Weights
layout(constant_id = HISTOGRAM_WIDE_ID) const bool WIDE = false;               // counts of 64 bits
layout(constant_id = HISTOGRAM_LEVEL_STEP_ID) const uint LEVEL_STEP = 0;       // the largest power of two up to CHANNEL_BINS; 0: equal bins
layout(constant_id = HISTOGRAM_UPPER_HIGH_ID) const uint UPPER_HIGH = 0;       // f64: see bin_of()
layout(constant_id = HISTOGRAM_NEAR_ID) const float NEAR = 0;                  // f64: so far from an edge, in bins, a sum's rounding does not count
const bool WEIGHTED = WEIGHTS != 0;
const bool PAIRS = WIDE && WEIGHTED;                                           // what a workgroup counts may not fit into 32 bits
#ifndef ROWS
layout(push_constant) uniform Push { HistogramPush push; HistogramTables tables; };
#endif
#else
#define CHANNEL_BINS BINS
#ifndef ROWS
layout(push_constant) uniform Push { HistogramPush push; };
#endif
#endif

// Of all samples, or of those of a row or of a piece of a segment: where they, their weights and their counts begin, how many there are and
// how many come before; and which of their workgroups this is.
#ifndef ROWS
#define INPUT_ADDRESS push.input_address
#define WEIGHTS_ADDRESS tables.weights_address
#define COUNTS_ADDRESS push.counts_address
#define WORKGROUP_NUMBER workgroup_number()
#define WORKGROUP_COUNT workgroup_count()
#else
#ifdef OFFSETS
#include "piece.glsl"
#else
#include "row.glsl"
#endif
#ifdef CHANNELS_WEIGHTS_LEVELS
const uint COUNTER_WORDS = PAIRS ? 2 : 1;       // in scratch
const uint COUNTS_SIZE = BINS * (WIDE ? 8 : 4); // bytes of a row's counts
#else
const uint COUNTER_WORDS = 1;
const uint COUNTS_SIZE = BINS * 4;
#endif
#ifndef OFFSETS
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
#ifndef OFFSETS
#define SAMPLE_COUNT count_of(push.count, push.count_address, push.skipped)
#define SKIPPED push.skipped
#endif

const uint PER_WORD = SAMPLE_SIZE > 4 ? 1 : 4 / SAMPLE_SIZE;
const uint PER_VECTOR = 16 / SAMPLE_SIZE;
const uint TILE = WORKGROUP_SIZE * VECTORS; // vectors
const uint NO_BIN = BINS;                   // of a sample that is not counted

#ifdef SAMPLE_DOUBLE
#define SAMPLE uvec2
#else
#define SAMPLE uint
#endif
#ifdef CHANNELS_WEIGHTS_LEVELS
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
#include "binning/double.glsl"
#else
#include "binning/float.glsl"
#include "binning/integer.glsl"

uint bin_of(uint bits) {
    if (IS_FLOAT) return bin_of_float(bits);
    return bin_of_integer(bits);
}
#endif

uint sample_of(uint word, uint s) {
    return PER_WORD == 1 ? word : bitfieldExtract(word, int(s * 8 * SAMPLE_SIZE), int(8 * SAMPLE_SIZE));
}

// Samples as most are counted, each for itself; and with CHANNELS_WEIGHTS_LEVELS those that have channels, weights or levels. That is code of its own, so
// that the others' is as short as it can be.
#ifndef CHANNELS_WEIGHTS_LEVELS
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
#include "channels_weights_levels.glsl"
#endif

// Adds to a count of the output; nothing to a bin that does not exist.
void add_to_output(uint bin, uint count) {
    if (count == 0 || bin >= BINS) return;
#ifdef CHANNELS_WEIGHTS_LEVELS
    if (WIDE) {
        Words words = Words(COUNTS_ADDRESS);
        uint before = atomicAdd(words.at[2 * bin], count, gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
        uint high = weight_high(count) + uint(before + count < before);
        if (high == 0) return;
        atomicAdd(words.at[2 * bin + 1], high, gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
        return;
    }
#endif
    atomicAdd(Words(COUNTS_ADDRESS).at[bin], count, gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
}

#include "vectors.glsl"
