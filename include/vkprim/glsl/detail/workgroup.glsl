// What the invocations of one workgroup compute together. Every order of evaluation here is fixed by invocation numbers and
// the same for every subgroup size: invocations combine in pairs (i, i xor 1), (i, i xor 2), (i, i xor 4) ..., within a team
// of 32 through shuffles, or through shared memory where subgroups are smaller, and between teams through shared memory.
//
// Without VKPRIM_USES_SUBGROUPS, every invocation is a subgroup of its own: for devices without shuffles, or whose subgroups vary in size.
//
// All functions must be called by the whole workgroup, in uniform control flow. Loops around them, and loops whose results
// are used after them, must run the same number of times in every invocation: some drivers compile other loops wrongly.
#ifndef VKPRIM_WORKGROUP_GLSL
#define VKPRIM_WORKGROUP_GLSL
#ifndef VKPRIM_NO_SUBGROUPS
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#endif
#include "element.glsl"

const uint VKPRIM_TEAM = 32;
const uint VKPRIM_TEAMS = VKPRIM_WORKGROUP_SIZE / VKPRIM_TEAM; // at most VKPRIM_TEAM

// Wide elements are exchanged one at a time, so that 16 KiB of shared memory are enough. So are those of shaders that define VKPRIM_EXCHANGES_ELEMENTS before.
#if VKPRIM_REGISTER_WORDS > 2 || defined(VKPRIM_EXCHANGES_ELEMENTS)
#define VKPRIM_EXCHANGED VKPRIM_ELEMENT
#else
#define VKPRIM_EXCHANGED VKPRIM_ELEMENT4
#endif
shared VKPRIM_EXCHANGED vkprim_exchange_words[VKPRIM_SUBGROUP_SIZE < VKPRIM_TEAM ? VKPRIM_WORKGROUP_SIZE : 1];
shared VKPRIM_ELEMENT vkprim_team_totals[VKPRIM_TEAMS];
shared uint vkprim_workgroup_word;

#ifdef VKPRIM_NO_SUBGROUPS
uint vkprim_invocation() { return gl_LocalInvocationIndex; }
#define VKPRIM_SUBGROUP_SHUFFLE(value, member) value
#define VKPRIM_SUBGROUP_EXCHANGE(value, bit) value
#define VKPRIM_SUBGROUP_PICK(value, lane) value
#else
// Subgroups are full and VKPRIM_SUBGROUP_SIZE wide (src/pipeline.cpp sees to it), so this numbers the workgroup without gaps.
uint vkprim_invocation() {
    if (VKPRIM_USES_SUBGROUPS) return gl_SubgroupID * VKPRIM_SUBGROUP_SIZE + gl_SubgroupInvocationID;
    return gl_LocalInvocationIndex;
}
#ifdef VKPRIM_OPERATION_GLSL
#define VKPRIM_FIELD_SHUFFLE(TYPE, NAME) shuffled.NAME = subgroupShuffle(element.NAME, lane);
#define VKPRIM_FIELD_EXCHANGE(TYPE, NAME) shuffled.NAME = subgroupShuffleXor(element.NAME, bit);
VKPRIM_ELEMENT subgroupShuffle(VKPRIM_ELEMENT element, uint lane) {
    VKPRIM_ELEMENT shuffled;
    VKPRIM_FIELDS(VKPRIM_FIELD_SHUFFLE)
    return shuffled;
}
VKPRIM_ELEMENT subgroupShuffleXor(VKPRIM_ELEMENT element, uint bit) {
    VKPRIM_ELEMENT shuffled;
    VKPRIM_FIELDS(VKPRIM_FIELD_EXCHANGE)
    return shuffled;
}
#endif
#define VKPRIM_SUBGROUP_SHUFFLE(value, member) subgroupShuffle(value, (gl_SubgroupInvocationID & ~(VKPRIM_TEAM - 1)) + member)
#define VKPRIM_SUBGROUP_EXCHANGE(value, bit) subgroupShuffleXor(value, bit)
#define VKPRIM_SUBGROUP_PICK(value, lane) subgroupShuffle(value, lane % VKPRIM_SUBGROUP_SIZE)
#endif

// vkprim_team_shuffle: the value of invocation `member` of this team. vkprim_team_exchange: that of vkprim_invocation() xor `bit`, in the same team.
// vkprim_team_left: of the 2 * bit invocations that have this one, the value of the last one in the left half.
#define VKPRIM_DEFINE_SHUFFLE(TYPE, MEMBER, EACH)                                                                            \
    TYPE vkprim_team_shuffle(TYPE value, uint member) {                                                                \
        if (VKPRIM_SUBGROUP_SIZE >= VKPRIM_TEAM) return EACH(VKPRIM_SUBGROUP_SHUFFLE, value, member);                                      \
        vkprim_exchange_words[vkprim_invocation()] MEMBER = value;                                                            \
        barrier();                                                                                              \
        value = vkprim_exchange_words[(vkprim_invocation() & ~(VKPRIM_TEAM - 1)) + member] MEMBER;                                   \
        barrier();                                                                                              \
        return value;                                                                                           \
    }                                                                                                           \
    TYPE vkprim_team_exchange(TYPE value, uint bit) {                                                                  \
        if (VKPRIM_USES_SUBGROUPS && bit < VKPRIM_SUBGROUP_SIZE) return EACH(VKPRIM_SUBGROUP_EXCHANGE, value, bit);                 \
        return vkprim_team_shuffle(value, (vkprim_invocation() ^ bit) % VKPRIM_TEAM);                                                \
    }                                                                                                           \
    TYPE vkprim_team_left(TYPE value, uint bit) {                                                               \
        const uint left = (vkprim_invocation() & (VKPRIM_TEAM - 2 * bit)) + bit - 1;                              \
        if (VKPRIM_USES_SUBGROUPS && VKPRIM_SUBGROUP_SIZE < VKPRIM_TEAM && bit < VKPRIM_SUBGROUP_SIZE) {                      \
            return EACH(VKPRIM_SUBGROUP_PICK, value, left);                                                                   \
        }                                                                                                                     \
        return vkprim_team_shuffle(value, left);                                                                \
    }

#define VKPRIM_EACH1(FUNCTION, value, argument) FUNCTION(value, argument)
#if VKPRIM_REGISTER_WORDS > 2 || defined(VKPRIM_EXCHANGES_ELEMENTS)
VKPRIM_DEFINE_SHUFFLE(VKPRIM_ELEMENT, , VKPRIM_EACH1)
VKPRIM_ELEMENT4 vkprim_team_exchange(VKPRIM_ELEMENT4 value, uint bit) { return VKPRIM_EACH4(vkprim_team_exchange, value, bit); }
#else
VKPRIM_DEFINE_SHUFFLE(VKPRIM_ELEMENT, .x, VKPRIM_EACH1)
VKPRIM_DEFINE_SHUFFLE(VKPRIM_ELEMENT4, , VKPRIM_EACH4)
#endif

// Combines the value of this invocation with that of vkprim_invocation() xor `bit`. If the operation commutes, both may add
// the other's to their own.
#ifdef VKPRIM_KEEPS_ORDER
#define VKPRIM_DEFINE_PAIR(TYPE)                                                 \
    TYPE vkprim_operate_pair(TYPE value, TYPE sibling, uint bit) {               \
        bool second = (vkprim_invocation() & bit) != 0;                          \
        return vkprim_operate(vkprim_select(value, sibling, second), vkprim_select(sibling, value, second)); \
    }
#else
#define VKPRIM_DEFINE_PAIR(TYPE) \
    TYPE vkprim_operate_pair(TYPE value, TYPE sibling, uint bit) { return vkprim_operate(value, sibling); }
#endif
VKPRIM_DEFINE_PAIR(VKPRIM_ELEMENT)
VKPRIM_DEFINE_PAIR(VKPRIM_ELEMENT4)

// An exclusive scan over a team, a tree of pairs in which the left half's total is put in front of the right half (Sklansky, "Conditional-Sum
// Addition Logic", 1960). Returns the total before this invocation; `total` becomes the team's.
#ifdef VKPRIM_KEEPS_ORDER
// Half as many operations, and two more shuffles in all: what keeps the order costs more than a shuffle. What comes before an
// invocation is the inclusive result of the one before it.
#define VKPRIM_DEFINE_TEAM_SCAN(TYPE, IDENTITY)                                                            \
    TYPE vkprim_whole_team_scan(inout TYPE total) {                                                              \
        const uint member = vkprim_invocation() % VKPRIM_TEAM;                                             \
        [[unroll]] for (uint bit = 1; bit < VKPRIM_TEAM; bit <<= 1) {                                      \
            TYPE left = vkprim_team_left(total, bit);                                                      \
            if ((member & bit) != 0) total = vkprim_operate(left, total);                                  \
        }                                                                                                  \
        TYPE before = vkprim_team_shuffle(total, (member + VKPRIM_TEAM - 1) % VKPRIM_TEAM);                \
        total = vkprim_team_shuffle(total, VKPRIM_TEAM - 1);                                               \
        return vkprim_select(before, IDENTITY, member == 0);                                               \
    }
#else
#define VKPRIM_DEFINE_TEAM_SCAN(TYPE, IDENTITY)                                                            \
    TYPE vkprim_whole_team_scan(inout TYPE total) {                                                              \
        TYPE before = IDENTITY;                                                                            \
        [[unroll]] for (uint bit = 1; bit < VKPRIM_TEAM; bit <<= 1) {                                      \
            TYPE sibling = vkprim_team_exchange(total, bit);                                               \
            if ((vkprim_invocation() & bit) != 0) before = vkprim_operate(sibling, before);                \
            total = vkprim_operate(total, sibling);                                                        \
        }                                                                                                  \
        return before;                                                                                     \
    }
#endif
#if VKPRIM_VECTOR_WIDTH == 1
VKPRIM_DEFINE_TEAM_SCAN(VKPRIM_ELEMENT, vkprim_element_identity())
#else
VKPRIM_DEFINE_TEAM_SCAN(VKPRIM_ELEMENT4, vkprim_element4(vkprim_element_identity()))
#endif

// The operation over all invocations' values; every invocation gets the result. Between two calls there must be a barrier.
VKPRIM_ELEMENT vkprim_workgroup_reduce(VKPRIM_ELEMENT value) {
    [[unroll]] for (uint bit = 1; bit < VKPRIM_TEAM; bit <<= 1) value = vkprim_operate_pair(value, vkprim_team_exchange(value, bit), bit);
    if (vkprim_invocation() % VKPRIM_TEAM == 0) vkprim_team_totals[vkprim_invocation() / VKPRIM_TEAM] = value;
    barrier();
    value = vkprim_team_totals[vkprim_invocation() % VKPRIM_TEAMS];
    [[unroll]] for (uint bit = 1; bit < VKPRIM_TEAMS; bit <<= 1) value = vkprim_operate_pair(value, vkprim_team_exchange(value, bit), bit);
    return value;
}

// A value that invocation 0 knows, for all. Between this and the next use of vkprim_workgroup_word there must be a barrier.
uint vkprim_workgroup_broadcast(uint value) {
    if (vkprim_invocation() == 0) vkprim_workgroup_word = value;
    barrier();
    return vkprim_workgroup_word;
}

// The least of all invocations' values.
uint vkprim_workgroup_min(uint value) {
    barrier();
    if (vkprim_invocation() == 0) vkprim_workgroup_word = ~0u;
    barrier();
    atomicMin(vkprim_workgroup_word, value);
    barrier();
    value = vkprim_workgroup_word;
    barrier();
    return value;
}

// Whether it is so for all of the subgroup; without VKPRIM_USES_SUBGROUPS, of the workgroup. Ends loops for all at once.
bool vkprim_subgroup_all(bool value) {
#ifndef VKPRIM_NO_SUBGROUPS
    if (VKPRIM_USES_SUBGROUPS) return subgroupAll(value);
#endif
    return vkprim_workgroup_min(uint(value)) != 0;
}

// Lets a team see what it has written to shared memory.
void vkprim_team_barrier() {
#ifndef VKPRIM_NO_SUBGROUPS
    if (VKPRIM_SUBGROUP_SIZE >= VKPRIM_TEAM) {
        subgroupBarrier();
        return;
    }
#endif
    barrier();
}

#endif
