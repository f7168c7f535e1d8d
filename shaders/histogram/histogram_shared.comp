#version 460
// variants: words(u8,u16,u32,i32,f32) | words_general(u8,u16,u32,i32,f32) CHANNELS_WEIGHTS_LEVELS | f64_general(f64) SAMPLE_DOUBLE CHANNELS_WEIGHTS_LEVELS  x  all | rows ROWS
//
// Histogram in one dispatch, for as many bins as shared memory holds. Each workgroup counts its share of the samples in shared memory, in
// COPIES copies of the histogram that are interleaved by invocation: then equal samples conflict neither in a word nor in a memory bank
// (privatization, with the replication of Gomez-Luna et al., "An optimized approach to histogram computation on GPU", 2013). Copies are added
// up in scratch; the last workgroup to arrive moves scratch to the output. Each row of a matrix has scratch of its own.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/scratch.h>
#include "samples.glsl"
#include "counters.glsl"

void tile_begins(uint bin) {}
void tile_counted() {}

// Word 0 counts arrivals; two bins' totals share one of the words that follow, or both words of one total, with PAIRS.
uvec2 word_address(uint word) {
#ifdef ROWS
    word += row_place * HISTOGRAM_SCRATCH_WORDS(BINS, COUNTER_WORDS);
#endif
    return address_add(push.scratch, scratch_offset(SCRATCH_ZERO_STRIPE, word));
}
#define ARRIVALS Words(word_address(0)).at[0]
#define TOTAL(bin) Words(word_address(1 + (bin) / 2)).at[(bin) % 2]

#ifndef CHANNELS_WEIGHTS_LEVELS
#define ADD_TO_TOTAL(bin, count) atomicAdd(TOTAL(bin), count, gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed)
#define TOTAL_OF(bin) atomicLoad(TOTAL(bin), gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed)
#define ZERO_TOTAL(bin) TOTAL(bin) = 0

void output_bin(uint bin, uint count) {
    Words counts = Words(COUNTS_ADDRESS);
    counts.at[bin] = push.accumulate == 0 ? count : counts.at[bin] + count;
}
#else
#define ADD_TO_TOTAL(bin, count) add_to_total(bin, count)
#define TOTAL_OF(bin) total_of(bin)
#define ZERO_TOTAL(bin) zero_total(bin)

void add_to_total(uint bin, uvec2 count) {
    if (!PAIRS) {
        atomicAdd(TOTAL(bin), count.x, gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
        return;
    }
    uint before = atomicAdd(TOTAL(2 * bin), count.x, gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
    uint high = count.y + uint(before + count.x < before);
    if (high != 0) atomicAdd(TOTAL(2 * bin + 1), high, gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
}

uvec2 total_of(uint bin) {
    uint low_place = PAIRS ? 2 * bin : bin, high = 0;
    if (PAIRS) high = atomicLoad(TOTAL(2 * bin + 1), gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
    return uvec2(atomicLoad(TOTAL(low_place), gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed), high);
}

void zero_total(uint bin) {
    TOTAL(PAIRS ? 2 * bin : bin) = 0;
    if (PAIRS) TOTAL(2 * bin + 1) = 0;
}

void output_bin(uint bin, uvec2 count) {
    Words counts = Words(COUNTS_ADDRESS);
    if (WIDE) {
        if (push.accumulate != 0) count = pair_sum(count, uvec2(counts.at[2 * bin], counts.at[2 * bin + 1]));
        counts.at[2 * bin] = count.x;
        counts.at[2 * bin + 1] = count.y;
    } else {
        counts.at[bin] = push.accumulate == 0 ? count.x : counts.at[bin] + count.x;
    }
}
#endif

void main() {
    const uint invocation = gl_LocalInvocationIndex;
#ifdef ROWS
    if (!find_row(matrix.workgroups, COUNTS_SIZE)) return;
#endif
    Vectors vectors = vectors_of_input();
    uint workgroups = clamp(tiles_of(vectors), 1, WORKGROUP_COUNT);
    if (WORKGROUP_NUMBER >= workgroups) return;

    for (uint first = 0; first < ZEROED; first += WORKGROUP_SIZE) {
        if (first + invocation < ZEROED) counters[first + invocation] = 0;
    }
#ifdef CHANNELS_WEIGHTS_LEVELS
    if (LEVEL_STEP > 0) load_levels();
#endif
    barrier();
    // Load: this workgroup's samples, counted in shared memory.
    count_tiles(vectors, WORKGROUP_NUMBER, workgroups);
    barrier();

    // Combine: the copies of each counter, and in scratch the counts of all workgroups.
    for (uint first = 0; first < BINS; first += WORKGROUP_SIZE) {
        uint bin = first + invocation;
        COUNT count = NO_COUNT;
        if (bin < BINS) {
            for (uint c = 0; c < COPIES; ++c) ADD_COUNTER(count, bin * COPIES + (c + invocation) % COPIES);
        }
        if (workgroups == 1) {
            if (bin < BINS) output_bin(bin, count);
        } else if (count != NO_COUNT) {
            ADD_TO_TOTAL(bin, count);
        }
    }
    if (workgroups == 1) return;

    // Release: this workgroup's counts are in scratch before its arrival. Acquire: the last one sees all of them.
    barrier_with_buffers();
    if (invocation == 0) {
        counters[0] = atomicAdd(ARRIVALS, 1, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
    }
    barrier_with_buffers();
    if (counters[0] != workgroups - 1) return;

    // Store: the last workgroup moves scratch to the output.
    for (uint first = 0; first < BINS; first += WORKGROUP_SIZE) {
        uint bin = first + invocation;
        if (bin >= BINS) continue;
        output_bin(bin, TOTAL_OF(bin));
        ZERO_TOTAL(bin);
    }
    if (invocation == 0) ARRIVALS = 0;
}
