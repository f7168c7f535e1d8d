// Samples and their bins: what all ways of counting share.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/address.glsl>
#include <vkprim/glsl/detail/constants.glsl>
#include "histogram_push.h"

layout(constant_id = HISTOGRAM_BINS_ID) const uint BINS = 256;
layout(constant_id = HISTOGRAM_COPIES_ID) const uint COPIES = 1;
layout(constant_id = HISTOGRAM_LOWER_ID) const uint LOWER = 0;             // of the range: an integer, or a float's place in the order of floats
layout(constant_id = HISTOGRAM_LAST_ID) const uint LAST = 255;             // the largest offset from LOWER that is counted
layout(constant_id = HISTOGRAM_SCALE_WHOLE_ID) const uint SCALE_WHOLE = 1; // integers: bins per unit, whole part; floats: bits of lower
layout(constant_id = HISTOGRAM_SCALE_HIGH_ID) const uint SCALE_HIGH = 0;   // integers: its fraction in units of 2^-32; floats: bits of bins per unit
layout(constant_id = HISTOGRAM_SCALE_LOW_ID) const uint SCALE_LOW = 0;     // integers: its fraction in units of 2^-64, rounded up
layout(constant_id = HISTOGRAM_VECTORS_ID) const uint VECTORS = 4;         // of 16 bytes, that each invocation loads before it counts the first
layout(constant_id = HISTOGRAM_GATHERS_ID) const bool GATHERS = false;     // many bins: a subgroup adds up what equals its first sample
layout(constant_id = HISTOGRAM_RANGE_ID) const uint RANGE = 24448;         // bins that a workgroup counts, an even number
layout(constant_id = HISTOGRAM_RANGES_ID) const uint RANGES = 1;

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
const uint TILE = VKPRIM_WORKGROUP_SIZE * VECTORS; // vectors
const uint NO_BIN = BINS;                   // of a sample outside the range

// To be defined by the shader that includes this. Called by whole subgroups; not every invocation need have a sample.
void count_bin(uint bin);

// Likewise, called by the whole workgroup: ahead of a tile, with the bin of this invocation's first sample; and behind it.
void tile_begins(uint bin);
void tile_counted();

#if defined(SAMPLE_FLOAT)
// Floats as unsigned integers in the same order, NaN beyond both infinities.
uint order_of(uint bits) { return bits ^ (uint(int(bits) >> 31) | 0x80000000u); }

uint bin_of(uint bits) {
    precise float offset = uintBitsToFloat(bits) - uintBitsToFloat(SCALE_WHOLE);
    precise float scaled = offset * uintBitsToFloat(SCALE_HIGH);
    return order_of(bits) - LOWER > LAST ? NO_BIN : uint(min(scaled, float(BINS - 1)));
}
#else
// floor(offset * bins / span) without a division: bins / span is known to 64 bits after the point, rounded up, which is
// exact for offsets below 2^32 (Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994).
uint bin_of(uint value) {
    uint offset = value - LOWER, whole = 0, carry = 0;
    if (SCALE_HIGH != 0 || SCALE_LOW != 0) {
        uint fraction, carry_in, unused;
        umulExtended(offset, SCALE_HIGH, whole, fraction);
        umulExtended(offset, SCALE_LOW, carry_in, unused);
        uaddCarry(fraction, carry_in, carry);
    }
    const bool all_counted = LOWER == 0 && LAST == 0xffffffffu >> (32 - 8 * SAMPLE_SIZE);
    return !all_counted && offset > LAST ? NO_BIN : offset * SCALE_WHOLE + whole + carry;
}
#endif

uint sample_of(uint word, uint s) {
    return PER_WORD == 1 ? word : bitfieldExtract(word, int(s * 8 * SAMPLE_SIZE), int(8 * SAMPLE_SIZE));
}

// Counts the samples of a vector, or none of them.
void count_vector(uvec4 words, bool exists) {
    [[unroll]] for (uint w = 0; w < 4; ++w) {
        [[unroll]] for (uint s = 0; s < PER_WORD; ++s) count_bin(exists ? bin_of(sample_of(words[w], s)) : NO_BIN);
    }
}

// Adds to a count of the output; nothing to a bin that does not exist.
void add_to_output(uint bin, uint count) {
    if (count == 0 || bin >= BINS) return;
    atomicAdd(vkprim_Words(push.counts_address).at[bin], count, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer,
              gl_SemanticsRelaxed);
}

// The input as 16-byte vectors from the aligned address at or before its start.
struct Vectors {
    uvec2 base;
    uint count;
    uint first; // place of the first sample in the first vector
    uint end;   // place after the last sample in the last vector
};

Vectors vectors_of_input() {
    uint count = vkprim_count_of(push.count, push.count_address, push.skipped);
    uvec2 base = uvec2(push.input_address.x & ~15u, push.input_address.y);
    uint first = (push.input_address.x & 15) / SAMPLE_SIZE;
    uint last = count % PER_VECTOR + first + PER_VECTOR - 1; // count + first may not fit in 32 bits
    uint vectors = count == 0 ? 0 : count / PER_VECTOR + last / PER_VECTOR;
    return Vectors(base, vectors, first, last % PER_VECTOR + 1);
}

uint tiles_of(Vectors vectors) { return vectors.count / TILE + uint(vectors.count % TILE != 0); }

void count_whole_tile(uvec2 base) {
    uvec4 words[VECTORS];
    [[unroll]] for (uint v = 0; v < VECTORS; ++v) words[v] = vkprim_Words4(base).at[v * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex];
    tile_begins(bin_of(sample_of(words[0].x, 0)));
    [[unroll]] for (uint v = 0; v < VECTORS; ++v) count_vector(words[v], true);
}

// The input's first or last vector, of which not all may be samples; an invocation for each. Bytes that are no sample's are not
// read: they may lie beyond the buffer.
void count_end(Vectors vectors, uint v) {
    uint first = v == 0 ? vectors.first : 0, end = v == vectors.count - 1 ? vectors.end : PER_VECTOR;
    uint place = gl_LocalInvocationIndex, bin = NO_BIN;
    if (place >= first && place < end) {
        uvec2 address = vkprim_address_add(vkprim_address_of(vectors.base, v, 16), place * SAMPLE_SIZE);
        uint value;
        if (SAMPLE_SIZE == 4) {
            value = vkprim_Words(address).at[0];
        } else {
            value = vkprim_byte_at(address);
            if (SAMPLE_SIZE == 2) value |= vkprim_byte_at(vkprim_address_add(address, 1)) << 8;
        }
        bin = bin_of(value);
    }
    count_bin(bin);
}

// A tile that holds the first or the last vector.
void count_end_tile(Vectors vectors, uint tile) {
    uvec2 base = vkprim_address_of(vectors.base, tile, TILE * 16);
    uint last = vectors.count - 1;
    uvec4 words[VECTORS];
    [[unroll]] for (uint v = 0; v < VECTORS; ++v) {
        uint index = v * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex;
        words[v] = uvec4(0);
        if (tile * TILE + index > 0 && tile * TILE + index < last) words[v] = vkprim_Words4(base).at[index];
    }
    tile_begins(bin_of(sample_of(words[0].x, 0)));
    [[unroll]] for (uint v = 0; v < VECTORS; ++v) {
        uint index = tile * TILE + v * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex;
        count_vector(words[v], index > 0 && index < last);
    }
    if (tile == 0) count_end(vectors, 0);
    if (tile + 1 == tiles_of(vectors) && last > 0) count_end(vectors, last);
}

// Counts tiles `tile`, `tile` + step, ... The first and the last one apart, because Mesa's CPU driver goes through both sides of
// a condition; and with one copy of the code, because that costs GPUs time.
void count_tiles(Vectors vectors, uint tile, uint step) {
    uint tiles = tiles_of(vectors);
    for (uint whole = tile == 0 ? step : tile; whole + 1 < tiles; whole += step) {
        count_whole_tile(vkprim_address_of(vectors.base, whole, TILE * 16));
        tile_counted();
    }
    bool has_first = tile == 0 && tiles > 0, has_last = tiles > 1 && (tiles - 1) % step == tile;
    [[dont_unroll]] for (uint end = has_first ? 0 : 1; end < (has_last ? 2 : 1); ++end) {
        count_end_tile(vectors, end * (tiles - 1));
        tile_counted();
    }
}
