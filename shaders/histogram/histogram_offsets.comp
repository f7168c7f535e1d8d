#version 460
// variants: words(u8,u16,u32,i32,f32) | f64(f64) SAMPLE_DOUBLE  x  shared COUNTS_PIECES | global
//
// Histograms of segments between offsets, added to the output. Workgroups have equal shares of the places in which segments lie
// (place_of_segment()), so none does more than its share, whatever the lengths are. A share is a range of consecutive samples: pieces of
// segments. A long piece is counted in shared memory, by the whole workgroup, and its counts are added to the output. For samples of short
// pieces, each invocation looks up the segments of some samples, and adds each sample to the output itself. Without COUNTS_PIECES, if
// shared memory does not hold the bins, all samples are counted like this.
#define CHANNELS_WEIGHTS_LEVELS
#define ROWS // one histogram of many
#define OFFSETS
#extension GL_GOOGLE_include_directive : require
#include "samples.glsl"
#ifdef COUNTS_PIECES
#include "counters.glsl"
#else
SAMPLE level(uint number) { return level_in_memory(number); }
void count_bin(uint bin, uint weight) { add_to_output(bin, weight); }
#endif

layout(constant_id = HISTOGRAM_SHORT_PIECE_ID) const uint SHORT_PIECE = 256; // samples, at most, of a piece that is not counted in shared memory

const uint COST = HISTOGRAM_SEGMENT_COST;
#define invocation() gl_LocalInvocationIndex
#include "../segments/offsets.glsl"
uint place_of_segment(uint segment) { return offset_of(segment) + segment * COST; }
#define place_of place_of_segment // samples.glsl has one of samples
shared uint probed;
#include "../segments/search.glsl"

void tile_begins(uint bin) {}
void tile_counted() {}

// The first sample of the segments that lies at a place or after it, and its segment. To be called by the whole workgroup.
uvec2 sample_from(uint place) {
    const uint segment = max(segments_below(place), 1) - 1, begin = offset_of(segment);
    return uvec2(clamp(place - segment * COST, begin, max(offset_of(segment + 1), begin)), segment);
}

// The last of the segments from `least` to `most` that begins at a sample or before it. The number of steps does not depend on the sample.
uint segment_of(uint at, uint least, uint most) {
    uint segment = least;
    for (uint step = most > least ? 1 << findMSB(most - least) : 0; step > 0; step >>= 1) {
        const uint next = min(segment + step, most);
        if (offset_of(next) <= at) segment = next;
    }
    return segment;
}

void enter_segment(uint segment, uint begin) {
    piece_counts = address_of(push.counts_address, segment, COUNTS_SIZE);
    piece_weights = address_of(tables.weights_address, begin / CHANNELS, 4);
}

#ifdef COUNTS_PIECES
shared uint first_long; // sample of a piece that is counted in shared memory

// Whether the segment's samples from `at` to `end` - 1 are such a piece.
bool is_long(uint segment, uint at, uint end) {
    const uint begin = max(offset_of(segment), at), behind = min(offset_of(segment + 1), end);
    return behind > begin && behind - begin > SHORT_PIECE;
}

void add_counts(uint bin, uvec2 count) {
    if (!PAIRS) {
        add_to_output(bin, count.x);
    } else if (count != uvec2(0)) {
        Words words = Words(COUNTS_ADDRESS);
        const uint before = atomicAdd(words.at[2 * bin], count.x, gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
        const uint high = count.y + uint(before + count.x < before);
        if (high != 0) atomicAdd(words.at[2 * bin + 1], high, gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
    }
}

void zero_counters() {
    for (uint first = 0; first < ZEROED; first += WORKGROUP_SIZE) {
        if (first + gl_LocalInvocationIndex < ZEROED) counters[first + gl_LocalInvocationIndex] = 0;
    }
}

// Finds and leaves zeros in the counters.
void count_piece(uint segment, uint begin, uint end) {
    const uint segment_begin = offset_of(segment);
    enter_segment(segment, segment_begin);
    piece_input = address_of(push.input_address, begin, SAMPLE_SIZE);
    piece_skipped = begin - segment_begin;
    piece_count = end - begin;
    count_tiles(vectors_of_input(), 0, 1);
    barrier();
    for (uint first = 0; first < BINS; first += WORKGROUP_SIZE) {
        const uint bin = first + gl_LocalInvocationIndex;
        COUNT count = NO_COUNT;
        if (bin < BINS) {
            for (uint c = 0; c < COPIES; ++c) {
                const uint place = bin * COPIES + (c + gl_LocalInvocationIndex) % COPIES;
                ADD_COUNTER(count, place);
                counters[place] = 0;
                if (PAIRS) counters[COUNTERS + place] = 0;
            }
        }
        if (bin < BINS) add_counts(bin, count);
    }
    barrier();
}
#endif

// Adds one sample of a segment to the output, if it exists. To be called by whole subgroups.
void count_sample(uint segment, uint at, bool exists) {
    const uint begin = offset_of(segment), number = at - begin;
    exists = exists && at >= begin; // or offsets descend
    enter_segment(segment, begin);
    SAMPLE value = SAMPLE(0);
    uint weight = 0;
    if (exists) {
        const uvec2 address = address_of(push.input_address, at, SAMPLE_SIZE);
        LOAD_SAMPLE(value, address);
        weight = weight_of(number);
    }
    const uint bin = bin_in_channel(value, number % CHANNELS);
    add_to_output(bin, weight);
}

const uint EACH = 4; // samples of an invocation

// Counts the samples from `at` on one by one: as many as invocations have, but only those before `end` and before the next long piece. What comes
// behind them. `first`, `last`: segments that they can be of.
uint count_samples(uint at, uint end, uint first, uint last) {
    uint stop = at + min(end - at, EACH * WORKGROUP_SIZE);
    last = segment_of(stop - 1, first, last);
    uint segments[EACH];
    [[unroll]] for (uint e = 0; e < EACH; ++e) {
        const uint place = e * WORKGROUP_SIZE + gl_LocalInvocationIndex;
        segments[e] = segment_of(at + min(place, stop - at - 1), first, last);
    }
#ifdef COUNTS_PIECES
    if (gl_LocalInvocationIndex == 0) first_long = stop;
    barrier();
    [[unroll]] for (uint e = 0; e < EACH; ++e) {
        const uint place = e * WORKGROUP_SIZE + gl_LocalInvocationIndex;
        if (place < stop - at && is_long(segments[e], at, end)) atomicMin(first_long, at + place);
    }
    barrier();
    stop = max(first_long, at + 1); // if offsets descend, the first sample may seem to belong to a long piece
    barrier();
#endif
    [[unroll]] for (uint e = 0; e < EACH; ++e) {
        const uint place = e * WORKGROUP_SIZE + gl_LocalInvocationIndex;
        count_sample(segments[e], at + min(place, stop - at - 1), place < stop - at);
    }
    return stop;
}

void main() {
    element_count = count_of(push.count, push.count_address, 0);
    segment_count = count_of(push.segments, push.segments_address, 0);
    const uint workgroup = push.first + workgroup_number();
    if (workgroup >= push.workgroups || segment_count == 0) return;
    const uint begin = workgroup * push.share;
    const uvec2 first = sample_from(begin), last = sample_from(begin + min(push.share, ~0u - begin));
    if (first.x >= last.x) return;
#ifdef COUNTS_PIECES
    zero_counters();
    if (LEVEL_STEP > 0) load_levels();
    barrier();
#endif
    // Load: the samples of the share, piece by piece. Combine: those of long pieces in shared memory. Store: by atomics on the output.
    uint at = first.x, segment = first.y;
    while (at < last.x) {
        segment = segment_of(at, segment, last.y);
#ifdef COUNTS_PIECES
        if (is_long(segment, at, last.x)) {
            const uint piece = max(offset_of(segment), at);
            at = min(offset_of(segment + 1), last.x);
            count_piece(segment, piece, at);
            continue;
        }
#endif
        at = count_samples(at, last.x, segment, last.y);
    }
}
