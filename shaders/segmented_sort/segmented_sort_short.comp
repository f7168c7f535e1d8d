#version 460
// variants: word(u32,i32,f32) | long(u64,i64,f64) LONG_KEYS | narrow(u8,i8,u16,i16,f16) NARROW_KEYS
//
// Sorts short segments in one dispatch. Segments lie one after the other in a range of places. Each takes one more than it has elements, so an
// empty one has a place, too. A workgroup sorts the segments that begin in its share of the places. The share is such that these fit into a
// tile if none is longer than the host says. A tile is sorted by the digits of its keys, and then by the digits of the numbers of its
// segments; most tiles have one such digit. For rows, a share is as many whole rows as fit into a tile.
//
// Each key has a word: its place in the tile in the lower half, and the number of its segment in the upper half. Values are moved once, at
// the end.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/count.glsl>
#include "../names.glsl"
#include "segmented_sort_push.h"

layout(push_constant) uniform Push { SegmentedSortPush push; };
#define SORT_TAGS
#include "../sort/tile.glsl"

layout(constant_id = OWN_ID + 5) const bool SEGMENTS_ROWS = false;          // of one length, else offsets
layout(constant_id = OWN_ID + 6) const bool INDICES = false;                // values are made: the places of the keys in their segments

#define invocation() invocation
#include "../segments/offsets.glsl"
uint place_of(uint segment) { return offset_of(segment) + segment; }
shared uint probed;
#include "../segments/search.glsl"

const uint HEAD_WORDS = TILE / 32;

shared uint heads[HEAD_WORDS]; // a bit for each element of the tile: whether a segment begins there
shared uint ranks_of_heads[HEAD_WORDS]; // heads in the words before
shared uint shared_count;

// Of the tile: its first segment; its first element, or of rows the first row; its elements; its segments that have elements.
uint first_segment, tile_begin, tile_count, tile_segments;

// Marks where the segments of the share begin, up to the place `end`. If offsets descend, the tile still ends where the input does.
void find_heads(uint end) {
    if (invocation < HEAD_WORDS) heads[invocation] = 0;
    if (invocation == 0) shared_count = 0;
    barrier();
    for (uint i = 0; i < push.share; i += WORKGROUP_SIZE) {
        if (first_segment + i >= segment_count || place_of(first_segment + i) >= end) break;
        const uint segment = first_segment + i + invocation;
        if (segment < segment_count && place_of(segment) < end) {
            const uint head = offset_of(segment) - tile_begin;
            if (head < TILE) atomicOr(heads[head / 32], 1u << head % 32);
            if (segment + 1 == segment_count || place_of(segment + 1) >= end) shared_count = offset_of(segment + 1) - tile_begin;
        }
    }
    barrier();
    tile_count = min(min(shared_count, TILE), element_count - tile_begin);
    const uint own = invocation < HEAD_WORDS ? bitCount(heads[invocation]) : 0;
    const uint before = exclusive_sum(uvec2(own, 0)).x;
    if (invocation < HEAD_WORDS) ranks_of_heads[invocation] = before;
    barrier();
    tile_segments = ranks_of_heads[HEAD_WORDS - 1] + bitCount(heads[HEAD_WORDS - 1]);
}

// Finds the tile of workgroup `number`, which has no elements if there is nothing to do.
void find_tile(uint number) {
    if (SEGMENTS_ROWS) {
        first_segment = number * push.share;
        tile_segments = min(segment_count - min(first_segment, segment_count), push.share);
        tile_begin = first_segment;
        tile_count = tile_segments * element_count;
    } else {
        const uint begin = number * push.share;
        first_segment = segments_below(begin);
        tile_begin = offset_of(first_segment);
        find_heads(begin + min(push.share, ~0u - begin));
    }
}

// The number of a place's segment among the tile's segments with elements; after the last element, that of the last segment.
uint segment_of(uint place) {
    if (SEGMENTS_ROWS) return min(place / element_count, tile_segments - 1);
    return ranks_of_heads[place / 32] + bitCount(heads[place / 32] & (2u << place % 32) - 1) - 1;
}

// Where an element of the tile lies.
uint index_in_memory(uint place, uint segment) {
    if (SEGMENTS_ROWS) return (first_segment + segment) * push.row_stride + (place - segment * element_count);
    return tile_begin + place;
}

uvec4 value_of(uint tag) {
    const uint place = tag & 0xffff, segment = tag >> 16;
    if (INDICES) return uvec4(place - (SEGMENTS_ROWS ? segment * element_count : memory[segment]), 0, 0, 0);
    return value_at(address_of(push.values, index_in_memory(place, segment), 4 * VALUE_WORDS), 0);
}

void main() {
    element_count = count_of(push.count, push.count_address, 0);
    segment_count = count_of(push.segments, push.segments_address, 0);
    if (workgroup_number() >= push.workgroups || element_count == 0) return;
    number_invocations();
    find_tile(workgroup_number());
    if (tile_count == 0) return;
    // Load: the keys of the tile, each with a word that says where it was.
    Key keys[ITEMS];
    uint tags[ITEMS];
    [[unroll]] for (uint item = 0; item < ITEMS; ++item) {
        const uint place = index_of(item), segment = segment_of(place);
        tags[item] = place | segment << 16;
        keys[item] = LAST_KEY; // keys after the end stay last
        if (place < tile_count) keys[item] = encode(load_key(address_of(push.keys, index_in_memory(place, segment), KEY_BYTES), 0));
    }
    // Combine: pass by pass, the tile in the order of a digit.
    const uint key_passes = (push.end_bit - push.shift - 1) / push.digit_bits + 1;
    const uint passes = key_passes + (tile_segments > 1 ? findMSB(tile_segments - 1) / SORT_DIGIT_BITS + 1 : 0);
    for (uint pass = 0; pass < passes; ++pass) {
        const uint shift = push.shift + pass * push.digit_bits, tag_shift = 16 + (pass - key_passes) * SORT_DIGIT_BITS;
        select_digit(shift, min(push.digit_bits, push.end_bit - shift));
        Key digits[ITEMS];
        [[unroll]] for (uint item = 0; item < ITEMS; ++item) digits[item] = Key(pass < key_passes ? digit_of(keys[item]) : tags[item] >> tag_shift & SORT_DIGITS - 1);
        select_digit(0, SORT_DIGIT_BITS);
        uint ranks[RANKS], befores[DIGITS_EACH], nothing;
        rank_keys(digits, 0, ranks, befores, nothing);
        REORDER(keys, stage_key, staged_key)
        [[unroll]] for (uint item = 0; item < ITEMS; ++item) memory[rank_of(ranks, item)] = tags[item];
        barrier();
        [[unroll]] for (uint item = 0; item < ITEMS; ++item) tags[item] = memory[index_of(item)];
        barrier();
    }
    if (INDICES && !SEGMENTS_ROWS) {
        [[unroll]] for (uint item = 0; item < ITEMS; ++item) {
            const uint place = index_of(item);
            if ((heads[place / 32] >> place % 32 & 1) != 0) memory[segment_of(place)] = place;
        }
    }
    barrier();
    // Store: the keys in their order, and the values from where they were.
    uvec4 values[ITEMS];
    if (VALUE_WORDS > 0) {
        [[unroll]] for (uint item = 0; item < ITEMS; ++item) {
            values[item] = uvec4(0);
            if (index_of(item) < tile_count) values[item] = value_of(tags[item]);
        }
    }
    barrier_with_buffers(); // the output may be the input
    [[unroll]] for (uint item = 0; item < ITEMS; ++item) {
        if (index_of(item) < tile_count) {
            const uint index = index_in_memory(index_of(item), tags[item] >> 16);
            store_key(address_of(push.output_keys, index, KEY_BYTES), 0, decode(keys[item]));
            if (VALUE_WORDS > 0) store_value(address_of(push.output_values, index, 4 * VALUE_WORDS), 0, values[item]);
        }
    }
}
