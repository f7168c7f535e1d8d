#version 460
// variants: ordered ORDERED | relaxed
//
// Members of a group of workgroups write, and arrive; the last one to arrive reads what all have written. Ordered, as histogram
// does: everybody adds to the same counters, and the arrival is a release and an acquire, between barriers. Relaxed, as reduce
// does: the last one waits until it sees the members' words, all of which have been written.
#extension GL_GOOGLE_include_directive : require
#include "doctor.glsl"

layout(constant_id = VKPRIM_OWN_ID + 2) const uint MEMBERS = 8;

layout(push_constant) uniform Push { DoctorPush push; };

shared uint arrived_before;

void barrier_with_buffers() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
}

uint arrive(vkprim_Words arrivals) {
#ifdef ORDERED
    barrier_with_buffers();
    if (gl_LocalInvocationIndex == 0) {
        arrived_before = atomicAdd(arrivals.at[0], 1, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
    }
    barrier_with_buffers();
#else
    barrier();
    if (gl_LocalInvocationIndex == 0) arrived_before = atomicAdd(arrivals.at[0], 1, RELAXED);
    barrier();
#endif
    return arrived_before;
}

void main() {
    uint groups = push.count, group = vkprim_workgroup_number() % groups, member = vkprim_workgroup_number() / groups;
    uint invocation = gl_LocalInvocationIndex;
    for (uint round = 0; round < ROUNDS; ++round) {
        uint number = round * groups + group;
        // VKPRIM_WORKGROUP_SIZE words, and one that counts arrivals.
        vkprim_Words words = vkprim_Words(vkprim_address_of(push.memory, number * (VKPRIM_WORKGROUP_SIZE + 1), 4));
        vkprim_Words results = vkprim_Words(vkprim_address_of(push.results, number * VKPRIM_WORKGROUP_SIZE, 4));
#ifdef ORDERED
        atomicAdd(words.at[invocation], member + 1, RELAXED);
        if (arrive(vkprim_Words(vkprim_address_of(push.memory, number * (VKPRIM_WORKGROUP_SIZE + 1) + VKPRIM_WORKGROUP_SIZE, 4))) == MEMBERS - 1) {
            results.at[invocation] = atomicLoad(words.at[invocation], RELAXED);
        }
#else
        // Each member has its own share of the words, which are all published ahead of its arrival.
        uint share = VKPRIM_WORKGROUP_SIZE / MEMBERS;
        if (invocation < share) atomicStore(words.at[member * share + invocation], 1u, RELAXED);
        bool last = arrive(vkprim_Words(vkprim_address_of(push.memory, number * (VKPRIM_WORKGROUP_SIZE + 1) + VKPRIM_WORKGROUP_SIZE, 4))) == MEMBERS - 1;
        bool there = !last;
        uint polls = 0;
        do {
            if (!there) {
                there = atomicLoad(words.at[invocation], RELAXED) != 0;
                ++polls;
            }
        } while (!subgroupAll(there || polls >= VKPRIM_MAX_POLLS));
        if (last) results.at[invocation] = there ? polls : ~0u;
#endif
    }
}
