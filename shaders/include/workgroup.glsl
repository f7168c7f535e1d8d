// What the invocations of one workgroup compute together. Every order of evaluation here is fixed by invocation numbers and
// the same for every subgroup size: invocations combine in pairs (i, i xor 1), (i, i xor 2), (i, i xor 4) ..., within a team
// of 32 through shuffles, or through shared memory where subgroups are smaller, and between teams through shared memory.
//
// All functions must be called by the whole workgroup, in uniform control flow. Loops around them, and loops whose results
// are used behind them, run the same number of times in every invocation: some drivers get the others wrong.
#ifndef WORKGROUP_GLSL
#define WORKGROUP_GLSL
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "operation.glsl"

const uint TEAM = 32;
const uint TEAMS = WORKGROUP_SIZE / TEAM;

shared ELEMENT4 exchange_words[SUBGROUP_SIZE < TEAM ? WORKGROUP_SIZE : 1];
shared uint workgroup_word;

// Subgroups are full and SUBGROUP_SIZE wide (src/pipeline.cpp sees to it), so this numbers the workgroup without gaps.
uint invocation() { return gl_SubgroupID * SUBGROUP_SIZE + gl_SubgroupInvocationID; }

// The value of invocation() xor `bit`, which is in the same team.
#define DEFINE_EXCHANGE(TYPE, MEMBER)                                  \
    TYPE team_exchange(TYPE value, uint bit) {                         \
        if (bit < SUBGROUP_SIZE) return subgroupShuffleXor(value, bit); \
        exchange_words[invocation()] MEMBER = value;                   \
        barrier();                                                     \
        TYPE partner = exchange_words[invocation() ^ bit] MEMBER;      \
        barrier();                                                     \
        return partner;                                                \
    }

DEFINE_EXCHANGE(ELEMENT, .x)
DEFINE_EXCHANGE(ELEMENT4, )

// teams_share() makes team_totals out of each team's `total`, of which all its invocations pass the same.
// teams_fold() is the fold over teams `first` to `first` + `width`, a power of two, in pairs.
// workgroup_reduce() is the operation over all invocations' values; every invocation gets the result.
#define DEFINE_REDUCE(TYPE, TOTALS, FOLD)                                                                      \
    shared TYPE TOTALS[TEAMS];                                                                                 \
    void teams_share(TYPE total) {                                                                             \
        barrier(); /* whoever read the last totals has done so */                                              \
        if (invocation() % TEAM == 0) TOTALS[invocation() / TEAM] = total;                                     \
        barrier();                                                                                             \
    }                                                                                                          \
    TYPE FOLD(uint first, uint width) {                                                                        \
        TYPE parts[TEAMS];                                                                                     \
        [[unroll]] for (uint t = 0; t < width; ++t) parts[t] = TOTALS[first + t];                              \
        [[unroll]] for (uint reach = 1; reach < width; reach *= 2) {                                           \
            [[unroll]] for (uint t = 0; t < width; t += 2 * reach) parts[t] = operate(parts[t], parts[t + reach]); \
        }                                                                                                      \
        return parts[0];                                                                                       \
    }                                                                                                          \
    TYPE workgroup_reduce(TYPE value) {                                                                        \
        [[unroll]] for (uint bit = 1; bit < TEAM; bit <<= 1) value = operate(value, team_exchange(value, bit)); \
        teams_share(value);                                                                                    \
        return FOLD(0, TEAMS);                                                                                 \
    }

DEFINE_REDUCE(ELEMENT, team_totals, teams_fold)
DEFINE_REDUCE(ELEMENT4, team_totals4, teams_fold4)

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
