#version 460
// variants: u8 SAMPLE_U8 | u16 SAMPLE_U16 | u32 | f32 SAMPLE_FLOAT
//
// Histogram in one dispatch, for as many bins as shared memory holds. Each workgroup counts its share of the samples in
// shared memory, in COPIES copies of the histogram that are interleaved by invocation: equal samples then meet neither in a
// word nor in a memory bank (privatization, with the replication of Gomez-Luna et al., "An optimized approach to histogram
// computation on GPU", 2013). Copies are added up in scratch; the last workgroup to arrive moves scratch to the output.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/scratch.h>
#include "samples.glsl"

shared uint counters[(BINS + 1) * COPIES]; // the last for NO_BIN: an atomic behind a condition is slow on NVIDIA GPUs

void count_bin(uint bin) { atomicAdd(counters[bin * COPIES + gl_LocalInvocationIndex % COPIES], 1); }

void tile_begins(uint bin) {}
void tile_counted() {}

// Word 0 counts arrivals; two bins' totals share one of the words that follow.
uvec2 word_address(uint word) { return vkprim_address_add(push.scratch, vkprim_scratch_offset(VKPRIM_SCRATCH_ZERO_LANE, word)); }
#define ARRIVALS vkprim_Words(word_address(0)).at[0]
#define TOTAL(bin) vkprim_Words(word_address(1 + (bin) / 2)).at[(bin) % 2]

void barrier_with_buffers() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
}

void output_bin(uint bin, uint count) {
    vkprim_Words counts = vkprim_Words(push.counts_address);
    counts.at[bin] = push.accumulate == 0 ? count : counts.at[bin] + count;
}

void main() {
    const uint invocation = gl_LocalInvocationIndex;
    Vectors vectors = vectors_of_input();
    uint workgroups = clamp(tiles_of(vectors), 1, vkprim_workgroup_count());
    if (vkprim_workgroup_number() >= workgroups) return;

    for (uint first = 0; first < BINS * COPIES; first += VKPRIM_WORKGROUP_SIZE) {
        if (first + invocation < BINS * COPIES) counters[first + invocation] = 0;
    }
    barrier();
    count_tiles(vectors, vkprim_workgroup_number(), workgroups);
    barrier();

    for (uint first = 0; first < BINS; first += VKPRIM_WORKGROUP_SIZE) {
        uint bin = first + invocation;
        uint count = 0;
        if (bin < BINS) {
            for (uint c = 0; c < COPIES; ++c) count += counters[bin * COPIES + (c + invocation) % COPIES];
        }
        if (workgroups == 1) {
            if (bin < BINS) output_bin(bin, count);
        } else if (count != 0) {
            atomicAdd(TOTAL(bin), count, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
        }
    }
    if (workgroups == 1) return;

    // Release: this workgroup's counts are in scratch before its arrival. Acquire: the last one sees all of them.
    barrier_with_buffers();
    if (invocation == 0) {
        counters[0] = atomicAdd(ARRIVALS, 1, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer,
                                gl_SemanticsAcquireRelease);
    }
    barrier_with_buffers();
    if (counters[0] != workgroups - 1) return;
    for (uint first = 0; first < BINS; first += VKPRIM_WORKGROUP_SIZE) {
        uint bin = first + invocation;
        if (bin >= BINS) continue;
        output_bin(bin, atomicLoad(TOTAL(bin), gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed));
        TOTAL(bin) = 0;
    }
    if (invocation == 0) ARRIVALS = 0;
}
