#version 460
// variants: reduce REDUCE | scan
// step: reduce, then scan
// idea: First the sums of all workgroups, then each workgroup with what comes before it, so that each element is written once.
// shape: elements=4 barriers=2L+1 shared=4N
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

shared float sums[VKPRIM_WORKGROUP_SIZE];

void main() {
    if (WORKGROUP >= push.workgroups) return;
    uint first = (WORKGROUP * VKPRIM_WORKGROUP_SIZE + LOCAL) * 4;
    vec4 four = sums_of(four_at(first));
    float sum = four.w;
    sums[LOCAL] = sum;
    barrier();
    for (uint distance = 1; distance < VKPRIM_WORKGROUP_SIZE; distance *= 2) {
        if (LOCAL >= distance) sum += sums[LOCAL - distance];
        barrier();
        sums[LOCAL] = sum;
        barrier();
    }
#ifdef REDUCE
    if (LOCAL == VKPRIM_WORKGROUP_SIZE - 1) Floats(push.sums).at[WORKGROUP] = sum;
#else
    if (LOCAL > 0) sum = sums[LOCAL - 1]; // of the invocations before
    else sum = 0;
    if (WORKGROUP > 0) sum += Floats(push.sums).at[WORKGROUP - 1];
    put_four(first, sum + four);
#endif
}
