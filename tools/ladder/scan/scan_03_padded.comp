#version 460
// variants: block
// step: Blelloch, padded
// idea: The same with every 32nd word skipped, so that a stride's words lie in different banks (Harris 2007, GPU Gems 3, 39.2.3).
// shape: elements=2 barriers=2L+3 shared=8.25N
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

shared float sums[2 * VKPRIM_WORKGROUP_SIZE + VKPRIM_WORKGROUP_SIZE / 16];

uint padded(uint i) { return i + i / 32; }

void main() {
    if (WORKGROUP >= push.workgroups) return;
    uint first = WORKGROUP * VKPRIM_WORKGROUP_SIZE * 2;
    float left = element_at(first + LOCAL), right = element_at(first + LOCAL + VKPRIM_WORKGROUP_SIZE);
    sums[padded(LOCAL)] = left;
    sums[padded(LOCAL + VKPRIM_WORKGROUP_SIZE)] = right;
    for (uint nodes = VKPRIM_WORKGROUP_SIZE, stride = 1; nodes > 0; nodes /= 2, stride *= 2) { // up
        barrier();
        uint node = stride * (2 * LOCAL + 1) - 1;
        if (LOCAL < nodes) sums[padded(node + stride)] += sums[padded(node)];
    }
    if (LOCAL == 0) {
        Floats(push.sums).at[WORKGROUP] = sums[padded(2 * VKPRIM_WORKGROUP_SIZE - 1)];
        sums[padded(2 * VKPRIM_WORKGROUP_SIZE - 1)] = 0;
    }
    for (uint nodes = 1, stride = VKPRIM_WORKGROUP_SIZE; stride > 0; nodes *= 2, stride /= 2) { // down
        barrier();
        uint node = stride * (2 * LOCAL + 1) - 1;
        if (LOCAL < nodes) {
            float before = sums[padded(node + stride)];
            sums[padded(node + stride)] = before + sums[padded(node)];
            sums[padded(node)] = before;
        }
    }
    barrier();
    put_element(first + LOCAL, sums[padded(LOCAL)] + left);
    put_element(first + LOCAL + VKPRIM_WORKGROUP_SIZE, sums[padded(LOCAL + VKPRIM_WORKGROUP_SIZE)] + right);
}
