#version 460
// variants: any
//
// What arrives in push constants.
#extension GL_GOOGLE_include_directive : require
#include "doctor.glsl"

layout(push_constant) uniform Push { PatternPush push; };

void main() {
    if (gl_LocalInvocationIndex != 0) return;
    [[unroll]] for (uint i = 0; i < PUSH_WORDS; ++i) vkprim_Words(push.results).at[i] = push.words[i];
}
