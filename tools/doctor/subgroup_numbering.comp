#version 460
// variants: any
//
// How invocations are numbered: vkprim takes gl_SubgroupID * VKPRIM_SUBGROUP_SIZE + gl_SubgroupInvocationID for a number without gaps.
#extension GL_GOOGLE_include_directive : require
#include "doctor.glsl"

layout(push_constant) uniform Push { DoctorPush push; };

void main() {
    vkprim_Words4(vkprim_address_of(push.results, gl_LocalInvocationIndex, 16)).at[0] =
        uvec4(gl_SubgroupID, gl_SubgroupInvocationID, gl_SubgroupSize, gl_NumSubgroups);
}
