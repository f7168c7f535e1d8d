#version 460
// variants: u8 SAMPLE_U8 | u16 SAMPLE_U16 | u32 | f32 SAMPLE_FLOAT
//
// Histogram for more bins than shared memory holds: one atomic per sample, straight into the output.
#extension GL_GOOGLE_include_directive : require
#include "samples.glsl"

void count_bin(uint bin) {
    atomicAdd(Words(push.counts_address).at[bin], 1, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
}

void main() { count_tiles(vectors_of_input(), gl_WorkGroupID.x, gl_NumWorkGroups.x); }
