// What the invocations of one workgroup compute together. Every order of evaluation here is fixed by invocation numbers and
// the same for every subgroup size: invocations combine in pairs (i, i xor 1), (i, i xor 2), (i, i xor 4) ..., within a team
// of 32 through shuffles, or through shared memory where subgroups are smaller, and between teams through shared memory.
//
// With NO_SUBGROUPS, every invocation is a subgroup of its own: for devices without shuffles, or whose subgroups vary in size.
//
// All functions must be called by the whole workgroup, in uniform control flow. Loops around them, and loops whose results
// are used behind them, run the same number of times in every invocation: some drivers get the others wrong.
#ifndef WORKGROUP_GLSL
#define WORKGROUP_GLSL
#ifndef NO_SUBGROUPS
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#endif
#include "operation.glsl"

const uint TEAM = 32;
const uint TEAMS = WORKGROUP_SIZE / TEAM; // at most TEAM

shared ELEMENT4 exchange_words[SUBGROUP_SIZE < TEAM ? WORKGROUP_SIZE : 1];
shared ELEMENT team_totals[TEAMS];
shared uint workgroup_word;

#ifdef NO_SUBGROUPS
uint invocation() { return gl_LocalInvocationIndex; }
#define SUBGROUP_SHUFFLE(value, lane) value
#define SUBGROUP_EXCHANGE(value, bit) value
#else
// Subgroups are full and SUBGROUP_SIZE wide (src/pipeline.cpp sees to it), so this numbers the workgroup without gaps.
uint invocation() { return gl_SubgroupID * SUBGROUP_SIZE + gl_SubgroupInvocationID; }
#define SUBGROUP_SHUFFLE(value, lane) subgroupShuffle(value, (gl_SubgroupInvocationID & ~(TEAM - 1)) + lane)
#define SUBGROUP_EXCHANGE(value, bit) subgroupShuffleXor(value, bit)
#endif

// team_shuffle: the value of invocation `lane` of this team. team_exchange: that of invocation() xor `bit`, in the same team.
#define DEFINE_SHUFFLE(TYPE, MEMBER)                                                                            \
    TYPE team_shuffle(TYPE value, uint lane) {                                                                  \
        if (SUBGROUP_SIZE >= TEAM) return SUBGROUP_SHUFFLE(value, lane);                                        \
        exchange_words[invocation()] MEMBER = value;                                                            \
        barrier();                                                                                              \
        value = exchange_words[(invocation() & ~(TEAM - 1)) + lane] MEMBER;                                     \
        barrier();                                                                                              \
        return value;                                                                                           \
    }                                                                                                           \
    TYPE team_exchange(TYPE value, uint bit) {                                                                  \
        if (bit < SUBGROUP_SIZE) return SUBGROUP_EXCHANGE(value, bit);                                          \
        return team_shuffle(value, (invocation() ^ bit) % TEAM);                                                \
    }

DEFINE_SHUFFLE(ELEMENT, .x)
DEFINE_SHUFFLE(ELEMENT4, )

// The operation over all invocations' values; every invocation gets the result. Between two calls there must be a barrier.
ELEMENT workgroup_reduce(ELEMENT value) {
    [[unroll]] for (uint bit = 1; bit < TEAM; bit <<= 1) value = operate(value, team_exchange(value, bit));
    if (invocation() % TEAM == 0) team_totals[invocation() / TEAM] = value;
    barrier();
    value = team_totals[invocation() % TEAMS];
    [[unroll]] for (uint bit = 1; bit < TEAMS; bit <<= 1) value = operate(value, team_exchange(value, bit));
    return value;
}

// A value that invocation 0 knows, for all. Between this and the next use of workgroup_word there must be a barrier.
uint workgroup_broadcast(uint value) {
    if (invocation() == 0) workgroup_word = value;
    barrier();
    return workgroup_word;
}

// The least of all invocations' values.
uint workgroup_min(uint value) {
    barrier();
    if (invocation() == 0) workgroup_word = ~0u;
    barrier();
    atomicMin(workgroup_word, value);
    barrier();
    value = workgroup_word;
    barrier();
    return value;
}

// Whether it is so for all of the subgroup; with NO_SUBGROUPS, of the workgroup. Ends loops for all at once.
bool subgroup_all(bool value) {
#ifdef NO_SUBGROUPS
    return workgroup_min(uint(value)) != 0;
#else
    return subgroupAll(value);
#endif
}

// Lets a team see what it has written to shared memory.
void team_barrier() {
#ifndef NO_SUBGROUPS
    if (SUBGROUP_SIZE >= TEAM) {
        subgroupBarrier();
        return;
    }
#endif
    barrier();
}

#endif
