#version 460
// variants: any
//
// Work for timestamps to measure: push.count rounds of a linear congruence, of which each needs the one before.
#extension GL_GOOGLE_include_directive : require
#include "doctor.glsl"

layout(push_constant) uniform Push { DoctorPush push; };

void main() {
    uint number = vkprim_workgroup_number() * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex, state = number;
    [[dont_unroll]] for (uint i = 0; i < push.count; ++i) {
        state = state * 1664525 + 1013904223;
        state ^= state >> 13;
    }
    vkprim_Words(vkprim_address_of(push.results, number, 4)).at[0] = state;
}
