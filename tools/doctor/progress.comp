#version 460
// variants: earlier | later LATER
//
// Whether a workgroup that waits sees what another does meanwhile: one that took the ticket before its own, which is so where
// workgroups that have started keep running (occupancy-bound execution); or the one after, which must start first (Sorensen et
// al., "Specifying and Testing GPU Workgroup Progress Models", OOPSLA 2021). A workgroup is one subgroup.
#extension GL_GOOGLE_include_directive : require
#include "doctor.glsl"

layout(push_constant) uniform Push { DoctorPush push; };

// Word 0 counts tickets; then a word for each.
vkprim_Words word_of(uint ticket) { return vkprim_Words(vkprim_address_of(push.memory, 1 + ticket, 4)); }

void main() {
    uint ticket = 0;
    if (gl_LocalInvocationIndex == 0) ticket = atomicAdd(vkprim_Words(push.memory).at[0], 1, RELAXED);
    ticket = subgroupShuffle(ticket, 0);
    if (ticket >= push.count) return;
#ifdef LATER
    if (gl_LocalInvocationIndex == 0) atomicStore(word_of(ticket).at[0], 1u, RELAXED);
    uint awaited = min(ticket + 1, push.count - 1);
#else
    // Long enough that the next one has begun to wait.
    uint busy = 0;
    for (uint i = 0; i < 256; ++i) {
        pause();
        busy |= atomicLoad(word_of(ticket).at[0], RELAXED);
    }
    if (gl_LocalInvocationIndex == 0) atomicStore(word_of(ticket).at[0], 1 | busy, RELAXED);
    uint awaited = max(ticket, 1) - 1;
#endif
    bool there = false;
    uint polls = 0;
    do {
        pause();
        there = atomicLoad(word_of(awaited).at[0], RELAXED) != 0;
        ++polls;
    } while (!subgroupAll(there) && polls < VKPRIM_MAX_POLLS);
    if (gl_LocalInvocationIndex == 0) vkprim_Words(vkprim_address_of(push.results, ticket, 4)).at[0] = there ? polls : ~0u;
}
