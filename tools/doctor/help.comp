#version 460
// variants: any
//
// What makes it right that a scan in place helps (include/vkprim/glsl/detail/lookback.glsl): A publishes a word, sees it, and behind a
// barrier another invocation overwrites the input. B reads the input and then, behind a fence, whether the word is missing. Weak:
// B sees what has overwritten the input, and no word.
#extension GL_GOOGLE_include_directive : require
#include "litmus.glsl"

void play_a(uint instance) {
    atomicStore(y_of(instance).at[0], 1u, RELAXED);
    bool there = false;
    for (uint polls = 0; polls < 16 && !subgroupAll(there); ++polls) {
        there = atomicLoad(y_of(instance ^ 1).at[0], RELAXED) != 0;
    }
    barrier();
    x_of(instance ^ (VKPRIM_WORKGROUP_SIZE / 2)).at[0] = 1;
}

void play_b(uint instance) {
    uint overwritten = x_of(instance).at[0];
    linger();
    memoryBarrier(gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
    seen(instance, 0, overwritten);
    seen(instance, 1, atomicLoad(y_of(instance).at[0], RELAXED));
}
