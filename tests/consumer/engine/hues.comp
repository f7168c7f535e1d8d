#version 460
// A shader of the engine's with plain atomics, which are of device scope: the usage example of vkprim/glsl/privatized.glsl.
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#include <vkprim/glsl/privatized.glsl>

layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Numbers { uint at[]; };
layout(push_constant) uniform Push { uvec2 pixels, counts; } push;

VKPRIM_DEFINE_HISTOGRAM(hue, 64, 8)

void main() {
    Numbers pixels = Numbers(push.pixels), counts = Numbers(push.counts);
    hue_clear(gl_LocalInvocationIndex, gl_WorkGroupSize.x);
    hue_count(pixels.at[gl_GlobalInvocationID.x] % 64, gl_LocalInvocationIndex);
    barrier();
    if (gl_LocalInvocationIndex < 64) atomicAdd(counts.at[gl_LocalInvocationIndex], hue_total(gl_LocalInvocationIndex));
}
