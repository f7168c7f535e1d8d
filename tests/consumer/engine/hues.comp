#version 460
// A shader of the engine's that counts what is in a texture, which is in a set of the engine's. The counts are there, too, and plain
// atomics, of device scope, add them up: the usage example of vkprim/glsl/privatized.glsl.
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#include <vkprim/glsl/privatized.glsl>

layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform texture2D picture; // its red is the hue
layout(set = 0, binding = 1) buffer Counts { uint counts[]; };

VKPRIM_DEFINE_HISTOGRAM(hue, 100, 8)

void main() {
    uvec2 size = uvec2(textureSize(picture, 0));
    hue_clear(gl_LocalInvocationIndex, gl_WorkGroupSize.x);
    // Few workgroups with many texels each: what a workgroup adds at the end costs the same for any number of them.
    uint step = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint texel = gl_GlobalInvocationID.x; texel < size.x * size.y; texel += step) {
        float red = texelFetch(picture, ivec2(texel % size.x, texel / size.x), 0).r;
        if (red < 100.0) hue_count(uint(red), gl_LocalInvocationIndex);
    }
    VKPRIM_ADD_HISTOGRAM(hue, 100, counts, gl_LocalInvocationIndex, gl_WorkGroupSize.x)
}
