#version 460
// variants: exchange
// step: bitonic, a dispatch each round
// idea: Half the keys exchange with the other half where they are not in order (Batcher 1968): log N (log N + 1) / 2 rounds over all keys.
// shape: elements=2 barriers=0 shared=0
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"
#include "exchange.glsl"

// Keys beyond the end would be the largest, and so stay there.
void main() {
    uvec2 pair = push.distance == 0 ? mirrored(GLOBAL, push.width) : apart(GLOBAL, push.distance);
    if (pair.x >= push.count) return;
    uint low = vkprim_Words(push.source).at[pair.x];
    if (pair.y < push.count) {
        uint high = vkprim_Words(push.source).at[pair.y];
        vkprim_Words(push.target).at[pair.y] = max(low, high);
        low = min(low, high);
    }
    vkprim_Words(push.target).at[pair.x] = low;
}
