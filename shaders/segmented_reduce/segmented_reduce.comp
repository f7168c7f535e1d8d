#version 460
// variants: elements
//
// Reductions of many segments in one dispatch, each in the order of a reduction of that segment alone (fold_tile.glsl), so with the same bits.
// segments.glsl describes how segments are divided among workgroups. Segments of one tile, which is a binary tree over vectors, go to groups
// of 1, 8 or 32 invocations. Longer segments are tiles, which are folded as in a reduction (fold.glsl). Tiles of one row are folded by
// teams, up to eight by each: no workgroup does more than its share, and one tile for each team.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/element.glsl>
#include "segmented_reduce_push.h"

layout(constant_id = SEGMENTED_REDUCE_ROWS_ID) const bool SEGMENTS_ROWS = false; // of one length, else offsets
layout(constant_id = SEGMENTED_REDUCE_BATCH_ID) const uint BATCH = 4;   // rows of a tile
layout(constant_id = SEGMENTED_REDUCE_ALIGNED_ID) const bool ALL_ALIGNED = false; // segments begin at multiples of 16 bytes

layout(push_constant) uniform Push {
    SegmentedReducePush push;
    VKPRIM_PARAMETERS_MEMBER
};
VKPRIM_DEFINE_PARAMETERS

uint fold_place(uint fold, uint word);
#define VKPRIM_FOLD_SCRATCH push.scratch
#define VKPRIM_FOLD_PLACE(fold, word) fold_place(fold, word)
const bool VKPRIM_FOLD_ORDERED = true; // so that no workgroup waits, whatever the offsets are
#include <vkprim/glsl/detail/fold.glsl>

#define ALIGNED (ALL_ALIGNED || (base.x & 15) == 0)
#include "../reduce/fold_tile.glsl"

const uint LONG_VECTORS = COLUMNS / VKPRIM_VECTOR_WIDTH, MEDIUM_GROUP_SIZE = 8, LONG_ROWS = 8;
#include "../segments/segments.glsl"

uint tiled_place, tiled_tiles, tiled_log2; // of a segment of several tiles

void store_result(uint segment, VKPRIM_ELEMENT total) {
#ifdef VKPRIM_HAS_STORE
    store(segment, total);
#else
    vkprim_element_store(vkprim_address_of(push.output_address, segment, 4 * VKPRIM_REGISTER_WORDS), total);
#endif
}

VKPRIM_VECTOR load_vector_at(Segment segment, uint vector) {
    return load_vector(segment.base, segment.first, vector * VKPRIM_VECTOR_WIDTH, segment.count);
}

// Of up to eight totals, the one numbered `number` put together with those before it, in pairs.
VKPRIM_ELEMENT folded_in_pairs(VKPRIM_ELEMENT total, uint number, inout VKPRIM_ELEMENT one_before, inout VKPRIM_ELEMENT two_before,
                               inout VKPRIM_ELEMENT four_before) {
    if (number % 2 == 0) {
        one_before = total;
        return total;
    }
    total = vkprim_operate(one_before, total);
    if (number % 4 == 1) {
        two_before = total;
        return total;
    }
    total = vkprim_operate(two_before, total);
    if (number == 3) {
        four_before = total;
        return total;
    }
    return vkprim_operate(four_before, total);
}

// The total of the first rows * group_size vectors of a segment, in a group of so many invocations: 4 or 8 rows, which are folded in pairs.
VKPRIM_ELEMENT fold_rows(Segment segment, uint group_size, uint rows) {
    VKPRIM_ELEMENT total, one_before, two_before, four_before;
    total = one_before = two_before = four_before = vkprim_element_identity();
    for (uint row = 0; row < rows; ++row) {
        total = vkprim_vector_reduce(load_vector_at(segment, row * group_size + vkprim_invocation() % group_size));
        for (uint bit = 1; bit < group_size; bit <<= 1) total = vkprim_operate_pair(total, vkprim_team_exchange(total, bit), bit);
        total = folded_in_pairs(total, row, one_before, two_before, four_before);
    }
    return total;
}
#if VKPRIM_VECTOR_WIDTH == 1
VKPRIM_ELEMENT fold_segment(Segment segment, uint group_size, uint rows) { return fold_rows(segment, group_size, rows); }
#else
// Four loads are issued before the first is used.
VKPRIM_ELEMENT fold_fours(Segment segment, uint group_size, uint rows) {
    VKPRIM_ELEMENT total = vkprim_element_identity();
    for (uint row = 0; row < rows; row += 4) {
        const uint vector = row * group_size + vkprim_invocation() % group_size;
        VKPRIM_VECTOR u = load_vector_at(segment, vector), v = load_vector_at(segment, vector + group_size);
        VKPRIM_VECTOR w = load_vector_at(segment, vector + 2 * group_size), x = load_vector_at(segment, vector + 3 * group_size);
        VKPRIM_ELEMENT a = vkprim_vector_reduce(u), b = vkprim_vector_reduce(v);
        VKPRIM_ELEMENT c = vkprim_vector_reduce(w), d = vkprim_vector_reduce(x);
        for (uint bit = 1; bit < group_size; bit <<= 1) {
            a = vkprim_operate_pair(a, vkprim_team_exchange(a, bit), bit);
            b = vkprim_operate_pair(b, vkprim_team_exchange(b, bit), bit);
            c = vkprim_operate_pair(c, vkprim_team_exchange(c, bit), bit);
            d = vkprim_operate_pair(d, vkprim_team_exchange(d, bit), bit);
        }
        a = vkprim_operate(vkprim_operate(a, b), vkprim_operate(c, d));
        total = row == 0 ? a : vkprim_operate(total, a);
    }
    return total;
}

VKPRIM_ELEMENT fold_segment(Segment segment, uint group_size, uint rows) {
    VKPRIM_ELEMENT total;
    if (VKPRIM_FEW_REGISTERS) total = fold_rows(segment, group_size, rows);
    else total = fold_fours(segment, group_size, rows);
    if (segment.count == 0) total = vkprim_element_identity(); // an index that is none
    return total;
}
#endif

void take_group(Segment segment, uint number, bool there, uint group_size, uint rows) {
    const VKPRIM_ELEMENT total = fold_segment(segment, group_size, rows);
    if (there && vkprim_invocation() % group_size == 0) store_result(number, total);
}

uvec2 group_of(uint vectors) {
    uint group_size = 1, rows = 4;
    while (group_size * rows < vectors) {
        if (rows < 8 && group_size > 1) rows = 8;
        else group_size = group_size == 1 ? 8 : 2 * group_size;
    }
    return uvec2(group_size, rows);
}

// Of scratch, what a block of places has that one tile, or another thing of its segment, has for itself.
uint block_of(uint tile) { return SEGMENTED_REDUCE_BLOCK_ELEMENTS * ((tiled_place + (tile << tiled_log2)) / COLUMNS); }

// If there are groups of tiles, all tiles but the last have 16 blocks. A group uses the second place of the tile before it.
uint group_block(uint group) { return block_of(max(group * VKPRIM_FOLD_FAN, 1) - 1) + SEGMENTED_REDUCE_BLOCK_ELEMENTS; }

uint fold_place(uint fold, uint word) {
    if (word == 0) return fold == 0 ? block_of(0) + 2 : group_block(fold - 1);
    if (fold == 0 && tiled_tiles > VKPRIM_FOLD_FAN) return group_block(word - 1) + 1;
    const uint tile = (max(fold, 1) - 1) * VKPRIM_FOLD_FAN + word - 1;
    return block_of(tile) + uint(tile == 0);
}

// The total of tiles of one row, each treated as a segment: a team has 1, 2, 4 or 8 of them, which are folded in pairs.
VKPRIM_ELEMENT fold_tiles(Segment segment, uint index, uint tiles) {
    index += vkprim_invocation() / VKPRIM_TEAM * tiles * COLUMNS;
#if VKPRIM_VECTOR_WIDTH == 1
    // Of wide elements, one tile to a team, since registers are few.
    const uint count = min(max(segment.count, index) - index, COLUMNS);
    const uvec2 base = vkprim_address_of(segment.base, count > 0 ? index / COLUMNS : 0, VKPRIM_INPUT_BYTES * COLUMNS);
    VKPRIM_ELEMENT total = fold_segment(Segment(base, segment.first + index, count, 0), VKPRIM_TEAM, 8);
#else
    VKPRIM_ELEMENT total, one_before, two_before, four_before;
    total = one_before = two_before = four_before = vkprim_element_identity();
    [[dont_unroll]] for (uint tile = 0; tile < tiles; ++tile, index += COLUMNS) {
        const uint count = min(max(segment.count, index) - index, COLUMNS);
        const uvec2 base = vkprim_address_of(segment.base, count > 0 ? index / COLUMNS : 0, VKPRIM_INPUT_BYTES * COLUMNS);
        total = fold_segment(Segment(base, segment.first + index, count, 0), VKPRIM_TEAM, 8);
        total = folded_in_pairs(total, tile, one_before, two_before, four_before);
    }
#endif
    if (vkprim_invocation() % VKPRIM_TEAM != 0) total = vkprim_element_identity();
    return total;
}

// Tiles, or as many tiles of one row as there are teams, that begin at `begin` or later, and before `end`.
void take_tiles(uint number, uint begin, uint end) {
    const Segment segment = segment_at(number);
    const uint log2_tile = reduce_log2_tile(segment.count, VKPRIM_VECTOR_WIDTH);
    const bool has_rows = 1 << log2_tile > COLUMNS;
    // If possible, a workgroup publishes all its totals at once.
#if VKPRIM_VECTOR_WIDTH == 1
    const uint log2_of_team = 0;
#else
    const uint log2_of_team = min(findMSB(max(min(push.share, segment.count) / (VKPRIM_TEAMS * COLUMNS), 1)), 3);
#endif
    const uint log2_each = log2_tile + (has_rows ? 0 : findLSB(VKPRIM_TEAMS) + log2_of_team), tiles = (segment.count - 1 >> log2_each) + 1;
    const uint first = segment.place >= begin ? 0 : (begin - segment.place - 1 >> log2_each) + 1;
    const uint behind = segment.place >= end ? 0 : min((end - segment.place - 1 >> log2_each) + 1, tiles);
    tiled_place = segment.place;
    tiled_tiles = tiles;
    tiled_log2 = log2_each;
    for (uint tile = first; tile < behind; ++tile) {
        const uint index = tile << log2_each;
        VKPRIM_ELEMENT total;
        if (has_rows) {
            total = fold_columns(vkprim_address_of(segment.base, tile, VKPRIM_INPUT_BYTES << log2_tile),
                                 min(segment.count - index, 1 << log2_tile), segment.first + index, (1 << log2_tile) / COLUMNS);
        } else {
            total = fold_tiles(segment, index, 1 << log2_of_team);
        }
        total = vkprim_workgroup_reduce(total);
        if (vkprim_fold(tile, tiles, total) && vkprim_invocation() == 0) store_result(number, total);
        barrier();
    }
}

void main() {
    element_count = vkprim_count_of(push.count, push.count_address, 0);
    segment_count = vkprim_count_of(push.segments, push.segments_address, 0);
    const uint workgroup = push.first + vkprim_workgroup_number();
    if (workgroup >= push.workgroups) return;
    take_share(workgroup);
}
