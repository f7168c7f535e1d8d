#version 460
// variants: join
// step: sums through shared memory
// idea: One invocation reads the sum before the workgroup and hands it to the others.
// shape: elements=1 barriers=1 shared=4
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

shared float before;

void main() {
    if (WORKGROUP >= push.workgroups) return;
    if (LOCAL == 0) before = WORKGROUP > 0 ? Floats(push.sums).at[WORKGROUP - 1] : 0;
    barrier();
    for (uint e = 0; e < push.width; ++e) {
        uint i = (WORKGROUP * push.width + e) * VKPRIM_WORKGROUP_SIZE + LOCAL;
        put_element(i, element_at(i) + before);
    }
}
