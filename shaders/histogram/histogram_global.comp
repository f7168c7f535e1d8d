#version 460
// variants: u8 SAMPLE_U8 | u16 SAMPLE_U16 | u32 | f32 SAMPLE_FLOAT
//
// Histogram for more bins than shared memory holds: one atomic per sample, straight into the output. Equal samples would queue
// up for one word, so a subgroup counts those that equal its first one and adds them at once.
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "samples.glsl"

uint frequent_bin, frequent_count; // of this invocation, not yet added

void count_bin(uint bin) {
    if (frequent_bin == NO_BIN) frequent_bin = subgroupShuffle(bin, 0);
    if (bin == NO_BIN) return;
    if (bin == frequent_bin) {
        ++frequent_count;
    } else {
        add_to_output(bin, 1);
    }
}

void main() {
    Vectors vectors = vectors_of_input();
    for (uint tile = gl_WorkGroupID.x; tile < tiles_of(vectors); tile += gl_NumWorkGroups.x) {
        frequent_bin = NO_BIN;
        frequent_count = 0;
        count_tile(vectors, tile);
        [[unroll]] for (uint bit = 1; bit < SUBGROUP_SIZE; bit <<= 1) frequent_count += subgroupShuffleXor(frequent_count, bit);
        if (gl_SubgroupInvocationID == 0) add_to_output(frequent_bin, frequent_count);
    }
}
