#version 460
// variants: pass
// step: sections
// idea: Each invocation counts a section of its own by atomic operations in memory; neighbours read far apart.
// shape: threads=few barriers=0 shared=0
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

void main() {
    uint section = (push.count + push.threads - 1) / push.threads;
    if (GLOBAL >= push.threads) return;
    for (uint i = GLOBAL * section; i < min((GLOBAL + 1) * section, push.count); ++i) {
        uint bin = bin_of(sample_at(i));
        if (bin < push.bins) atomicAdd(vkprim_Words(push.target).at[bin], 1);
    }
}
