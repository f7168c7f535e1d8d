// Samples and their bins: what both ways of counting share. The shader that includes this defines count_bin().
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#include "../include/address.glsl"
#include "../include/constants.glsl"
#include "histogram_push.h"

layout(constant_id = 8) const uint BINS = 256;
layout(constant_id = 9) const uint COPIES = 1;
layout(constant_id = 10) const uint LOWER = 0;       // of the range: an integer, or a float's place in the order of floats
layout(constant_id = 11) const uint LAST = 255;      // the largest offset from LOWER that is counted
layout(constant_id = 12) const uint SCALE_WHOLE = 1; // integers: bins per unit, whole part; floats: bits of lower
layout(constant_id = 13) const uint SCALE_HIGH = 0;  // integers: its fraction in units of 2^-32; floats: bits of bins per unit
layout(constant_id = 14) const uint SCALE_LOW = 0;   // integers: its fraction in units of 2^-64, rounded up

layout(push_constant) uniform Push { HistogramPush push; };

#if defined(SAMPLE_U8)
const uint SAMPLE_SIZE = 1;
#elif defined(SAMPLE_U16)
const uint SAMPLE_SIZE = 2;
#else
const uint SAMPLE_SIZE = 4;
#endif
const uint PER_WORD = 4 / SAMPLE_SIZE;
const uint PER_VECTOR = 16 / SAMPLE_SIZE;
const uint TILE = WORKGROUP_SIZE * HISTOGRAM_VECTORS; // vectors

void count_bin(uint bin);

#if defined(SAMPLE_FLOAT)
// Floats as unsigned integers in the same order, NaN beyond both infinities.
uint order_of(uint bits) { return bits ^ (uint(int(bits) >> 31) | 0x80000000u); }

void count_sample(uint bits) {
    if (order_of(bits) - LOWER > LAST) return;
    precise float offset = uintBitsToFloat(bits) - uintBitsToFloat(SCALE_WHOLE);
    precise float scaled = offset * uintBitsToFloat(SCALE_HIGH);
    count_bin(uint(min(scaled, float(BINS - 1))));
}
#else
// floor(offset * bins / span) without a division: bins / span is known to 64 bits after the point, rounded up, which is
// exact for offsets below 2^32 (Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994).
void count_sample(uint value) {
    uint offset = value - LOWER;
    if (offset > LAST) return;
    uint whole, fraction, carry_in, carry, unused;
    umulExtended(offset, SCALE_HIGH, whole, fraction);
    umulExtended(offset, SCALE_LOW, carry_in, unused);
    uaddCarry(fraction, carry_in, carry);
    count_bin(offset * SCALE_WHOLE + whole + carry);
}
#endif

// Samples [first, end) of the four in a 16-byte vector's word `w` ... counted by their place in the vector.
void count_word(uint word, uint w, uint first, uint end) {
    for (uint s = 0; s < PER_WORD; ++s) {
        uint place = w * PER_WORD + s;
        if (place >= first && place < end) {
            count_sample(PER_WORD == 1 ? word : bitfieldExtract(word, int(s * 8 * SAMPLE_SIZE), int(8 * SAMPLE_SIZE)));
        }
    }
}

// The input as 16-byte vectors from the aligned address at or before its start.
struct Vectors {
    uvec2 base;
    uint count;
    uint first; // place of the first sample in the first vector
    uint end;   // place after the last sample in the last vector
};

Vectors vectors_of_input() {
    uint count = count_of(push.count, push.count_address);
    uvec2 base = uvec2(push.input_address.x & ~15u, push.input_address.y);
    uint first = (push.input_address.x & 15) / SAMPLE_SIZE;
    uint last = count % PER_VECTOR + first + PER_VECTOR - 1; // count + first may not fit in 32 bits
    uint vectors = count == 0 ? 0 : count / PER_VECTOR + last / PER_VECTOR;
    return Vectors(base, vectors, first, last % PER_VECTOR + 1);
}

uint tiles_of(Vectors vectors) { return vectors.count / TILE + uint(vectors.count % TILE != 0); }

// Counts tiles `tile`, `tile` + step, ... Only the first and the last tile hold vectors that are not full of samples; of
// those, no word is read in which no sample lies.
void count_tiles(Vectors vectors, uint tile, uint step) {
    uint invocation = gl_LocalInvocationIndex;
    uint tiles = tiles_of(vectors);
    for (; tile < tiles; tile += step) {
        uvec2 base = address_of(vectors.base, tile, TILE * 16);
        if (tile > 0 && tile + 1 < tiles) {
            uvec4 words[HISTOGRAM_VECTORS];
            for (uint v = 0; v < HISTOGRAM_VECTORS; ++v) words[v] = Words4(base).at[v * WORKGROUP_SIZE + invocation];
            for (uint v = 0; v < HISTOGRAM_VECTORS; ++v) {
                for (uint w = 0; w < 4; ++w) count_word(words[v][w], w, 0, PER_VECTOR);
            }
        } else {
            uint end_of_tile = min(TILE, vectors.count - tile * TILE);
            for (uint row = 0; row < HISTOGRAM_VECTORS; ++row) {
                uint v = row * WORKGROUP_SIZE + invocation;
                if (v >= end_of_tile) continue;
                uint first = tile * TILE + v == 0 ? vectors.first : 0;
                uint end = tile * TILE + v == vectors.count - 1 ? vectors.end : PER_VECTOR;
                for (uint w = first / PER_WORD; w * PER_WORD < end; ++w) {
                    count_word(Words(base).at[v * 4 + w], w, first, end);
                }
            }
        }
    }
}
