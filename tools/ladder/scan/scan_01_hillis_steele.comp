#version 460
// variants: block
// step: Hillis and Steele
// idea: In round k each invocation adds what lies 2^k before it (Hillis, Steele 1986): few rounds, N log N additions.
// shape: elements=1 barriers=2L+1 shared=4N
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

shared float sums[VKPRIM_WORKGROUP_SIZE];

void main() {
    if (WORKGROUP >= push.workgroups) return;
    float sum = element_at(GLOBAL);
    sums[LOCAL] = sum;
    barrier();
    for (uint distance = 1; distance < VKPRIM_WORKGROUP_SIZE; distance *= 2) {
        if (LOCAL >= distance) sum += sums[LOCAL - distance];
        barrier();
        sums[LOCAL] = sum;
        barrier();
    }
    put_element(GLOBAL, sum);
    if (LOCAL == VKPRIM_WORKGROUP_SIZE - 1) Floats(push.sums).at[WORKGROUP] = sum;
}
