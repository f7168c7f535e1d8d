#version 460
// variants: words_all(u8,u16,u32,i32,f32) | words_general_all(u8,u16,u32,i32,f32) CHANNELS_WEIGHTS_LEVELS | words_general_rows(u8,u16,u32,i32,f32) CHANNELS_WEIGHTS_LEVELS ROWS | f64_general_all(f64) SAMPLE_DOUBLE CHANNELS_WEIGHTS_LEVELS | f64_general_rows(f64) SAMPLE_DOUBLE CHANNELS_WEIGHTS_LEVELS ROWS
//
// Histogram for more bins than shared memory holds: one atomic on the output for each sample. Atomics of equal samples would have to wait
// for each other, so with GATHERS a subgroup counts the samples that equal its first one, and adds their number with one atomic of 32 bits.
#extension GL_GOOGLE_include_directive : require
#include "samples.glsl"
#ifdef CHANNELS_WEIGHTS_LEVELS
SAMPLE level(uint number) { return level_in_memory(number); }
#else
const uint weight = 1;
#endif

#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

// Of this tile: what a subgroup adds up, and this invocation's count of it.
uint frequent_bin, frequent_count;

void tile_begins(uint bin) {
    if (!USES_SUBGROUPS || !GATHERS) return;
    frequent_bin = subgroupShuffle(bin, 0);
    frequent_count = 0;
}

void count_bin(COUNTED) {
    if (USES_SUBGROUPS && GATHERS && bin == frequent_bin) {
#ifdef CHANNELS_WEIGHTS_LEVELS
        frequent_count += weight;
#else
        ++frequent_count;
#endif
    } else {
        add_to_output(bin, weight);
    }
}

void tile_counted() {
    if (!USES_SUBGROUPS || !GATHERS) return;
    [[unroll]] for (uint bit = 1; bit < SUBGROUP_SIZE; bit <<= 1) frequent_count += subgroupShuffleXor(frequent_count, bit);
    if (gl_SubgroupInvocationID == 0) add_to_output(frequent_bin, frequent_count);
}

void main() {
#ifdef ROWS
    if (!find_row(matrix.workgroups, COUNTS_SIZE)) return;
#endif
    // Load: the samples of its tiles. Combine: those of a subgroup's frequent bin. Store: by atomics on the output.
    count_tiles(vectors_of_input(), WORKGROUP_NUMBER, WORKGROUP_COUNT);
}
