#version 460
// variants: pass
// step: tree, strided
// idea: The same tree by invocations side by side (kernel 2), whose words now lie in the same banks of shared memory.
// shape: elements=1 results=workgroup barriers=1L+1 shared=4N
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

shared uint sums[VKPRIM_WORKGROUP_SIZE];

void main() {
    if (WORKGROUP >= push.workgroups) return;
    sums[LOCAL] = GLOBAL < push.count ? vkprim_Words(push.source).at[GLOBAL] : 0;
    barrier();
    for (uint stride = 1; stride < VKPRIM_WORKGROUP_SIZE; stride *= 2) {
        uint i = 2 * stride * LOCAL;
        if (i < VKPRIM_WORKGROUP_SIZE) sums[i] += sums[i + stride];
        barrier();
    }
    if (LOCAL == 0) vkprim_Words(push.target).at[WORKGROUP] = sums[0];
}
