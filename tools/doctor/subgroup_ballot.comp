#version 460
// variants: any
//
// Ballots. vkprim has no use for them.
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "subgroup.glsl"

uvec4 operate(uint round, uint value) { return subgroupBallot((value >> (8 + round)) % 2 != 0); }
