#version 460
// Cull, scan and compact in one kernel: which spheres touch a half-space, their numbers in order, and how many they are. The engine
// around it has taken all plain names, and the constant ids from 0 on.
#extension GL_GOOGLE_include_directive : require
#include "engine.glsl"
#define VKPRIM_FIRST_CONSTANT 40
#include <vkprim/glsl/tiles.glsl>
#include <vkprim/glsl/collectives.glsl>
#include <vkprim/glsl/privatized.glsl>

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Spheres { vec4 at[]; };

layout(push_constant) uniform Push {
    uvec2 spheres, visible, kept, scratch;
    vec4 plane;
    uint count;
} push;

const uint EACH = 4; // spheres of an invocation

uint kept; // of this invocation's spheres, as bits

VKPRIM_ELEMENT vkprim_tile_load(uint tile) {
    kept = 0;
    for (uint i = 0; i < EACH; ++i) {
        uint sphere = (tile * VKPRIM_WORKGROUP_SIZE + vkprim_invocation()) * EACH + i;
        if (sphere >= push.count) break;
        vec4 at = Spheres(push.spheres).at[sphere];
        if (dot(at.xyz, push.plane.xyz) + push.plane.w >= -at.w) kept |= 1 << i;
    }
    return bitCount(kept);
}

void vkprim_tile_store(uint tile, VKPRIM_ELEMENT before, VKPRIM_ELEMENT total) {
    for (uint i = 0; i < EACH; ++i) {
        if ((kept >> i & 1) == 0) continue;
        vkprim_Words(push.visible).at[before++] = (tile * VKPRIM_WORKGROUP_SIZE + vkprim_invocation()) * EACH + i;
    }
    bool is_last = (tile + 1) * VKPRIM_WORKGROUP_SIZE * EACH >= push.count;
    if (is_last && vkprim_invocation() == 0) vkprim_Words(push.kept).at[0] = total;
}

void main() { vkprim_tiles_scan(push.scratch, max((push.count + VKPRIM_WORKGROUP_SIZE * EACH - 1) / (VKPRIM_WORKGROUP_SIZE * EACH), 1)); }
