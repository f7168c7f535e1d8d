#version 460
// variants: any
//
// Votes: about what holds for all invocations of some subgroups; for one invocation; and for all or none of a subgroup.
#extension GL_GOOGLE_include_directive : require
#include "subgroup.glsl"

uvec4 operate(uint round, uint value) {
    bool but_one = gl_SubgroupInvocationID != round % VKPRIM_SUBGROUP_SIZE || (gl_SubgroupID + round) % 2 == 0;
    return uvec4(subgroupAll(but_one), subgroupAny(!but_one), subgroupAllEqual(but_one), 0);
}
