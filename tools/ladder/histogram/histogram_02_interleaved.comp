#version 460
// variants: pass
// step: interleaved
// idea: The same number of invocations, but neighbours read neighbouring samples.
// shape: threads=few barriers=0 shared=0
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

void main() {
    if (GLOBAL >= push.threads) return;
    for (uint i = GLOBAL; i < push.count; i += push.threads) {
        uint bin = bin_of(sample_at(i));
        if (bin < push.bins) atomicAdd(vkprim_Words(push.target).at[bin], 1);
    }
}
