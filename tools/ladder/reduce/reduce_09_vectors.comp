#version 460
// variants: pass
// step: vectors and subgroup arithmetic
// idea: Each invocation loads four times 16 bytes at once, and the device's own instruction adds a subgroup.
// shape: elements=16 results=workgroup barriers=1 shared=4N subgroups=arithmetic
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

shared uint sums[VKPRIM_WORKGROUP_SIZE];

void main() {
    if (WORKGROUP >= push.workgroups) return;
    uint first = WORKGROUP * VKPRIM_WORKGROUP_SIZE * 16 + LOCAL * 4, sum = 0;
    [[unroll]] for (uint v = 0; v < 4; ++v) {
        uint i = first + v * VKPRIM_WORKGROUP_SIZE * 4;
        if (i + 4 <= push.count) {
            uvec4 four = vkprim_Words4(push.source).at[i / 4];
            sum += four.x + four.y + four.z + four.w;
        } else {
            for (; i < push.count; ++i) sum += vkprim_Words(push.source).at[i];
        }
    }
    sum = subgroupAdd(sum);
    if (gl_SubgroupInvocationID == 0) sums[gl_SubgroupID] = sum;
    barrier();
    sum = 0;
    for (uint group = 0; group < gl_NumSubgroups; group += gl_SubgroupSize) {
        uint s = group + gl_SubgroupInvocationID;
        sum += s < gl_NumSubgroups ? sums[s] : 0;
    }
    sum = subgroupAdd(sum);
    if (LOCAL == 0) vkprim_Words(push.target).at[WORKGROUP] = sum;
}
