#version 460
// variants: any
//
// Coherence of two reads (CoRR): A writes a word, B reads it twice. Weak: the second read is older than the first, as Alglave et
// al., 2015, saw on GPUs with loads that were not atomic. No atomic may do so.
#extension GL_GOOGLE_include_directive : require
#include "litmus.glsl"

void play_a(uint instance) { atomicStore(x_of(instance).at[0], 1u, RELAXED); }

void play_b(uint instance) {
    uint first = atomicLoad(x_of(instance).at[0], RELAXED);
    linger();
    uint second = atomicLoad(x_of(instance).at[0], RELAXED);
    seen(instance, 0, first);
    seen(instance, 1, second);
}
