#version 460
// Running maxima of floats, by a user's operation of tiles.glsl.
#extension GL_GOOGLE_include_directive : require
#define VKPRIM_ELEMENT_FLOAT
#define VKPRIM_ELEMENT_OPERATE(a, b) max(a, b)
#define VKPRIM_ELEMENT_IDENTITY uintBitsToFloat(0xff800000u)
#include <vkprim/glsl/tiles.glsl>

layout(push_constant) uniform Push {
    uvec2 values, maxima, unused, scratch;
    vec4 plane;
    uint count;
} push;

float own;

VKPRIM_ELEMENT vkprim_tile_load(uint tile) {
    uint index = tile * VKPRIM_WORKGROUP_SIZE + vkprim_invocation();
    own = index < push.count ? uintBitsToFloat(vkprim_Words(push.values).at[index]) : VKPRIM_ELEMENT_IDENTITY;
    return own;
}

void vkprim_tile_store(uint tile, VKPRIM_ELEMENT before, VKPRIM_ELEMENT total) {
    uint index = tile * VKPRIM_WORKGROUP_SIZE + vkprim_invocation();
    if (index < push.count) vkprim_Words(push.maxima).at[index] = floatBitsToUint(max(before, own));
}

void main() { vkprim_tiles_scan(push.scratch, (push.count + VKPRIM_WORKGROUP_SIZE - 1) / VKPRIM_WORKGROUP_SIZE); }
