#version 460
// variants: words(u8,u16,u32,i32,f32) | words_general(u8,u16,u32,i32,f32) CHANNELS_WEIGHTS_LEVELS | f64_general(f64) SAMPLE_DOUBLE CHANNELS_WEIGHTS_LEVELS
//
// Histogram for a few times more bins than shared memory holds. The bins are divided into ranges. A workgroup counts the samples of its tiles
// that fall into its range, and adds the counts to the output at the end. The workgroups of the other ranges read the same tiles at the same
// time, so a tile is read from memory once, and then from the cache.
//
// Counters have 16 bits, two in a word, so samples have no weights here. Every 2^15 samples, sweep() reduces all counters below 2^15, so that
// none overflows.
#extension GL_GOOGLE_include_directive : require
#include "samples.glsl"

const uint SWEEP_TILES = 0x8000 / (TILE * PER_VECTOR);

// The last ones are for samples outside the range: an atomic under a condition is slow on NVIDIA GPUs, and so are many on
// one word.
shared uint counters[RANGE / 2 + 32];

uint range_first; // bin

void count_bin(COUNTED) {
    uint place = min(bin - range_first, RANGE + gl_LocalInvocationIndex % 32 * 2);
    atomicAdd(counters[place / 2], 1 << (place % 2 * 16));
}

// Moves those bits of the counters that are in `mask` to the output.
void sweep(uint mask) {
    barrier();
    for (uint first = 0; first < RANGE / 2; first += WORKGROUP_SIZE) {
        uint i = first + gl_LocalInvocationIndex, moved = i < RANGE / 2 ? counters[i] & mask : 0;
        if (moved != 0) {
            counters[i] -= moved;
            add_to_output(range_first + 2 * i, moved & 0xffff);
            add_to_output(range_first + 2 * i + 1, moved >> 16);
        }
    }
    barrier();
}

#ifdef CHANNELS_WEIGHTS_LEVELS
SAMPLE level(uint number) { return level_in_memory(number); }
#endif

void tile_begins(uint bin) {}

uint counted = 0; // tiles since the last sweep

void tile_counted() {
    if (++counted < SWEEP_TILES) return;
    sweep(0x80008000);
    counted = 0;
}

void main() {
    const uint step = workgroup_count() / RANGES; // workgroups of one range
    if (workgroup_number() / RANGES >= step) return;
    range_first = workgroup_number() % RANGES * RANGE;
    for (uint first = 0; first < RANGE / 2; first += WORKGROUP_SIZE) {
        if (first + gl_LocalInvocationIndex < RANGE / 2) counters[first + gl_LocalInvocationIndex] = 0;
    }
    barrier();
    // Load: the samples of this range's tiles. Combine: by atomics in shared memory.
    count_tiles(vectors_of_input(), workgroup_number() / RANGES, step);
    // Store: what the last sweep has left.
    sweep(0xffffffff);
}
