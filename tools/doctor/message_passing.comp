#version 460
// variants: relaxed | ordered ORDERED
//
// Message passing: A writes data and then a flag; B reads the flag and then the data. Weak: B sees the flag and not the data
// (Alglave et al., "GPU Concurrency: Weak Behaviours and Programming Assumptions", ASPLOS 2015). Relaxed atomics allow that. A
// release and an acquire at the flag forbid it; data need not be atomic then.
#extension GL_GOOGLE_include_directive : require
#include "litmus.glsl"

#ifdef ORDERED
void play_a(uint instance) {
    x_of(instance).at[0] = 1;
    linger();
    atomicStore(y_of(instance).at[0], 1u, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
}

void play_b(uint instance) {
    uint flag = atomicLoad(y_of(instance).at[0], gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
    uint data = 0;
    if (flag != 0) data = x_of(instance).at[0];
    seen(instance, 0, flag);
    seen(instance, 1, data);
}
#else
void play_a(uint instance) {
    atomicStore(x_of(instance).at[0], 1u, RELAXED);
    linger();
    atomicStore(y_of(instance).at[0], 1u, RELAXED);
}

void play_b(uint instance) {
    uint flag = atomicLoad(y_of(instance).at[0], RELAXED);
    linger();
    uint data = atomicLoad(x_of(instance).at[0], RELAXED);
    seen(instance, 0, flag);
    seen(instance, 1, data);
}
#endif
