#version 460
// variants: any
//
// Which workgroups run, by their number through both dimensions of the grid, and what gl_NumWorkGroups says.
#extension GL_GOOGLE_include_directive : require
#include "doctor.glsl"

layout(push_constant) uniform Push { DoctorPush push; };

void main() {
    if (gl_LocalInvocationIndex != 0) return;
    uint number = vkprim_workgroup_number();
    if (number == 0) {
        vkprim_Words grid = vkprim_Words(push.results);
        grid.at[0] = gl_NumWorkGroups.x;
        grid.at[1] = gl_NumWorkGroups.y;
        grid.at[2] = gl_NumWorkGroups.z;
    }
    if (number >= push.count) return;
    atomicAdd(vkprim_Words(vkprim_address_of(push.results, 3 + number, 4)).at[0], 1, gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
}
