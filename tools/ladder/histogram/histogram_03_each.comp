#version 460
// variants: pass
// step: an invocation each
// idea: An invocation for each sample, and for each an atomic operation in memory.
// shape: barriers=0 shared=0
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

void main() {
    if (GLOBAL >= push.count) return;
    uint bin = bin_of(sample_at(GLOBAL));
    if (bin < push.bins) atomicAdd(vkprim_Words(push.target).at[bin], 1);
}
