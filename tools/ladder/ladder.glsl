// What all steps of the ladders begin with.
#ifndef LADDER_GLSL
#define LADDER_GLSL
#extension GL_KHR_shader_subgroup_basic : require
#include <vkprim/glsl/detail/address.glsl>
#include <vkprim/glsl/detail/constants.glsl>
#include "ladder_push.h"

layout(push_constant) uniform Push { LadderPush push; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float at[]; };

#define LOCAL gl_LocalInvocationIndex
#define WORKGROUP vkprim_workgroup_number()
#define GLOBAL (vkprim_workgroup_number() * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex)

// Of a scan: beyond the end there are zeros. Four begin at a multiple of four, and so of 16 bytes.
float element_at(uint i) { return i < push.count ? Floats(push.source).at[i] : 0; }
vec4 four_at(uint i) {
    if (i + 4 <= push.count) return uintBitsToFloat(vkprim_Words4(push.source).at[i / 4]);
    return vec4(element_at(i), element_at(i + 1), element_at(i + 2), 0);
}
vec4 sums_of(vec4 four) { return vec4(four.x, four.x + four.y, four.x + four.y + four.z, four.x + four.y + four.z + four.w); }
void put_element(uint i, float value) {
    if (i < push.count) Floats(push.target).at[i] = value;
}
void put_four(uint i, vec4 four) {
    if (i + 4 <= push.count) vkprim_Words4(push.target).at[i / 4] = floatBitsToUint(four);
    else for (uint e = 0; e < 4; ++e) put_element(i + e, four[e]);
}

// Of a histogram: the sample, a byte, and its bin, which is none of them where the sample is not counted.
uint sample_at(uint i) { return bitfieldExtract(vkprim_Words(push.source).at[i / 4], int(i % 4) * 8, 8); }
uint bin_of(uint value) { return value < push.first ? push.bins : (value - push.first) / push.width; }

#endif
