#version 460
// variants: pass
// step: first addition while loading
// idea: Each invocation loads two elements (kernel 4): half as many workgroups, and none of which half only loads.
// shape: elements=2 results=workgroup barriers=1L+1 shared=4N
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

shared uint sums[VKPRIM_WORKGROUP_SIZE];

void main() {
    if (WORKGROUP >= push.workgroups) return;
    uint i = WORKGROUP * VKPRIM_WORKGROUP_SIZE * 2 + LOCAL, sum = 0;
    if (i < push.count) sum = vkprim_Words(push.source).at[i];
    if (i + VKPRIM_WORKGROUP_SIZE < push.count) sum += vkprim_Words(push.source).at[i + VKPRIM_WORKGROUP_SIZE];
    sums[LOCAL] = sum;
    barrier();
    for (uint half_size = VKPRIM_WORKGROUP_SIZE / 2; half_size > 0; half_size /= 2) {
        if (LOCAL < half_size) sums[LOCAL] += sums[LOCAL + half_size];
        barrier();
    }
    if (LOCAL == 0) vkprim_Words(push.target).at[WORKGROUP] = sums[0];
}
