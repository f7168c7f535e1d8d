#version 460
// variants: f32(f32) | f64(f64) ELEMENT_F64 | f64_doubles(f64) ELEMENT_F64 DOUBLES
//
// The exact sum of floats, rounded once, in one dispatch. Instead of floats, integers are added, whose order does not matter: a float is an
// integer times a power of two, and the sum is an integer of DIGITS digits of 32 bits in units of the least denormal (Kulisch's
// accumulator; on GPUs Collange, Defour, Graillat, Iakymchuk, "Numerical reproducibility for the parallel reduction on multi- and
// many-core architectures", 2015).
//
// Adding each element to that would take an atomic for each of its digits. So most elements are added in another way, without a shift or a
// branch. The largest elements of a tile's first rows choose a window of exponents. Adding 1.5 * 2^(52 or 23) units to a float rounds it to a
// multiple of the unit, and leaves that integer in the low bits of the result. The remainder is exact, and goes to the next slice, whose
// unit is SLICE_BITS lower (Demmel and Nguyen, "Fast Reproducible Floating-Point Summation", 2013, whose bins these are). Integers are added,
// not floats. For elements within the window, the remainder after the last slice is zero. So the sum over all slices is exact.
//
// Elements outside the window, denormal ones, infinities and NaN are few, or slow: they are read again, split as integers, and added to
// `bins`. The float additions round to nearest and never meet a denormal. Without DOUBLES, all f64 are added to `bins`.
//
// A workgroup adds its sums to scratch, digit by digit. The last one to arrive carries, rounds to nearest even, and stores.
#extension GL_GOOGLE_include_directive : require
#define VKPRIM_ELEMENT_LONG // sums are integers of 64 bits
#define VKPRIM_EXCHANGES_ELEMENTS
#include <vkprim/glsl/detail/element.glsl>
#include <vkprim/glsl/detail/words.glsl>
#include <vkprim/glsl/detail/workgroup.glsl>
#include "../names.glsl"
#include "reduce_any_push.h"

layout(constant_id = REDUCE_ALIGNED_ID) const bool ALIGNED = false; // input, to 16 bytes
layout(constant_id = REDUCE_BATCH_ID) const uint BATCH = 4;         // rows that are loaded while as many are added
layout(constant_id = REDUCE_ANY_SLICES_ID) const uint SLICES = 2; // two or more: one is shorter than a float
layout(constant_id = REDUCE_ANY_TILES_ID) const uint MOST_TILES = 65536;

layout(push_constant) uniform Push { ReducePush push; };

#ifdef ELEMENT_F64
const uint WORDS = 2, DIGITS = REDUCE_ANY_DIGITS_F64, EXPONENT_MASK = 0x7ff;
const uint FRACTION_BITS = 52, UPPER_BITS = 20; // UPPER_BITS: in the upper word
const uint SLICE_BITS = 46;                     // so that 2^16 integers of a slice have a sum of 64 bits
const uint PARTS = 5;                           // of 16 bits, in which the bits of an element are
#else
const uint WORDS = 1, DIGITS = REDUCE_ANY_DIGITS_F32, EXPONENT_MASK = 0xff;
const uint FRACTION_BITS = 23, UPPER_BITS = 23;
const uint SLICE_BITS = 22; // so that the 2^8 integers of a slice that an invocation has have a sum of 32 bits
const uint PARTS = 3;
#endif
const uint PER_VECTOR = VECTOR_WORDS / WORDS; // elements in 16 bytes
const uint ROW = REDUCE_COLUMNS;                       // in words
const uint KEY_SHIFT = UPPER_BITS + 1;                 // of a key, below the exponent
const uint NO_SLICE = FRACTION_BITS + 1 - SLICE_BITS;  // the highest bits of a float, which the first slice has no room for
const uint SLACK = 4;                                  // binades above the largest element of a tile's first rows that are in the window, too

// Sums of 16 bits of elements outside of the window, first of positive ones, then of negative ones. Those of 2^16 elements have 32 bits.
const uint SIGN_BINS = 2 * DIGITS, COPIES = 4;
shared uint bins[2 * SIGN_BINS * COPIES];

const uint FOUND_BINS = 1, FOUND_PLUS = 2, FOUND_MINUS = 4, FOUND_NAN = 8;
shared uint found;       // of elements outside of the window
shared uint highest_key; // of the tile's first rows

shared uvec2 limbs[DIGITS];        // the sum as integers of 64 bits, for each digit one
shared uint digits[DIGITS + 2];    // the same without carries; two more that are zero
shared uint first_limb, last_limb; // that are not zero

#include "window.glsl"

// Adds an element to the bins. The word with its exponent is `upper`.
void add_to_bins(uint lower, uint upper) {
    uint exponent = upper >> UPPER_BITS & EXPONENT_MASK, significand = upper & (1 << UPPER_BITS) - 1;
    bool negative = int(upper) < 0;
    if (exponent == EXPONENT_MASK) {
        bool is_nan = significand != 0;
#ifdef ELEMENT_F64
        is_nan = is_nan || lower != 0;
#endif
        atomicOr(found, is_nan ? FOUND_NAN : negative ? FOUND_MINUS : FOUND_PLUS);
        return;
    }
    if (exponent > 0) significand |= 1 << UPPER_BITS;
    uint place = max(exponent, 1) - 1, shift = place % 16;
#ifdef ELEMENT_F64
    uvec3 words = uvec3(lower << shift, significand << shift | lower >> 16 >> 16 - shift, significand >> 16 >> 16 - shift);
#else
    uvec3 words = uvec3(significand << shift, significand >> 16 >> 16 - shift, 0);
#endif
    uint bin = ((negative ? SIGN_BINS : 0) + place / 16) * COPIES + invocation() % COPIES;
    [[unroll]] for (uint i = 0; i < PARTS; ++i) atomicAdd(bins[bin + i * COPIES], words[i / 2] >> 16 * (i % 2) & 0xffff);
}

// Those of this invocation's elements in BATCH rows that are outside of the window. They are read once more, since an array that is
// indexed in a loop would not stay in registers.
void add_outside(uvec2 base, uint row, uint words) {
    Words memory = Words(base);
    for (uint i = 0; i < BATCH * PER_VECTOR; ++i) {
        uint index = (row + i / PER_VECTOR) * ROW + VECTOR_WORDS * invocation() + i % PER_VECTOR * WORDS;
        if (index >= words) continue;
#ifdef ELEMENT_F64
        uvec2 bits = uvec2(memory.at[index], memory.at[index + 1]);
        uint key = keys_of(bits.xyxy).x;
#else
        uvec2 bits = uvec2(0, memory.at[index]);
        uint key = keys_of(bits.yyyy).x;
#endif
        if (key != 0 && key - window_bottom >= window_span) add_to_bins(bits.x, bits.y);
    }
    atomicOr(found, FOUND_BINS);
}

#include "digits.glsl"

// A vector of a tile that may end within it.
uvec4 load_vector(uvec2 base, uint index, uint words) {
    if (ALIGNED && index + VECTOR_WORDS <= words) return Words4(base).at[index / VECTOR_WORDS];
    return words_load_partial(base, index, words);
}

// This invocation's vectors of BATCH rows. All loads are issued before the first is used.
#define LOAD_BATCH(vectors, row)                                                                                            \
    if (ALIGNED && (row + BATCH) * ROW <= words) {                                                                          \
        [[unroll]] for (uint i = 0; i < BATCH; ++i) {                                                                       \
            vectors[i] = Words4(base).at[(row + i) * (ROW / VECTOR_WORDS) + invocation()];                                  \
        }                                                                                                                   \
    } else {                                                                                                                \
        [[unroll]] for (uint i = 0; i < BATCH; ++i) {                                                                       \
            vectors[i] = load_vector(base, (row + i) * ROW + VECTOR_WORDS * invocation(), words);                           \
        }                                                                                                                   \
    }

void clear_shared() {
    const uint size = 2 * SIGN_BINS * COPIES;
    for (uint first = 0; first < size; first += WORKGROUP_SIZE) {
        if (first + invocation() < size) bins[first + invocation()] = 0;
    }
    if (invocation() < DIGITS + 2) digits[invocation()] = 0;
    if (invocation() == 0) {
        found = 0;
        highest_key = 0;
        first_limb = DIGITS;
        last_limb = 0;
    }
    barrier();
}

void main() {
    uint count = count_of(push.count, push.count_address, 0);
    uint log2_tile = reduce_any_log2_tile(max(count, 1), PER_VECTOR, MOST_TILES);
    uint tiles = ((max(count, 1) - 1) >> log2_tile) + 1, tile = push.first + workgroup_number();
    if (tile >= tiles) return;
    uvec2 base = address_of(push.input_address, tile, (4 * WORDS) << log2_tile);
    uint words = min(count - (tile << log2_tile), 1 << log2_tile) * WORDS;

    // Load: the tile, row by row; each invocation adds its elements to its sums, or to the bins.
    uvec2 limb = uvec2(0); // of the digit of this invocation's number
#if defined(DOUBLES) || !defined(ELEMENT_F64)
    uvec4 vectors[BATCH], coming[BATCH];
    LOAD_BATCH(vectors, 0)
    LOAD_BATCH(coming, BATCH)
    clear_shared();
    KEYS most = KEYS(0);
    [[unroll]] for (uint i = 0; i < BATCH; ++i) most = max(most, keys_of(vectors[i]));
#ifndef ELEMENT_F64
    most.xy = max(most.xy, most.zw);
#endif
    choose_window(max(most.x, most.y));

    SLICE_SUM sums[SLICES];
    [[unroll]] for (uint slice = 0; slice < SLICES; ++slice) sums[slice] = SLICE_SUM(0);
    uint added = 0;
    for (uint row = 0; row * ROW < words; row += BATCH) {
        // Zeros are outside, too, but are added as any others: so 1 is taken from each key, and they have the largest.
        KEYS lowest = KEYS(~0u), highest = KEYS(0);
        [[unroll]] for (uint i = 0; i < BATCH; ++i) {
            lowest = min(lowest, keys_of(vectors[i]) - 1);
            highest = max(highest, keys_of(vectors[i]));
        }
        if (any(lessThan(lowest, KEYS(window_bottom - 1))) || any(greaterThanEqual(highest, KEYS(window_bottom + window_span)))) {
            [[unroll]] for (uint i = 0; i < BATCH; ++i) {
                KEYS keys = keys_of(vectors[i]);
#ifdef ELEMENT_F64
                vectors[i] = mix(vectors[i], uvec4(0), OUTSIDE(keys).xxyy);
#else
                vectors[i] = mix(vectors[i], uvec4(0), OUTSIDE(keys));
#endif
            }
            add_outside(base, row, words);
        }
        [[unroll]] for (uint i = 0; i < BATCH; ++i) {
            precise REALS rest = reals_of(vectors[i]);
            [[unroll]] for (uint slice = 0; slice < SLICES; ++slice) {
                precise REALS moved = rest + magic(slice), taken = moved - magic(slice), left = rest - taken;
                sums[slice] = slice_add(sums[slice], moved);
                rest = left;
            }
        }
        added += BATCH * PER_VECTOR;
        [[unroll]] for (uint i = 0; i < BATCH; ++i) vectors[i] = coming[i];
        LOAD_BATCH(coming, row + 2 * BATCH)
    }
    // Combine: the sums of all invocations, which is workgroup_reduce() of all slices at once.
    uvec2 totals[SLICES];
    [[unroll]] for (uint slice = 0; slice < SLICES; ++slice) totals[slice] = slice_total(sums[slice], slice, added);
    [[unroll]] for (uint bit = 1; bit < TEAM; bit <<= 1) ADD_EXCHANGED(totals, bit)
    [[unroll]] for (uint slice = 0; slice < SLICES; ++slice) {
        if (invocation() % TEAM == 0) team_totals[invocation() / TEAM][slice] = totals[slice];
    }
    barrier();
    [[unroll]] for (uint slice = 0; slice < SLICES; ++slice) totals[slice] = team_totals[invocation() % TEAMS][slice];
    [[unroll]] for (uint bit = 1; bit < TEAMS; bit <<= 1) ADD_EXCHANGED(totals, bit)
    [[unroll]] for (uint slice = 0; slice < SLICES; ++slice) {
        limb = operate(limb, digit_of(totals[slice], window_exponent - slice * SLICE_BITS, invocation()));
    }
#else
    clear_shared();
    for (uint row = 0; row * ROW < words; row += BATCH) add_outside(base, row, words);
    barrier();
#endif
    // Then those of the bins, and those of all tiles, in the last workgroup to arrive.
    if ((found & FOUND_BINS) != 0 && invocation() < DIGITS) {
        // Each limb gets 32 bits of each bin, so that those of all tiles have 64.
        limb = operate(limb, uvec2(bins_of(invocation()).x, 0));
        if (invocation() > 0) limb = operate(limb, sign_extended(bins_of(invocation() - 1).y));
    }
    if (tiles > 1 && !hand_in(tiles, limb)) return;
    if (invocation() < DIGITS) {
        limbs[invocation()] = limb;
        if (limb != uvec2(0)) {
            atomicMin(first_limb, invocation());
            atomicMax(last_limb, invocation());
        }
    }
    barrier();
    // Store: the sum, rounded once.
    store_sum();
}
