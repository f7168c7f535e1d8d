#version 460
// variants: join
// step: sums read directly
// idea: Each invocation reads the sum before its workgroup itself; all of them read one word, which the cache has.
// shape: elements=1 barriers=0 shared=0
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

void main() {
    if (WORKGROUP == 0 || WORKGROUP >= push.workgroups) return;
    for (uint e = 0; e < push.width; ++e) {
        uint i = (WORKGROUP * push.width + e) * VKPRIM_WORKGROUP_SIZE + LOCAL;
        put_element(i, element_at(i) + Floats(push.sums).at[WORKGROUP - 1]);
    }
}
