#version 460
// Cull, scan and compact in one kernel: which spheres touch a half-space, their numbers in order, and how many they are.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/tiles.glsl>

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Spheres { vec4 at[]; };

layout(push_constant) uniform Push {
    uvec2 spheres, visible, kept, scratch;
    vec4 plane;
    uint count;
} push;

const uint EACH = 4; // spheres of an invocation

uint kept; // of this invocation's spheres, as bits

ELEMENT tile_load(uint tile) {
    kept = 0;
    for (uint i = 0; i < EACH; ++i) {
        uint sphere = (tile * WORKGROUP_SIZE + invocation()) * EACH + i;
        if (sphere >= push.count) break;
        vec4 at = Spheres(push.spheres).at[sphere];
        if (dot(at.xyz, push.plane.xyz) + push.plane.w >= -at.w) kept |= 1 << i;
    }
    return bitCount(kept);
}

void tile_store(uint tile, ELEMENT before, ELEMENT total) {
    for (uint i = 0; i < EACH; ++i) {
        if ((kept >> i & 1) == 0) continue;
        Words(push.visible).at[before++] = (tile * WORKGROUP_SIZE + invocation()) * EACH + i;
    }
    bool is_last = (tile + 1) * WORKGROUP_SIZE * EACH >= push.count;
    if (is_last && invocation() == 0) Words(push.kept).at[0] = total;
}

void main() { tiles_scan(push.scratch, max((push.count + WORKGROUP_SIZE * EACH - 1) / (WORKGROUP_SIZE * EACH), 1)); }
