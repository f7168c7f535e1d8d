#version 460
// variants: any
//
// Store buffering: A writes x and reads y, B writes y and reads x. Weak: neither sees the other's write (Alglave et al., 2015).
// Nothing short of sequential consistency, which Vulkan does not have, forbids that.
#extension GL_GOOGLE_include_directive : require
#include "litmus.glsl"

void play_a(uint instance) {
    atomicStore(x_of(instance).at[0], 1u, RELAXED);
    seen(instance, 0, atomicLoad(y_of(instance).at[0], RELAXED));
}

void play_b(uint instance) {
    atomicStore(y_of(instance).at[0], 1u, RELAXED);
    seen(instance, 1, atomicLoad(x_of(instance).at[0], RELAXED));
}
