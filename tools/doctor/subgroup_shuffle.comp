#version 460
// variants: any
//
// Shuffles: from an invocation that depends on the round, and from invocation xor a power of two.
#extension GL_GOOGLE_include_directive : require
#include "subgroup.glsl"

uvec4 operate(uint round, uint value) {
    uint lane = (gl_SubgroupInvocationID * 3 + round) % VKPRIM_SUBGROUP_SIZE, bit = (1 << round) % VKPRIM_SUBGROUP_SIZE;
    return uvec4(subgroupShuffle(value, lane), subgroupShuffleXor(value, bit), 0, 0);
}
