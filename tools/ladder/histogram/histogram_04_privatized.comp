#version 460
// variants: pass
// step: privatized
// idea: Each workgroup counts in its shared memory, and adds to the bins in memory once, in the end.
// shape: threads=few barriers=2 shared=1024
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

shared uint counts[LADDER_BINS];

void main() {
    if (WORKGROUP >= push.workgroups) return;
    for (uint first = 0; first < push.bins; first += VKPRIM_WORKGROUP_SIZE) {
        if (first + LOCAL < push.bins) counts[first + LOCAL] = 0;
    }
    barrier();
    if (GLOBAL < push.threads) {
        for (uint i = GLOBAL; i < push.count; i += push.threads) {
            uint bin = bin_of(sample_at(i));
            if (bin < push.bins) atomicAdd(counts[bin], 1);
        }
    }
    barrier();
    for (uint first = 0; first < push.bins; first += VKPRIM_WORKGROUP_SIZE) {
        uint bin = first + LOCAL;
        if (bin < push.bins && counts[bin] > 0) atomicAdd(vkprim_Words(push.target).at[bin], counts[bin]);
    }
}
