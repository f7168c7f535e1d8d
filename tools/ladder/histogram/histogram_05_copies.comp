#version 460
// variants: pass
// step: privatized, 8 copies
// idea: Eight copies of the bins in shared memory, taken by turns, so that equal samples of neighbours do not meet.
// shape: threads=few barriers=2 shared=8192
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

#define COPIES 8
shared uint counts[LADDER_BINS * COPIES];

void main() {
    if (WORKGROUP >= push.workgroups) return;
    for (uint first = 0; first < push.bins * COPIES; first += VKPRIM_WORKGROUP_SIZE) {
        if (first + LOCAL < push.bins * COPIES) counts[first + LOCAL] = 0;
    }
    barrier();
    if (GLOBAL < push.threads) {
        for (uint i = GLOBAL; i < push.count; i += push.threads) {
            uint bin = bin_of(sample_at(i));
            if (bin < push.bins) atomicAdd(counts[bin * COPIES + LOCAL % COPIES], 1);
        }
    }
    barrier();
    for (uint first = 0; first < push.bins; first += VKPRIM_WORKGROUP_SIZE) {
        uint bin = min(first + LOCAL, push.bins - 1), sum = 0;
        for (uint copy = 0; copy < COPIES; ++copy) sum += counts[bin * COPIES + copy];
        if (first + LOCAL < push.bins && sum > 0) atomicAdd(vkprim_Words(push.target).at[bin], sum);
    }
}
