#version 460
// variants: pass
// step: atomics, a word each
// idea: The same with a word for each workgroup, so that queues are shorter; and again, until one word is left.
// shape: elements=1 results=workgroup barriers=0 shared=0 cleared=1
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

void main() {
    if (GLOBAL < push.count) atomicAdd(vkprim_Words(push.target).at[WORKGROUP], vkprim_Words(push.source).at[GLOBAL]);
}
