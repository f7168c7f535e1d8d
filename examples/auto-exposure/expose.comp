#version 460
// From the histogram to the exposure: the mean of the logarithms between two percentiles becomes a middle grey. What is beyond, such
// as the sun, has no say.
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

void main() {
    if (gl_GlobalInvocationID.x != 0) return;
    float pixels = float(frame.width * frame.height), lowest = 0.1 * pixels, highest = 0.95 * pixels;
    float below = 0.0, sum = 0.0, weight = 0.0;
    for (uint bin = 0; bin < frame.bins; ++bin) {
        float count = float(frame.counts.at[bin]);
        float inside = max(min(below + count, highest) - max(below, lowest), 0.0);
        sum += inside * mix(frame.lower, frame.upper, (float(bin) + 0.5) / float(frame.bins));
        weight += inside;
        below += count;
    }
    frame.exposure.at[0] = 0.18 / exp2(weight > 0.0 ? sum / weight : 0.0);
}
