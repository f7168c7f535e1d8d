#version 460
// The exposure, in one dispatch. Each workgroup counts how bright its pixels are, in binary logarithms, so that bins are as wide in the
// dark as in the light. The last one to arrive finds the exposure: the mean of the logarithms between two percentiles becomes a middle
// grey. What is beyond, such as the sun, has no say.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/privatized.glsl>
#include "frame.glsl"

const uint BINS = 256, SIZE = gl_WorkGroupSize.x, OWN_BINS = BINS / SIZE;
VKPRIM_DEFINE_HISTOGRAM(logarithms, BINS, 4)

shared bool is_last;
shared vec2 shares[SIZE];

void count_pixels() {
    for (uint pixel = gl_GlobalInvocationID.x; pixel < frame.width * frame.height; pixel += gl_NumWorkGroups.x * SIZE) {
        float logarithm = log2(max(dot(frame.radiance.at[pixel].rgb, LUMINANCE), 1e-9));
        float bin = (logarithm - frame.lower) / (frame.upper - frame.lower) * float(BINS);
        if (bin >= 0.0 && bin < float(BINS)) logarithms_count(uint(bin), gl_LocalInvocationIndex);
    }
}

// By one workgroup. Each invocation takes OWN_BINS adjacent bins, and leaves them at zero for the next frame.
void find_exposure() {
    uint index = gl_LocalInvocationIndex, counts[OWN_BINS], own = 0;
    for (uint i = 0; i < OWN_BINS; ++i) {
        counts[i] = atomicExchange(frame.collected.at[index * OWN_BINS + i], 0);
        frame.counts.at[index * OWN_BINS + i] = counts[i];
        own += counts[i];
    }
    shares[index].x = float(own);
    barrier();
    float pixels = float(frame.width * frame.height), lowest = 0.1 * pixels, highest = 0.95 * pixels, below = 0.0;
    for (uint i = 0; i < index; ++i) below += shares[i].x;
    barrier();
    vec2 share = vec2(0); // the sum of logarithms inside the percentiles, and how many
    for (uint i = 0; i < OWN_BINS; ++i) {
        float end = below + float(counts[i]), inside = max(min(end, highest) - max(below, lowest), 0.0);
        share += inside * vec2(mix(frame.lower, frame.upper, (float(index * OWN_BINS + i) + 0.5) / float(BINS)), 1);
        below = end;
    }
    shares[index] = share;
    barrier();
    if (index != 0) return;
    for (uint i = 1; i < SIZE; ++i) share += shares[i];
    frame.exposure.at[0] = 0.18 / exp2(share.y > 0.0 ? share.x / share.y : 0.0);
}

void main() {
    logarithms_clear(gl_LocalInvocationIndex, SIZE);
    count_pixels();
    VKPRIM_ADD_HISTOGRAM(logarithms, BINS, frame.collected.at, gl_LocalInvocationIndex, SIZE)
    VKPRIM_ARRIVE(is_last, frame.collected.at[BINS], gl_NumWorkGroups.x, gl_LocalInvocationIndex)
    if (is_last) find_exposure();
}
