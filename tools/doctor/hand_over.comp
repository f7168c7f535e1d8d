#version 460
// variants: any
//
// Two workgroups that wait for each other by turns, each a subgroup: how often a word goes to and fro before one of them has
// polled VKPRIM_MAX_POLLS times in all. Both must keep running (Sorensen et al., OOPSLA 2021).
#extension GL_GOOGLE_include_directive : require
#include "doctor.glsl"

layout(push_constant) uniform Push { DoctorPush push; };

void main() {
    uint ticket = 0;
    if (gl_LocalInvocationIndex == 0) ticket = atomicAdd(vkprim_Words(push.memory).at[0], 1, RELAXED);
    ticket = subgroupShuffle(ticket, 0);
    if (ticket >= push.count) return;
    vkprim_Words word = vkprim_Words(vkprim_address_of(push.memory, 1 + ticket / 2, 4));
    uint turn = ticket % 2, polls = 0;
    do {
        pause();
        bool mine = atomicLoad(word.at[0], RELAXED) == turn;
        ++polls;
        if (subgroupAll(mine)) {
            if (gl_LocalInvocationIndex == 0) atomicStore(word.at[0], turn + 1, RELAXED);
            turn += 2;
        }
    } while (turn < 2 * ROUNDS && polls < VKPRIM_MAX_POLLS);
    if (gl_LocalInvocationIndex == 0) vkprim_Words(vkprim_address_of(push.results, ticket, 4)).at[0] = turn / 2;
}
