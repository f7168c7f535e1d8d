#version 460
// variants: block
// step: Blelloch
// idea: A tree of sums, and down again what comes before each node (Blelloch 1990, 1.2): 2 N additions.
// shape: elements=2 barriers=2L+3 shared=8N
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

shared float sums[2 * VKPRIM_WORKGROUP_SIZE];

void main() {
    if (WORKGROUP >= push.workgroups) return;
    uint first = WORKGROUP * VKPRIM_WORKGROUP_SIZE * 2;
    float left = element_at(first + LOCAL), right = element_at(first + LOCAL + VKPRIM_WORKGROUP_SIZE);
    sums[LOCAL] = left;
    sums[LOCAL + VKPRIM_WORKGROUP_SIZE] = right;
    for (uint nodes = VKPRIM_WORKGROUP_SIZE, stride = 1; nodes > 0; nodes /= 2, stride *= 2) { // up
        barrier();
        uint node = stride * (2 * LOCAL + 1) - 1;
        if (LOCAL < nodes) sums[node + stride] += sums[node];
    }
    if (LOCAL == 0) {
        Floats(push.sums).at[WORKGROUP] = sums[2 * VKPRIM_WORKGROUP_SIZE - 1];
        sums[2 * VKPRIM_WORKGROUP_SIZE - 1] = 0;
    }
    for (uint nodes = 1, stride = VKPRIM_WORKGROUP_SIZE; stride > 0; nodes *= 2, stride /= 2) { // down
        barrier();
        uint node = stride * (2 * LOCAL + 1) - 1;
        if (LOCAL < nodes) {
            float before = sums[node + stride];
            sums[node + stride] = before + sums[node];
            sums[node] = before;
        }
    }
    barrier();
    put_element(first + LOCAL, sums[LOCAL] + left);
    put_element(first + LOCAL + VKPRIM_WORKGROUP_SIZE, sums[LOCAL + VKPRIM_WORKGROUP_SIZE] + right);
}
