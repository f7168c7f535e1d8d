#version 460
// variants: elements x word32 | word64 VKPRIM_WORD64 | plain VKPRIM_NO_SUBGROUPS
//
// Reductions of many segments in one dispatch, each in the order that a reduction of its own has (fold_tile.glsl), so with the same bits.
// A workgroup finds the segments in its share of the places by a search of as many branches as it has invocations. Those of one tile, which
// is a binary tree over vectors, go to groups of 4, 8 or 32 invocations, by their length. Longer ones are tiles, which are folded as in a
// reduction (fold.glsl): one workgroup never does more than it has a share of, and one tile.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/element.glsl>
#include "segmented_reduce_push.h"

layout(constant_id = SEGMENTED_REDUCE_ROWS_ID) const bool ROWS = false; // of one length, else offsets
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
const bool VKPRIM_FOLD_ORDERED = true; // so that nobody waits, whatever the offsets are
#include <vkprim/glsl/detail/fold.glsl>

#define ALIGNED (ALL_ALIGNED || (base.x & 15) == 0)
#include "../reduce/fold_tile.glsl"

const uint COST = VKPRIM_VECTOR_WIDTH; // places that a segment takes beside its elements
const uint SHORT = 4, MEDIUM = 32;     // vectors, up to which a segment is short, or medium; or long, up to a tile
const uint MOST_MEDIUM = SEGMENTED_REDUCE_MOST_SHARE / SHORT + 1, MOST_LONG = SEGMENTED_REDUCE_MOST_SHARE / MEDIUM + 1;
const uint MOST_TILED = SEGMENTED_REDUCE_MOST_SHARE * VKPRIM_VECTOR_WIDTH / COLUMNS + 2;

shared uint medium[MOST_MEDIUM], long_ones[MOST_LONG], tiled[MOST_TILED]; // numbers of segments
shared uint mediums, longs, tileds, probed;

struct Segment {
    uvec2 base;  // of its elements in memory
    uint  first; // number of its first element, as loads count them
    uint  count;
    uint  place;
};

uint element_count, segment_count;      // of a row, or of all; of all
uint tiled_place, tiled_tiles, tiled_log2; // of a segment of several tiles

uint offset_of(uint segment) {
    uvec2 address = vkprim_address_of(push.offsets_address, segment, push.offset_size);
    uint offset = vkprim_Words(address).at[0];
    if (push.offset_size == 8 && vkprim_Words(address).at[1] != 0) offset = ~0u;
    return min(offset, element_count);
}

uint place_of(uint segment) { return (ROWS ? segment * element_count : offset_of(segment)) + segment * COST; }

Segment segment_at(uint segment) {
    const uint begin = ROWS ? segment * element_count : offset_of(segment);
    const uint count = ROWS ? element_count : max(offset_of(segment + 1), begin) - begin;
    uvec2 base = ROWS ? vkprim_address_of(push.input_address, segment, push.pitch) : push.input_address;
    uint first = 0;
#if defined(VKPRIM_HAS_LOAD)
    first = begin;
#elif defined(VKPRIM_STRIDED)
    if (!ROWS) first = begin;
#else
    if (!ROWS) base = vkprim_address_of(base, begin, VKPRIM_INPUT_BYTES);
#endif
    return Segment(base, first, count, begin + segment * COST);
}

// How many segments there are whose place is below `end`, of the first `most`, if `least` are for certain.
uint segments_below(uint end, uint least, uint most) {
    if (ROWS) return min((end - 1) / (element_count + COST) + 1, most);
    while (least < most) {
        const uint each = (most - least - 1) / VKPRIM_WORKGROUP_SIZE + 1, probe = least + each * vkprim_invocation();
        if (vkprim_invocation() == 0) probed = 0;
        barrier();
        if (probe < most && place_of(probe) < end) atomicMax(probed, vkprim_invocation() + 1);
        barrier();
        const uint below = probed;
        barrier();
        if (below == 0) break;
        const uint last = least + each * (below - 1);
        least = last + 1;
        most = min(last + each, most);
    }
    return least;
}

void store_result(uint segment, VKPRIM_ELEMENT total) {
#ifdef VKPRIM_HAS_STORE
    vkprim_element_store(push.output_address, segment, 0, total);
#else
    vkprim_element_store(vkprim_address_of(push.output_address, segment, 4 * VKPRIM_REGISTER_WORDS), total);
#endif
}

// The total of vectors row * lanes to (row + 1) * lanes - 1 of a segment, in a group of so many invocations.
VKPRIM_ELEMENT fold_row(Segment segment, uint count, uint lanes, uint row) {
    const uint index = (row * lanes + vkprim_invocation() % lanes) * VKPRIM_VECTOR_WIDTH;
    VKPRIM_ELEMENT total = vkprim_element_identity();
    if (index < count) total = vkprim_vector_reduce(load_vector(segment.base, segment.first, index, count));
    [[unroll]] for (uint bit = 1; bit < lanes; bit <<= 1) total = vkprim_operate_pair(total, vkprim_team_exchange(total, bit), bit);
    return total;
}

VKPRIM_ELEMENT fold_rows(Segment segment, uint count, uint lanes, uint row) {
    VKPRIM_ELEMENT a = vkprim_operate(fold_row(segment, count, lanes, row), fold_row(segment, count, lanes, row + 1));
    VKPRIM_ELEMENT b = vkprim_operate(fold_row(segment, count, lanes, row + 2), fold_row(segment, count, lanes, row + 3));
    return vkprim_operate(a, b);
}

// Into a list. Where offsets descend, it may be too short.
void list_tiled(uint segment) {
    const uint number = atomicAdd(tileds, 1);
    if (number < MOST_TILED) tiled[number] = segment;
}

void list(uint segment, uint vectors) {
    const bool is_medium = vectors <= MEDIUM;
    const uint number = is_medium ? atomicAdd(mediums, 1) : atomicAdd(longs, 1);
    if (is_medium && number < MOST_MEDIUM) medium[number] = segment;
    if (!is_medium && number < MOST_LONG) long_ones[number] = segment;
}

// Those that begin from `begin` on; the others are put into lists. `first`: the first that may have something in the share.
void reduce_short(uint first, uint end, uint begin) {
    const uint group = vkprim_invocation() / SHORT;
    for (uint i = first; i < end; i += VKPRIM_WORKGROUP_SIZE / SHORT) {
        const bool there = i + group < end;
        const Segment segment = segment_at(there ? i + group : end - 1);
        const uint vectors = segment.count / VKPRIM_VECTOR_WIDTH + uint(segment.count % VKPRIM_VECTOR_WIDTH != 0);
        const bool begins = there && segment.place >= begin, is_short = begins && vectors <= SHORT;
        VKPRIM_ELEMENT total = fold_row(segment, is_short ? segment.count : 0, SHORT, 0);
        if (there && vkprim_invocation() % SHORT == 0) {
            if (is_short) store_result(i + group, total);
            else if (segment.count > COLUMNS) list_tiled(i + group);
            else if (begins) list(i + group, vectors);
        }
    }
}

void reduce_medium() {
    const uint LANES = 8, listed = min(mediums, MOST_MEDIUM), group = vkprim_invocation() / LANES;
    for (uint i = 0; i < listed; i += VKPRIM_WORKGROUP_SIZE / LANES) {
        const bool there = i + group < listed;
        const uint number = medium[there ? i + group : 0];
        const Segment segment = segment_at(number);
        VKPRIM_ELEMENT total = fold_rows(segment, there ? segment.count : 0, LANES, 0);
        if (there && vkprim_invocation() % LANES == 0) store_result(number, total);
    }
}

void reduce_long() {
    const uint LANES = VKPRIM_TEAM, listed = min(longs, MOST_LONG), group = vkprim_invocation() / LANES;
    for (uint i = 0; i < listed; i += VKPRIM_WORKGROUP_SIZE / LANES) {
        const bool there = i + group < listed;
        const uint number = long_ones[there ? i + group : 0];
        const Segment segment = segment_at(number);
        const uint count = there ? segment.count : 0;
        VKPRIM_ELEMENT total = vkprim_operate(fold_rows(segment, count, LANES, 0), fold_rows(segment, count, LANES, 4));
        if (there && vkprim_invocation() % LANES == 0) store_result(number, total);
    }
}

// Of scratch, what a block of places has that one tile, or another thing of its segment, has for itself.
uint block_of(uint tile) { return SEGMENTED_REDUCE_BLOCK_ELEMENTS * ((tiled_place + (tile << tiled_log2)) / COLUMNS); }

// Where there are groups of tiles, a tile has 16 blocks, unless it is the last. The second of the tile ahead of a group is free for it.
uint group_block(uint group) { return block_of(max(group * VKPRIM_FOLD_FAN, 1) - 1) + SEGMENTED_REDUCE_BLOCK_ELEMENTS; }

uint fold_place(uint fold, uint word) {
    if (word == 0) return fold == 0 ? block_of(0) + 2 : group_block(fold - 1);
    if (fold == 0 && tiled_tiles > VKPRIM_FOLD_FAN) return group_block(word - 1) + 1;
    const uint tile = (max(fold, 1) - 1) * VKPRIM_FOLD_FAN + word - 1;
    return block_of(tile) + uint(tile == 0);
}

// Tiles that begin from `begin` on and ahead of `end`.
void reduce_tiles(uint number, uint begin, uint end) {
    const Segment segment = segment_at(number);
    const uint log2_tile = reduce_log2_tile(segment.count, VKPRIM_VECTOR_WIDTH), tiles = (segment.count - 1 >> log2_tile) + 1;
    const uint first = segment.place >= begin ? 0 : (begin - segment.place - 1 >> log2_tile) + 1;
    const uint behind = segment.place >= end ? 0 : min((end - segment.place - 1 >> log2_tile) + 1, tiles);
    tiled_place = segment.place;
    tiled_tiles = tiles;
    tiled_log2 = log2_tile;
    for (uint tile = first; tile < behind; ++tile) {
        const uint index = tile << log2_tile;
        VKPRIM_ELEMENT total = fold_tile(vkprim_address_of(segment.base, tile, VKPRIM_INPUT_BYTES << log2_tile),
                                         min(segment.count - index, 1 << log2_tile), segment.first + index, (1 << log2_tile) / COLUMNS);
        if (vkprim_fold(tile, tiles, total) && vkprim_invocation() == 0) store_result(number, total);
        barrier();
    }
}

void main() {
    element_count = vkprim_count_of(push.count, push.count_address, 0);
    segment_count = vkprim_count_of(push.segments, push.segments_address, 0);
    const uint workgroup = push.first + vkprim_workgroup_number();
    if (workgroup >= push.workgroups) return;
    if (vkprim_invocation() == 0) mediums = longs = tileds = 0;
    barrier();
    const uint begin = workgroup * push.share, end = begin + min(push.share, ~0u - begin);
    const uint first = max(segments_below(begin + 1, 0, segment_count), 1) - 1;
    // There are no more, but of offsets that descend.
    const uint most = min(segment_count - min(segment_count, first), push.share / COST + 1);
    const uint behind = segments_below(end, first, first + most);
    reduce_short(first, behind, begin);
    barrier();
    reduce_medium();
    reduce_long();
    for (uint i = 0; i < min(tileds, MOST_TILED); ++i) reduce_tiles(tiled[i], begin, end);
}
