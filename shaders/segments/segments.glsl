// How many segments, rows of one length or between offsets, are divided among workgroups. Segments lie one after the other in a range of
// places. Each takes one place for each element, and those of one vector more, which is the cost of an empty segment. A workgroup processes
// what begins in its share of the places, so none does more than its share, whatever the lengths are. It finds its segments by a search with
// as many branches as it has invocations. Short segments go to groups of invocations, by their length. Of longer segments, the workgroup
// processes the tiles that begin in its share. Those of a segment that begins before the share come last: they may wait for other workgroups,
// and other workgroups may wait for the tiles of a segment that goes on behind the share.
//
// Before including this file, a shader defines `push`, of a structure like SegmentedReducePush; SEGMENTS_ROWS, whether segments are
// rows; LONG_VECTORS, how many vectors a group has at most, MEDIUM_GROUP_SIZE and LONG_ROWS; and these functions:
#ifndef SEGMENTS_GLSL
#define SEGMENTS_GLSL
#include "segment.glsl"
#include "segments_push.h"

// A segment of up to rows * group_size vectors, in a group of `group_size` invocations. Groups may have none: its count is 0 then.
void take_group(Segment segment, uint number, bool there, uint group_size, uint rows);
// The tiles of a longer segment that begin at place `begin` or later, and before `end`.
void take_tiles(uint number, uint begin, uint end);
// Group size and rows for a row of so many vectors.
uvec2 group_of(uint vectors);

const uint COST = VECTOR_WIDTH; // places that a segment takes beside its elements

// Kinds of segments: up to 4 vectors, for one invocation; up to 32; up to LONG_VECTORS; and tiles. All but the first are put into lists.
const uint SHORT = 0, MEDIUM = 1, LONG = 2, TILED = 3;
const uint SHORT_VECTORS = 4, MEDIUM_VECTORS = 32;
// How many of a kind a share can have, and where its list begins. The first place of the last is for the segment that begins before the share.
const uvec4 MOST = uvec4(0, SEGMENTS_MOST_SHARE / SHORT_VECTORS + 1, SEGMENTS_MOST_SHARE / MEDIUM_VECTORS + 1, SEGMENTS_MOST_SHARE / LONG_VECTORS + 2);
const uvec4 LISTS = uvec4(0, 0, MOST.y, MOST.y + MOST.z);

shared uint numbers[LISTS.w + MOST.w]; // of segments
shared uint listed[4]; // how many; of SHORT, which has no list, the first place of the last list that is taken
shared uint probed;

#include "offsets.glsl"

// Of segments between offsets.
uint place_of(uint segment) { return offset_of(segment) + segment * COST; }

Segment segment_at(uint segment) {
    const uint begin = SEGMENTS_ROWS ? segment * element_count : offset_of(segment);
    const uint count = SEGMENTS_ROWS ? element_count : max(offset_of(segment + 1), begin) - begin;
    const uvec2 base = address_of(push.input_address, SEGMENTS_ROWS ? segment : begin, SEGMENTS_ROWS ? push.pitch : INPUT_BYTES);
#if defined(VKPRIM_HAS_LOAD) || defined(VKPRIM_HAS_STORE)
    return Segment(base, SEGMENTS_ROWS ? segment * push.count : begin, count, begin + segment * COST);
#else
    return Segment(base, 0, count, begin + segment * COST);
#endif
}

#include "search.glsl"

uint vectors_in(uint count) { return count / VECTOR_WIDTH + uint(count % VECTOR_WIDTH != 0); }

uint kind_of(uint count) {
    const uint vectors = vectors_in(count);
    return uint(vectors > SHORT_VECTORS) + uint(vectors > MEDIUM_VECTORS) + uint(vectors > LONG_VECTORS);
}

// Puts a segment into its list. If offsets descend, the list may be too short.
void list(uint number, uint kind, bool begins_before) {
    if (begins_before) listed[SHORT] = 0;
    const uint place = begins_before ? 0 : atomicAdd(listed[kind], 1);
    if (place < MOST[kind]) numbers[LISTS[kind] + place] = number;
}

// The segments of a kind in a share, each in a group of `group_size` invocations. Of rows, and of short segments, those are the
// ones from `first` on, and others are put into lists.
void take_kind(uint kind, uint first, uint count, uint group_size, uint rows, uint begin, uint end) {
    const uint group = invocation() / group_size;
    const bool in_order = SEGMENTS_ROWS || kind == SHORT;
    for (uint i = 0; i < count; i += WORKGROUP_SIZE / group_size) {
        if (!SEGMENTS_ROWS && kind == SHORT && place_of(first + i) >= end) break;
        const uint place = min(i + group, count - 1), number = in_order ? first + place : numbers[LISTS[kind] + place];
        Segment segment = segment_at(number);
        const uint own_kind = SEGMENTS_ROWS ? kind : kind_of(segment.count);
        bool there = i + group < count && segment.place < end && (segment.place >= begin || own_kind == TILED);
        if (there && own_kind != kind) {
            list(number, own_kind, segment.place < begin);
            there = false;
        }
        if (!there) segment.count = 0;
        take_group(segment, number, there, group_size, rows);
    }
}

// Rows are all of one kind.
void take_rows(uint begin, uint end) {
    const uint each = element_count + COST, behind = min((end - 1) / each + 1, segment_count), kind = kind_of(element_count);
    if (kind == TILED) {
        for (uint row = behind; row > begin / each; --row) take_tiles(row - 1, begin, end);
        return;
    }
    const uint first = min(begin / each + uint(begin % each > 0), behind);
    const uvec2 group = group_of(vectors_in(element_count));
    take_kind(kind, first, behind - first, group.x, group.y, begin, end);
}

void take_offsets(uint begin, uint end) {
    if (begin >= element_count + segment_count * COST) return; // after all segments, if counts in GPU memory are below their bounds
    if (invocation() < 4) listed[invocation()] = uint(invocation() == SHORT || invocation() == TILED);
    const uint first = max(segments_below(begin + 1), 1) - 1;
    for (uint kind = SHORT; kind <= LONG; ++kind) {
        // There are no more, but of offsets that descend.
        const uint count = kind == SHORT ? min(segment_count - min(first, segment_count), push.share / COST + 2) : min(listed[kind], MOST[kind]);
        const uint group_size = kind == SHORT ? 1 : kind == MEDIUM ? MEDIUM_GROUP_SIZE : TEAM;
        take_kind(kind, first, count, group_size, kind == LONG ? LONG_ROWS : 4, begin, end);
        barrier();
    }
    // Bounds that are the same for all: under a condition, take_tiles() made segments of any length up to 16 % slower on an H200.
    for (uint i = min(listed[TILED], MOST.w); i > listed[SHORT]; --i) take_tiles(numbers[LISTS.w + i - 1], begin, end);
}

// All of the share of workgroup `number`.
void take_share(uint number) {
    const uint begin = number * push.share, end = begin + min(push.share, ~0u - begin);
    if (SEGMENTS_ROWS) take_rows(begin, end);
    else take_offsets(begin, end);
}

#endif
