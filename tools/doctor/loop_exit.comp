#version 460
// variants: any
//
// Whether invocations that leave a loop before others keep what they had. Invocation i of a subgroup leaves in round i,
// in which it has found i in memory.
#extension GL_GOOGLE_include_directive : require
#include "doctor.glsl"

layout(push_constant) uniform Push { DoctorPush push; };

void main() {
    uint found = 0, rounds = 0;
    for (;;) {
        found = vkprim_Words(push.memory).at[rounds];
        if (rounds == gl_SubgroupInvocationID) break;
        ++rounds;
    }
    uint invocation = gl_SubgroupID * VKPRIM_SUBGROUP_SIZE + gl_SubgroupInvocationID;
    vkprim_Words results = vkprim_Words(vkprim_address_of(push.results, 2 * invocation, 4));
    results.at[0] = found;
    results.at[1] = rounds;
}
