// What the invocations of one workgroup compute together. Every order of evaluation here is fixed by invocation numbers and
// the same for every subgroup size: invocations combine in pairs (i, i xor 1), (i, i xor 2), (i, i xor 4) ..., through
// shuffles while the partner is in the same subgroup and through shared memory beyond.
//
// All functions must be called by the whole workgroup, in uniform control flow. Loops around them, and loops whose results
// are used behind them, run the same number of times in every invocation: some drivers get the others wrong.
#ifndef WORKGROUP_GLSL
#define WORKGROUP_GLSL
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "operation.glsl"

shared ELEMENT4 workgroup_words[WORKGROUP_SIZE];
shared uint workgroup_word;

// Subgroups are full and SUBGROUP_SIZE wide (src/pipeline.cpp sees to it), so this numbers the workgroup without gaps.
uint invocation() { return gl_SubgroupID * SUBGROUP_SIZE + gl_SubgroupInvocationID; }

// The value of invocation() xor `bit`.
#define DEFINE_EXCHANGE(TYPE, MEMBER)                                           \
    TYPE workgroup_exchange(TYPE value, uint bit) {                             \
        if (bit < SUBGROUP_SIZE) return subgroupShuffleXor(value, bit);         \
        workgroup_words[invocation()] MEMBER = value;                           \
        barrier();                                                              \
        TYPE partner = workgroup_words[invocation() ^ bit] MEMBER;              \
        barrier();                                                              \
        return partner;                                                         \
    }

DEFINE_EXCHANGE(ELEMENT, .x)
DEFINE_EXCHANGE(ELEMENT4, )

// The operation over all invocations' values; every invocation gets the result.
ELEMENT workgroup_reduce(ELEMENT value) {
    for (uint bit = 1; bit < WORKGROUP_SIZE; bit <<= 1) value = operate(value, workgroup_exchange(value, bit));
    return value;
}

// A value that invocation 0 knows, for all; what invocation 0 has acquired from other workgroups comes with it.
uint workgroup_broadcast(uint value) {
    if (invocation() == 0) workgroup_word = value;
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
    value = workgroup_word;
    barrier();
    return value;
}

// The least of all invocations' values.
uint workgroup_min(uint value) {
    if (invocation() == 0) workgroup_word = ~0u;
    barrier();
    atomicMin(workgroup_word, value);
    barrier();
    value = workgroup_word;
    barrier();
    return value;
}

#endif
