#version 460
// variants: link
// step: a barrier after each dispatch
// idea: A memory barrier between shader writes and shader reads, which is what vkprim records.
// shape: elements=1
//
// A link of two chains, or of one of them: each element becomes its neighbour plus push.links.
#extension GL_GOOGLE_include_directive : require
#include "link.glsl"

void main() {
    if (GLOBAL < push.threads) {
        vkprim_Words(push.target).at[push.first + GLOBAL] = linked(push.source, push.first + GLOBAL, push.links);
    }
}
