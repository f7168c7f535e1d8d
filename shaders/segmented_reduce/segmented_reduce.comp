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
#include "../names.glsl"

#define ALIGNED (ALL_ALIGNED || (base.x & 15) == 0)
#include "../reduce/fold_tile.glsl"

const uint LONG_VECTORS = COLUMNS / VECTOR_WIDTH, MEDIUM_GROUP_SIZE = 8, LONG_ROWS = 8;
#include "../segments/segments.glsl"

uint tiled_place, tiled_tiles, tiled_log2; // of a segment of several tiles

void store_result(uint segment, Element total) {
#ifdef VKPRIM_HAS_STORE
    store(segment, total);
#else
    element_store(address_of(push.output_address, segment, 4 * REGISTER_WORDS), total);
#endif
}

Vector load_vector_at(Segment segment, uint vector) {
    return load_vector(segment.base, segment.first, vector * VECTOR_WIDTH, segment.count);
}

// Of up to eight totals, the one numbered `number` put together with those before it, in pairs.
Element folded_in_pairs(Element total, uint number, inout Element one_before, inout Element two_before, inout Element four_before) {
    if (number % 2 == 0) {
        one_before = total;
        return total;
    }
    total = operate(one_before, total);
    if (number % 4 == 1) {
        two_before = total;
        return total;
    }
    total = operate(two_before, total);
    if (number == 3) {
        four_before = total;
        return total;
    }
    return operate(four_before, total);
}

// The total of the first rows * group_size vectors of a segment, in a group of so many invocations: 4 or 8 rows, which are folded in pairs.
Element fold_rows(Segment segment, uint group_size, uint rows) {
    Element total, one_before, two_before, four_before;
    total = one_before = two_before = four_before = element_identity();
    for (uint row = 0; row < rows; ++row) {
        total = vector_reduce(load_vector_at(segment, row * group_size + invocation() % group_size));
        for (uint bit = 1; bit < group_size; bit <<= 1) total = operate_pair(total, team_exchange(total, bit), bit);
        total = folded_in_pairs(total, row, one_before, two_before, four_before);
    }
    return total;
}
#if VECTOR_WIDTH == 1
Element fold_segment(Segment segment, uint group_size, uint rows) { return fold_rows(segment, group_size, rows); }
#else
// Four loads are issued before the first is used.
Element fold_fours(Segment segment, uint group_size, uint rows) {
    Element total = element_identity();
    for (uint row = 0; row < rows; row += 4) {
        const uint vector = row * group_size + invocation() % group_size;
        Vector u = load_vector_at(segment, vector), v = load_vector_at(segment, vector + group_size);
        Vector w = load_vector_at(segment, vector + 2 * group_size), x = load_vector_at(segment, vector + 3 * group_size);
        Element a = vector_reduce(u), b = vector_reduce(v);
        Element c = vector_reduce(w), d = vector_reduce(x);
        for (uint bit = 1; bit < group_size; bit <<= 1) {
            a = operate_pair(a, team_exchange(a, bit), bit);
            b = operate_pair(b, team_exchange(b, bit), bit);
            c = operate_pair(c, team_exchange(c, bit), bit);
            d = operate_pair(d, team_exchange(d, bit), bit);
        }
        a = operate(operate(a, b), operate(c, d));
        total = row == 0 ? a : operate(total, a);
    }
    return total;
}

Element fold_segment(Segment segment, uint group_size, uint rows) {
    Element total;
    if (FEW_REGISTERS) total = fold_rows(segment, group_size, rows);
    else total = fold_fours(segment, group_size, rows);
    if (segment.count == 0) total = element_identity(); // an index that is none
    return total;
}
#endif

void take_group(Segment segment, uint number, bool there, uint group_size, uint rows) {
    const Element total = fold_segment(segment, group_size, rows);
    if (there && invocation() % group_size == 0) store_result(number, total);
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
uint group_block(uint group) { return block_of(max(group * FOLD_FAN, 1) - 1) + SEGMENTED_REDUCE_BLOCK_ELEMENTS; }

uint fold_place(uint fold, uint word) {
    if (word == 0) return fold == 0 ? block_of(0) + 2 : group_block(fold - 1);
    if (fold == 0 && tiled_tiles > FOLD_FAN) return group_block(word - 1) + 1;
    const uint tile = (max(fold, 1) - 1) * FOLD_FAN + word - 1;
    return block_of(tile) + uint(tile == 0);
}

// The total of tiles of one row, each treated as a segment: a team has 1, 2, 4 or 8 of them, which are folded in pairs.
Element fold_tiles(Segment segment, uint index, uint tiles) {
    index += invocation() / TEAM * tiles * COLUMNS;
#if VECTOR_WIDTH == 1
    // Of wide elements, one tile to a team, since registers are few.
    const uint count = min(max(segment.count, index) - index, COLUMNS);
    const uvec2 base = address_of(segment.base, count > 0 ? index / COLUMNS : 0, INPUT_BYTES * COLUMNS);
    Element total = fold_segment(Segment(base, segment.first + index, count, 0), TEAM, 8);
#else
    Element total, one_before, two_before, four_before;
    total = one_before = two_before = four_before = element_identity();
    [[dont_unroll]] for (uint tile = 0; tile < tiles; ++tile, index += COLUMNS) {
        const uint count = min(max(segment.count, index) - index, COLUMNS);
        const uvec2 base = address_of(segment.base, count > 0 ? index / COLUMNS : 0, INPUT_BYTES * COLUMNS);
        total = fold_segment(Segment(base, segment.first + index, count, 0), TEAM, 8);
        total = folded_in_pairs(total, tile, one_before, two_before, four_before);
    }
#endif
    if (invocation() % TEAM != 0) total = element_identity();
    return total;
}

// Tiles, or as many tiles of one row as there are teams, that begin at `begin` or later, and before `end`.
void take_tiles(uint number, uint begin, uint end) {
    const Segment segment = segment_at(number);
    const uint log2_tile = reduce_log2_tile(segment.count, VECTOR_WIDTH);
    const bool has_rows = 1 << log2_tile > COLUMNS;
    // If possible, a workgroup publishes all its totals at once.
#if VECTOR_WIDTH == 1
    const uint log2_of_team = 0;
#else
    const uint log2_of_team = min(findMSB(max(min(push.share, segment.count) / (TEAMS * COLUMNS), 1)), 3);
#endif
    const uint log2_each = log2_tile + (has_rows ? 0 : findLSB(TEAMS) + log2_of_team), tiles = (segment.count - 1 >> log2_each) + 1;
    const uint first = segment.place >= begin ? 0 : (begin - segment.place - 1 >> log2_each) + 1;
    const uint behind = segment.place >= end ? 0 : min((end - segment.place - 1 >> log2_each) + 1, tiles);
    tiled_place = segment.place;
    tiled_tiles = tiles;
    tiled_log2 = log2_each;
    for (uint tile = first; tile < behind; ++tile) {
        const uint index = tile << log2_each;
        Element total;
        if (has_rows) {
            total = fold_columns(address_of(segment.base, tile, INPUT_BYTES << log2_tile),
                                 min(segment.count - index, 1 << log2_tile), segment.first + index, (1 << log2_tile) / COLUMNS);
        } else {
            total = fold_tiles(segment, index, 1 << log2_of_team);
        }
        total = workgroup_reduce(total);
        if (fold(tile, tiles, total) && invocation() == 0) store_result(number, total);
        barrier();
    }
}

void main() {
    element_count = count_of(push.count, push.count_address, 0);
    segment_count = count_of(push.segments, push.segments_address, 0);
    const uint workgroup = push.first + workgroup_number();
    if (workgroup >= push.workgroups) return;
    // Load, combine and store: take_group() for each short segment, take_tiles() for each long one.
    take_share(workgroup);
}
