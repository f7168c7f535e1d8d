#version 460
// variants: block
// step: subgroup shuffles
// idea: Each subgroup scans in registers, and then the sums of the others: two levels and one barrier.
// shape: elements=1 barriers=1 shared=4N subgroups=relative
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

shared float sums[VKPRIM_WORKGROUP_SIZE]; // a word for each subgroup, and there may be as many as invocations

float subgroup_scan(float value) {
    for (uint distance = 1; distance < min(gl_SubgroupSize, VKPRIM_WORKGROUP_SIZE); distance *= 2) {
        float before = subgroupShuffleUp(value, distance);
        if (gl_SubgroupInvocationID >= distance) value += before;
    }
    return value;
}

void main() {
    if (WORKGROUP >= push.workgroups) return;
    uint last = min(gl_SubgroupSize, VKPRIM_WORKGROUP_SIZE) - 1;
    float sum = subgroup_scan(element_at(GLOBAL)), before = 0;
    if (gl_SubgroupInvocationID == last) sums[gl_SubgroupID] = sum;
    barrier();
    for (uint group = 0; group < gl_NumSubgroups; group += gl_SubgroupSize) {
        uint s = group + gl_SubgroupInvocationID;
        before += subgroupShuffle(subgroup_scan(s < gl_SubgroupID ? sums[s] : 0), last);
    }
    put_element(GLOBAL, sum + before);
    if (LOCAL == VKPRIM_WORKGROUP_SIZE - 1) Floats(push.sums).at[WORKGROUP] = sum + before;
}
