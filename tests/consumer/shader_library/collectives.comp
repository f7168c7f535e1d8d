#version 460
// In one workgroup: scan and reduction of a type and an operation of your own, which is not commutative; of a subgroup, of vectors;
// and a histogram.
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include <vkprim/glsl/collectives.glsl>
#include <vkprim/glsl/privatized.glsl>

layout(local_size_x = 256) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer vkprim_Words { uint at[]; };

layout(push_constant) uniform Push {
    uvec2 values, results, unused, scratch;
    vec4 plane;
    uint count;
} push;

// x * slope + start, in integers.
struct Line {
    uint slope, start;
};

Line line_operate(Line first, Line second) {
    return Line(first.slope * second.slope, first.start * second.slope + second.start);
}

uvec2 most_operate(uvec2 a, uvec2 b) { return max(a, b); }

VKPRIM_DEFINE_WORKGROUP_COLLECTIVES(line, Line, 256)
VKPRIM_DEFINE_SUBGROUP_COLLECTIVES(most, uvec2)
VKPRIM_DEFINE_HISTOGRAM(digits, 16, 4)

// Results: of each invocation the scanned line, the reduced line, the subgroup's scan and reduction as one number each, and its
// subgroup's size and place; then 16 bins.
void main() {
    uint index = gl_LocalInvocationIndex, value = vkprim_Words(push.values).at[index];
    Line own = Line(value | 1, value >> 7);
    Line scanned = line_workgroup_scan(own, index), reduced = line_workgroup_reduce(own, index);
    uvec2 pair = uvec2(value & 0xffff, value >> 16), running = most_subgroup_scan(pair), most = most_subgroup_reduce(pair);
    uint results[] = uint[](scanned.slope, scanned.start, reduced.slope, reduced.start, running.x | running.y << 16,
                            most.x | most.y << 16, gl_SubgroupSize, gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID);
    for (uint i = 0; i < 8; ++i) vkprim_Words(push.results).at[index * 8 + i] = results[i];

    digits_clear(index, 256);
    for (uint digit = 0; digit < 8; ++digit) digits_count(value >> 4 * digit & 15, index);
    barrier();
    if (index < 16) vkprim_Words(push.results).at[256 * 8 + index] = digits_total(index);
}
