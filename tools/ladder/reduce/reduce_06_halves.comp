#version 460
// variants: pass
// step: tree, halves
// idea: The first half adds the second (kernel 3), so that neighbours use neighbouring banks.
// shape: elements=1 results=workgroup barriers=1L+1 shared=4N
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

shared uint sums[VKPRIM_WORKGROUP_SIZE];

void main() {
    if (WORKGROUP >= push.workgroups) return;
    sums[LOCAL] = GLOBAL < push.count ? vkprim_Words(push.source).at[GLOBAL] : 0;
    barrier();
    for (uint half_size = VKPRIM_WORKGROUP_SIZE / 2; half_size > 0; half_size /= 2) {
        if (LOCAL < half_size) sums[LOCAL] += sums[LOCAL + half_size];
        barrier();
    }
    if (LOCAL == 0) vkprim_Words(push.target).at[WORKGROUP] = sums[0];
}
