#version 460
// variants: block | finish FINISHES
// step: bitonic, small rounds in shared memory
// idea: Rounds that stay within a workgroup's keys are done there one after the other; only the others go through memory.
// shape: elements=2 barriers=0.5LL+1.5L+2 shared=8N
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"
#include "exchange.glsl"

shared uint keys[2 * VKPRIM_WORKGROUP_SIZE];

void exchange(uvec2 pair) {
    uint low = keys[pair.x], high = keys[pair.y];
    keys[pair.x] = min(low, high);
    keys[pair.y] = max(low, high);
    barrier();
}

void exchange_apart(uint most) {
    for (uint distance = most; distance > 0; distance /= 2) exchange(apart(LOCAL, distance));
}

void main() {
    if (WORKGROUP >= push.workgroups) return;
    for (uint e = 0; e < 2; ++e) {
        uint place = e * VKPRIM_WORKGROUP_SIZE + LOCAL, i = WORKGROUP * 2 * VKPRIM_WORKGROUP_SIZE + place;
        keys[place] = i < push.count ? vkprim_Words(push.source).at[i] : ~0u;
    }
    barrier();
#ifdef FINISHES
    exchange_apart(VKPRIM_WORKGROUP_SIZE);
#else
    for (uint width = 2; width <= 2 * VKPRIM_WORKGROUP_SIZE; width *= 2) {
        exchange(mirrored(LOCAL, width));
        exchange_apart(width / 4);
    }
#endif
    for (uint e = 0; e < 2; ++e) {
        uint place = e * VKPRIM_WORKGROUP_SIZE + LOCAL, i = WORKGROUP * 2 * VKPRIM_WORKGROUP_SIZE + place;
        if (i < push.count) vkprim_Words(push.target).at[i] = keys[place];
    }
}
