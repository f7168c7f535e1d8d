#version 460
// variants: any
//
// Zeros, where atomic operations add.
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

void main() {
    if (GLOBAL < push.count) vkprim_Words(push.target).at[GLOBAL] = 0;
}
