#version 460
// variants: elements
//
// Reduction in one dispatch: every workgroup folds one tile, and the last one to arrive folds the totals of all (fold.glsl). Sums of
// integers, whose order is free, are added up by the atomics that count the arrivals.
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
#include "../names.glsl"

#include "fold_tile.glsl"

#if defined(VKPRIM_WORD64) && defined(VKPRIM_ELEMENT_BITS) && !defined(VKPRIM_ELEMENT_FLOAT)
const bool ADDS_UP = USES_WORD64 && OPERATION == VKPRIM_ADD;

// Arrivals in the low half, their sum in the high half.
void add_up(Element partial, uint tiles) {
    if (invocation() != 0) return;
    uint64_t mine = packUint2x32(uvec2(1, element_word(partial, 0)));
    uint64_t all = mine + atomicAdd(Words64(fold_address(0, 0)).at[0], mine, DEVICE_RELAXED);
    uvec2 halves = unpackUint2x32(all);
    if (halves.x != tiles) return;
    element_store(push.output_address, element_of(uint[1](halves.y)));
    word_clear(fold_address(0, 0));
}
#else
const bool ADDS_UP = false;
void add_up(Element partial, uint tiles) {}
#endif

void main() {
    uint count = count_of(push.count, push.count_address, 0);
    uint log2_tile = reduce_log2_tile(max(count, 1), VECTOR_WIDTH);
    uint tiles = ((max(count, 1) - 1) >> log2_tile) + 1, tile = push.first + workgroup_number();
    if (tile >= tiles) return;

    // Load: the tile, each invocation its columns, folded from top to bottom.
    uvec2 base = address_of(push.input_address, tile, INPUT_BYTES << log2_tile);
    uint first = tile << log2_tile;
    Element columns = fold_columns(base, min(count - first, 1 << log2_tile), first, (1 << log2_tile) / COLUMNS);
    // Combine: the columns, and then the totals of all tiles, in the last workgroup to arrive.
    Element total = workgroup_reduce(columns);
    if (ADDS_UP && tiles > 1) {
        add_up(total, tiles);
        return;
    }
    // Store: the result.
    if (fold(tile, tiles, total) && invocation() == 0) element_store(push.output_address, total);
}
