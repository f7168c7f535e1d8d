#version 460
// variants: any
//
// How many rounds a loop gets. Mesa's CPU driver ends the loops of a shader after 65535 in all.
#extension GL_GOOGLE_include_directive : require
#include "doctor.glsl"

layout(push_constant) uniform Push { DoctorPush push; };

void main() {
    if (gl_LocalInvocationIndex != 0) return;
    uint rounds = 0;
    for (uint i = 0; i < push.count; ++i) {
        // Zeros, which the compiler does not know.
        rounds += 1 + atomicLoad(vkprim_Words(push.memory).at[i % 16], gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
    }
    vkprim_Words(push.results).at[0] = rounds;
}
