#version 460
// variants: any
//
// In which order workgroups start: each takes a ticket. Every ticket must be handed out once.
#extension GL_GOOGLE_include_directive : require
#include "doctor.glsl"

layout(push_constant) uniform Push { DoctorPush push; };

void main() {
    uint number = vkprim_workgroup_number();
    if (number >= push.count || gl_LocalInvocationIndex != 0) return;
    uint ticket = atomicAdd(vkprim_Words(push.memory).at[0], 1, RELAXED);
    vkprim_Words(vkprim_address_of(push.results, number, 4)).at[0] = ticket;
}
