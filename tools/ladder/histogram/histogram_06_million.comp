#version 460
// variants: words
// step: a million bins
// idea: Samples of 32 bits, so many bins that only memory holds them: an atomic operation for each sample.
// shape: barriers=0 shared=0
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

void main() {
    if (GLOBAL >= push.count) return;
    uint bin = vkprim_Words(push.source).at[GLOBAL] / push.width;
    if (bin < push.bins) atomicAdd(vkprim_Words(push.target).at[bin], 1);
}
