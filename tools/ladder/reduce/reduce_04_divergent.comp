#version 460
// variants: pass
// step: tree, divergent
// idea: A tree in shared memory (Harris 2007, kernel 1); of each subgroup fewer and fewer invocations work, spread over all.
// shape: elements=1 results=workgroup barriers=1L+1 shared=4N
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

shared uint sums[VKPRIM_WORKGROUP_SIZE];

void main() {
    if (WORKGROUP >= push.workgroups) return;
    sums[LOCAL] = GLOBAL < push.count ? vkprim_Words(push.source).at[GLOBAL] : 0;
    barrier();
    for (uint stride = 1; stride < VKPRIM_WORKGROUP_SIZE; stride *= 2) {
        if (LOCAL % (2 * stride) == 0) sums[LOCAL] += sums[LOCAL + stride];
        barrier();
    }
    if (LOCAL == 0) vkprim_Words(push.target).at[WORKGROUP] = sums[0];
}
