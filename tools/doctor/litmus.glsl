// How workgroups meet many times over: what the tests of memory share. The shader that includes this defines play_a() and
// play_b().
//
// Each workgroup plays both parts in every round: A of its own instances, and B of those of its partner, in another order of
// invocations. So all instances run at once, and each is stress to the others (Levine et al., "MC Mutants: Evaluating and
// Improving Testing for Memory Consistency Specifications", ASPLOS 2023). Partners wait for each other ahead of a round, for
// VKPRIM_MAX_POLLS polls in all: they need not run at the same time.
#ifndef LITMUS_GLSL
#define LITMUS_GLSL
#extension GL_GOOGLE_include_directive : require
#include "doctor.glsl"

layout(push_constant) uniform Push { DoctorPush push; };

void play_a(uint instance);
void play_b(uint instance);

// Every instance has two words, far from each other. The number of instances is a power of two.
vkprim_Words x_of(uint instance) { return vkprim_Words(vkprim_address_of(push.memory, instance, 4)); }
vkprim_Words y_of(uint instance) { return vkprim_Words(vkprim_address_of(push.memory, push.count + (instance * 5 + push.salt) % push.count, 4)); }

// What B saw of what A wrote: later write, earlier write.
void seen(uint instance, uint part, uint value) { vkprim_Words(vkprim_address_of(push.results, 2 * instance + part, 4)).at[0] = value; }

// Between two accesses, in every second run and only on CPUs: the other side gets the time to come in between.
void linger() {
    if (push.salt % 2 == 0) pause();
}

// Waits for the partner. At least one round: Mesa's CPU driver loses loops that whole subgroups skip.
void meet(uint round, uint workgroup, inout uint polls_left) {
    vkprim_Words arrivals = vkprim_Words(vkprim_address_of(push.memory, 2 * push.count + (workgroup & ~push.distance), 4));
    if (gl_SubgroupID != 0) return;
    if (gl_SubgroupInvocationID == 0) atomicAdd(arrivals.at[0], 1, RELAXED);
    bool there = false;
    do {
        pause();
        there = atomicLoad(arrivals.at[0], RELAXED) >= 2 * (round + 1);
        if (polls_left > 0) --polls_left;
    } while (!subgroupAll(there) && polls_left > 0);
}

void main() {
    uint workgroup = vkprim_workgroup_number(), partner = workgroup ^ push.distance;
    uint workgroups = push.count / (ROUNDS * VKPRIM_WORKGROUP_SIZE);
    // Far away, as on GPUs, which run all at once; or near, as on CPUs, which run one subgroup after the other.
    bool far = push.salt % 2 != 0;
    uint other = far ? (gl_LocalInvocationIndex * 37 + push.salt) % VKPRIM_WORKGROUP_SIZE : gl_LocalInvocationIndex ^ (push.salt % 8);
    uint polls_left = VKPRIM_MAX_POLLS;
    for (uint round = 0; round < ROUNDS; ++round) {
        meet(round, workgroup, polls_left);
        barrier();
        uint first = round * workgroups * VKPRIM_WORKGROUP_SIZE;
        for (uint part = 0; part < 2; ++part) {
            if (part == (round & 1)) {
                play_a(first + workgroup * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex);
            } else {
                play_b(first + partner * VKPRIM_WORKGROUP_SIZE + other);
            }
        }
    }
}

#endif
