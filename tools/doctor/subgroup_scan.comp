#version 460
// variants: any
//
// Inclusive sums by the driver. vkprim makes its own of shuffles, in an order that is the same everywhere.
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "subgroup.glsl"

uvec4 operate(uint round, uint value) {
    return uvec4(subgroupInclusiveAdd(value), subgroupExclusiveAdd(value), subgroupAdd(value), 0);
}
