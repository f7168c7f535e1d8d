#version 460
// variants: u8 SAMPLE_U8 | u16 SAMPLE_U16 | u32 | f32 SAMPLE_FLOAT x shuffles | plain VKPRIM_NO_SUBGROUPS
//
// Histogram for more bins than shared memory holds: one atomic per sample, straight into the output. Equal samples would queue
// up for one word, so with GATHERS a subgroup counts those that equal its first one and adds them at once.
#extension GL_GOOGLE_include_directive : require
#include "samples.glsl"
#ifdef VKPRIM_NO_SUBGROUPS
void tile_begins(uint bin) {}
void count_bin(uint bin) { add_to_output(bin, 1); }
void tile_counted() {}
#else
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

// Of this tile: what a subgroup adds up, and this invocation's count of it.
uint frequent_bin, frequent_count;

void tile_begins(uint bin) {
    if (!GATHERS) return;
    frequent_bin = subgroupShuffle(bin, 0);
    frequent_count = 0;
}

void count_bin(uint bin) {
    if (GATHERS && bin == frequent_bin) {
        ++frequent_count;
    } else {
        add_to_output(bin, 1);
    }
}

void tile_counted() {
    if (!GATHERS) return;
    [[unroll]] for (uint bit = 1; bit < VKPRIM_SUBGROUP_SIZE; bit <<= 1) frequent_count += subgroupShuffleXor(frequent_count, bit);
    if (gl_SubgroupInvocationID == 0) add_to_output(frequent_bin, frequent_count);
}
#endif

void main() { count_tiles(vectors_of_input(), vkprim_workgroup_number(), vkprim_workgroup_count()); }
