#version 460
// variants: elements
//
// Reduction of an array in chunks: the steps of a reduction (reduce.comp, fold.glsl) as separate dispatches. In one, each workgroup folds a
// tile of a chunk. Others fold the totals of all tiles, in groups of 256, and those of the groups. The order, and so the bits, are those of a
// reduction in one dispatch.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/element.glsl>
#include "chunked_reduce_push.h"

layout(constant_id = CHUNKED_REDUCE_ALIGNED_ID) const bool ALIGNED = false; // input, to 16 bytes
layout(constant_id = CHUNKED_REDUCE_BATCH_ID) const uint BATCH = 4;         // rows
layout(constant_id = CHUNKED_REDUCE_STAGE_ID) const uint STAGE = CHUNKED_REDUCE_TILES;

layout(push_constant) uniform Push { ChunkedReducePush push; };

#include "../chunks/totals.glsl"
#include "../reduce/fold_tile.glsl"

Element fold_tile(uint tile) {
    const uint begin = tile << push.log2_tile, size = 1 << push.log2_tile;
    const uvec2 base = address_of(push.input_address, tile, INPUT_BYTES << push.log2_tile);
    return workgroup_reduce(fold_columns(base, min(push.count - begin, size), push.first + begin, size / COLUMNS));
}

void main() {
    const uint workgroup = workgroup_number();
    if (workgroup >= push.workgroups) return;
    // Load and combine: the elements of a tile, or the totals of a group.
    Element total;
    if (STAGE == CHUNKED_REDUCE_TILES) total = fold_tile(workgroup);
    else total = fold_totals(push.input_address, workgroup, push.count);
    // Store: the result, or a total for the next dispatch.
    if (invocation() != 0) return;
    if (STAGE == CHUNKED_REDUCE_RESULT) element_store(push.output_address, total);
    else store_total(push.output_address, workgroup, total);
}
