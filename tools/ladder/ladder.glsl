// What all steps of the ladders begin with.
#ifndef LADDER_GLSL
#define LADDER_GLSL
#extension GL_KHR_shader_subgroup_basic : require
#include <vkprim/glsl/address.glsl>
#include <vkprim/glsl/constants.glsl>
#include "ladder_push.h"

layout(push_constant) uniform Push { LadderPush push; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float at[]; };

#define LOCAL gl_LocalInvocationIndex
#define WORKGROUP workgroup_number()
#define GLOBAL (workgroup_number() * WORKGROUP_SIZE + gl_LocalInvocationIndex)

// Of a scan: beyond the end there are zeros.
float element_at(uint i) { return i < push.count ? Floats(push.source).at[i] : 0; }
vec4 four_at(uint i) { return vec4(element_at(i), element_at(i + 1), element_at(i + 2), element_at(i + 3)); }
void put_element(uint i, float value) {
    if (i < push.count) Floats(push.target).at[i] = value;
}

// Of a histogram: the sample, a byte, and its bin, which is none of them where the sample is not counted.
uint sample_at(uint i) { return bitfieldExtract(Words(push.source).at[i / 4], int(i % 4) * 8, 8); }
uint bin_of(uint value) { return value < push.first ? push.bins : (value - push.first) / push.width; }

#endif
