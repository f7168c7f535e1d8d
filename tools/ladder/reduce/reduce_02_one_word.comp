#version 460
// variants: pass
// step: atomics, one word
// idea: Each element is added to the one result by an atomic operation; all of them queue for that word.
// shape: elements=1 results=one barriers=0 shared=0 cleared=1
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

void main() {
    if (GLOBAL < push.count) atomicAdd(vkprim_Words(push.target).at[0], vkprim_Words(push.source).at[GLOBAL]);
}
