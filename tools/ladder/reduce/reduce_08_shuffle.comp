#version 460
// variants: pass
// step: subgroup shuffles
// idea: Each subgroup adds in registers, and then what all of them found: two levels and one barrier.
// shape: elements=2 results=workgroup barriers=1 shared=4N subgroups=shuffle
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

shared uint sums[VKPRIM_WORKGROUP_SIZE]; // a word for each subgroup, and there may be as many as invocations

uint subgroup_sum(uint value) {
    for (uint bit = 1; bit < min(gl_SubgroupSize, VKPRIM_WORKGROUP_SIZE); bit *= 2) value += subgroupShuffleXor(value, bit);
    return value;
}

void main() {
    if (WORKGROUP >= push.workgroups) return;
    uint i = WORKGROUP * VKPRIM_WORKGROUP_SIZE * 2 + LOCAL, sum = 0;
    if (i < push.count) sum = vkprim_Words(push.source).at[i];
    if (i + VKPRIM_WORKGROUP_SIZE < push.count) sum += vkprim_Words(push.source).at[i + VKPRIM_WORKGROUP_SIZE];
    sum = subgroup_sum(sum);
    if (gl_SubgroupInvocationID == 0) sums[gl_SubgroupID] = sum;
    barrier();
    sum = 0;
    for (uint group = 0; group < gl_NumSubgroups; group += gl_SubgroupSize) {
        uint s = group + gl_SubgroupInvocationID;
        sum += s < gl_NumSubgroups ? sums[s] : 0;
    }
    sum = subgroup_sum(sum);
    if (LOCAL == 0) vkprim_Words(push.target).at[WORKGROUP] = sum;
}
