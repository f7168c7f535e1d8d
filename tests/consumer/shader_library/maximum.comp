#version 460
// Running maxima of floats, by a user's operation of tiles.glsl.
#extension GL_GOOGLE_include_directive : require
#define ELEMENT_FLOAT
#define ELEMENT_OPERATE(a, b) max(a, b)
#define ELEMENT_IDENTITY uintBitsToFloat(0xff800000u)
#include <vkprim/glsl/tiles.glsl>

layout(push_constant) uniform Push {
    uvec2 values, maxima, unused, scratch;
    vec4 plane;
    uint count;
} push;

float own;

ELEMENT tile_load(uint tile) {
    uint index = tile * WORKGROUP_SIZE + invocation();
    own = index < push.count ? uintBitsToFloat(Words(push.values).at[index]) : ELEMENT_IDENTITY;
    return own;
}

void tile_store(uint tile, ELEMENT before, ELEMENT total) {
    uint index = tile * WORKGROUP_SIZE + invocation();
    if (index < push.count) Words(push.maxima).at[index] = floatBitsToUint(max(before, own));
}

void main() { tiles_scan(push.scratch, (push.count + WORKGROUP_SIZE - 1) / WORKGROUP_SIZE); }
