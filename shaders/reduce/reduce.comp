#version 460
// variants: elements x word32 | word64 VKPRIM_WORD64 | plain VKPRIM_NO_SUBGROUPS
//
// Reduction in one dispatch: every workgroup folds one tile, and the last one to arrive folds what all have (fold.glsl). Sums of
// integers, whose order is free, are added up by the arrivals.
//
// A tile is a matrix of 1024 columns. Columns are folded from top to bottom, then the 1024 totals in pairs (i, i xor 1),
// (i, i xor 2) ... Invocation i holds columns 4 i to 4 i + 3. Tiles are folded in pairs, too.
// Of elements of two words there are 512 columns, so that an invocation's are always 16 bytes; of more, 256.
//
// An operation that does not commute must not skip from row to row. There a tile is cut among teams of 32 invocations, and their
// parts into rows of a vector for each invocation, folded in pairs, which are then folded from first to last.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/element.glsl>
#include "reduce_push.h"

layout(constant_id = REDUCE_ALIGNED_ID) const bool ALIGNED = false; // input, to 16 bytes
layout(constant_id = REDUCE_BATCH_ID) const uint BATCH = 4;         // rows
layout(constant_id = REDUCE_ORDERED_ID) const bool VKPRIM_FOLD_ORDERED = true;

layout(push_constant) uniform Push {
    ReducePush push;
    VKPRIM_PARAMETERS_MEMBER
};
VKPRIM_DEFINE_PARAMETERS
#define VKPRIM_FOLD_SCRATCH push.scratch
#include <vkprim/glsl/detail/fold.glsl>

const uint COLUMNS = REDUCE_COLUMNS / 4 * VKPRIM_VECTOR_WIDTH; // of elements
const uint ROW = REDUCE_COLUMNS;                                 // in words, where vectors are of 16 bytes

#ifdef VKPRIM_ELEMENT_BY_ELEMENT
VKPRIM_VECTOR load_vector(uvec2 base, uint first, uint index, uint count) { return vkprim_vector_load(base, first, index, count); }
#else
VKPRIM_VECTOR load_vector(uvec2 base, uint first, uint index, uint count) {
    uint word = index * VKPRIM_MEMORY_WORDS, words = count * VKPRIM_MEMORY_WORDS;
    uvec4 bits;
    if (ALIGNED && word + 4 <= words) bits = vkprim_Words4(base).at[word / 4];
    else bits = vkprim_words_load_partial(base, word, words);
    return vkprim_vector_from_memory(bits, first + index);
}
#endif

#if defined(VKPRIM_KEEPS_ORDER)
// Of a tile of `rows` rows, the first of whose elements is number `first`, the first `count`. All loads of BATCH rows are issued before
// the first is used.
VKPRIM_ELEMENT fold_tile(uvec2 base, uint count, uint first, uint rows) {
    const uint TEAM_COLUMNS = VKPRIM_TEAM * VKPRIM_VECTOR_WIDTH;
    uint begin = vkprim_invocation() / VKPRIM_TEAM * rows * TEAM_COLUMNS + vkprim_invocation() % VKPRIM_TEAM * VKPRIM_VECTOR_WIDTH;
    VKPRIM_ELEMENT total = vkprim_element_identity();
    for (uint row = 0; row < rows; row += BATCH) {
        VKPRIM_VECTOR vectors[BATCH];
        [[unroll]] for (uint r = 0; r < BATCH; ++r) {
            vectors[r] = load_vector(base, first, begin + (row + r) * TEAM_COLUMNS, row + r < rows ? count : 0);
        }
        [[unroll]] for (uint r = 0; r < BATCH; ++r) {
            VKPRIM_ELEMENT folded = vkprim_vector_reduce(vectors[r]);
            [[unroll]] for (uint bit = 1; bit < VKPRIM_TEAM; bit <<= 1) {
                folded = vkprim_operate_pair(folded, vkprim_team_exchange(folded, bit), bit);
            }
            total = vkprim_operate(total, folded);
        }
    }
    if (vkprim_invocation() % VKPRIM_TEAM != 0) total = vkprim_element_identity();
    return vkprim_workgroup_reduce(total);
}
#elif defined(VKPRIM_ELEMENT_BY_ELEMENT)
// The same where the operation commutes: each invocation folds its columns.
VKPRIM_ELEMENT fold_tile(uvec2 base, uint count, uint first, uint rows) {
    VKPRIM_VECTOR columns = vkprim_vector_of(vkprim_element_identity());
    for (uint row = 0; row * COLUMNS < count; row += BATCH) {
        VKPRIM_VECTOR vectors[BATCH];
        [[unroll]] for (uint r = 0; r < BATCH; ++r) {
            uint index = (row + r) * COLUMNS + vkprim_invocation() * VKPRIM_VECTOR_WIDTH;
            vectors[r] = load_vector(base, first, index, count);
        }
        [[unroll]] for (uint r = 0; r < BATCH; ++r) columns = vkprim_operate(columns, vectors[r]);
    }
    return vkprim_workgroup_reduce(vkprim_vector_reduce(columns));
}
#else
// Adds this invocation's vector of a row to its columns.
void fold_vector(inout VKPRIM_VECTOR columns, uvec4 words, uint first, uint row) {
    uint index = first + (row * ROW + 4 * vkprim_invocation()) / VKPRIM_MEMORY_WORDS;
    columns = vkprim_operate(columns, vkprim_vector_from_memory(words, index));
}

// The first `elements` of a tile, BATCH rows at a time: all their loads are issued before the first is used. `first`: the number
// of the tile's first element.
VKPRIM_ELEMENT fold_tile(uvec2 base, uint elements, uint first, uint rows) {
    uint count = elements * VKPRIM_MEMORY_WORDS;
    VKPRIM_VECTOR columns = vkprim_vector_of(vkprim_element_identity());
    uint row = 0;
    if (ALIGNED && BATCH * ROW <= count) {
        // While a batch is folded, the next one is on its way.
        uvec4 bits[BATCH], coming[BATCH];
        [[unroll]] for (uint r = 0; r < BATCH; ++r) bits[r] = vkprim_Words4(base).at[r * (ROW / 4) + vkprim_invocation()];
        for (row = BATCH; (row + BATCH) * ROW <= count; row += BATCH) {
            [[unroll]] for (uint r = 0; r < BATCH; ++r) coming[r] = vkprim_Words4(base).at[(row + r) * (ROW / 4) + vkprim_invocation()];
            [[unroll]] for (uint r = 0; r < BATCH; ++r) fold_vector(columns, bits[r], first, row - BATCH + r);
            [[unroll]] for (uint r = 0; r < BATCH; ++r) bits[r] = coming[r];
        }
        [[unroll]] for (uint r = 0; r < BATCH; ++r) fold_vector(columns, bits[r], first, row - BATCH + r);
    }
    for (; row * ROW < count; row += BATCH) {
        uvec4 bits[BATCH];
        [[unroll]] for (uint r = 0; r < BATCH; ++r) {
            uint index = (row + r) * ROW + 4 * vkprim_invocation();
            bits[r] = vkprim_words_of_nothing();
            if (!ALIGNED) {
                bits[r] = vkprim_words_load_partial(base, index, count);
            } else if (index + 4 <= count) {
                bits[r] = vkprim_Words4(base).at[index / 4];
            }
        }
        [[unroll]] for (uint r = 0; r < BATCH; ++r) fold_vector(columns, bits[r], first, row + r);
    }
    uint rest = ALIGNED ? count % 4 : 0; // words of a vector that is not whole
    if (rest > 0 && (count - rest) % ROW == 4 * vkprim_invocation()) {
        fold_vector(columns, vkprim_words_load_partial(base, count - rest, count), first, count / ROW);
    }
    return vkprim_workgroup_reduce(vkprim_vector_reduce(columns));
}
#endif

#if defined(VKPRIM_WORD64) && defined(VKPRIM_ELEMENT_BITS) && !defined(VKPRIM_ELEMENT_FLOAT)
const bool ADDS_UP = VKPRIM_OPERATION == VKPRIM_ADD;

// Arrivals in the low half, their sum in the high half.
void add_up(VKPRIM_ELEMENT partial, uint tiles) {
    if (vkprim_invocation() != 0) return;
    uint64_t mine = packUint2x32(uvec2(1, VKPRIM_ELEMENT_BITS(partial)));
    uint64_t all = mine + atomicAdd(vkprim_Words64(vkprim_fold_address(0, 0)).at[0], mine, VKPRIM_DEVICE_RELAXED);
    uvec2 halves = unpackUint2x32(all);
    if (halves.x != tiles) return;
    vkprim_element_store(push.output_address, VKPRIM_ELEMENT_FROM_BITS(halves.y));
    vkprim_word_clear(vkprim_fold_address(0, 0));
}
#else
const bool ADDS_UP = false;
void add_up(VKPRIM_ELEMENT partial, uint tiles) {}
#endif

void main() {
    uint count = vkprim_count_of(push.count, push.count_address, 0);
    uint log2_tile = reduce_log2_tile(max(count, 1), VKPRIM_VECTOR_WIDTH);
    uint tiles = ((max(count, 1) - 1) >> log2_tile) + 1, tile = push.first + vkprim_workgroup_number();
    if (tile >= tiles) return;

    uvec2 base = vkprim_address_of(push.input_address, tile, VKPRIM_INPUT_BYTES << log2_tile);
    uint first = tile << log2_tile;
    VKPRIM_ELEMENT total = fold_tile(base, min(count - first, 1 << log2_tile), first, (1 << log2_tile) / COLUMNS);
    if (ADDS_UP && tiles > 1) {
        add_up(total, tiles);
        return;
    }
    if (vkprim_fold(tile, tiles, total) && vkprim_invocation() == 0) vkprim_element_store(push.output_address, total);
}
