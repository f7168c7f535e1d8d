#version 460
// variants: any
//
// Run-length decoding. Segments lie one after the other in a range of places. A segment takes one place for its head, and one for each of its
// elements. So heads have places of their own, and all tiles of places have the same number of heads and elements together, whatever the
// lengths are (Green, Odeh and Birk, "Merge Path", 2014). In a tile, each place has a bit that says whether it is a head. The segment of a
// place is the number of heads up to it.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/count.glsl>
#include "../names.glsl"
#include "expand_push.h"
layout(constant_id = EXPAND_VALUE_WORDS_ID) const uint VALUE_WORDS = 1; // 0: segments' indices

layout(push_constant) uniform Push { ExpandPush push; };

const uint WORDS = EXPAND_TILE / 32, GROUP = 8;

shared uint heads[WORDS];          // a bit for each place of the tile
shared uint counts[WORDS / GROUP]; // heads of so many words
shared uint ranks[WORDS];          // heads in the words before
shared uint probed;

uint segment_count;

uint invocation() { return gl_LocalInvocationIndex; }

// On CPUs it reads no offset after the last, whatever `segment` and conditions are (address.glsl).
uint offset_of(uint segment) {
    if (UNMASKED_LOADS) segment = min(segment, segment_count);
    return min(Words(address_of(push.offsets_address, segment, 4)).at[0], push.count);
}

uint place_of(uint segment) { return offset_of(segment) + segment; }

// How many segments have their head at a place below `end`: a search of as many branches as there are invocations.
uint segments_below(uint end) {
    uint least = 0, most = segment_count;
    while (least < most) {
        const uint each = (most - least - 1) / EXPAND_WORKGROUP + 1;
        const bool there = invocation() <= (most - least - 1) / each; // else its probe lies beyond the end, or wraps around
        if (invocation() == 0) probed = 0;
        barrier();
        if (there && place_of(least + each * invocation()) < end) atomicMax(probed, invocation() + 1);
        barrier();
        const uint below = probed;
        barrier();
        if (below == 0) break;
        const uint last = least + each * (below - 1);
        least = last + 1;
        most = least + min(each - 1, most - least);
    }
    return least;
}

// Finds the heads of the tile at `begin`, beginning with that of segment `first`, and returns their number.
uint find_heads(uint begin, uint first) {
    if (invocation() < WORDS) heads[invocation()] = 0;
    barrier();
    for (uint i = 0; i < EXPAND_TILE; i += EXPAND_WORKGROUP) {
        if (first + i >= segment_count || place_of(first + i) - begin >= EXPAND_TILE) break;
        const uint segment = first + i + invocation();
        const uint place = segment < segment_count ? place_of(segment) - begin : EXPAND_TILE;
        if (place < EXPAND_TILE) atomicOr(heads[place / 32], 1u << place % 32);
    }
    barrier();
    if (invocation() < WORDS / GROUP) {
        uint count = 0;
        [[unroll]] for (uint i = 0; i < GROUP; ++i) count += bitCount(heads[invocation() * GROUP + i]);
        counts[invocation()] = count;
    }
    barrier();
    if (invocation() < WORDS) { // all invocations loop equally often: otherwise Mesa's CPU driver misses the barrier after the loop
        const uint group = invocation() / GROUP;
        uint before = 0;
        [[unroll]] for (uint i = 0; i < WORDS / GROUP; ++i) before += i < group ? counts[i] : 0;
        [[unroll]] for (uint i = 0; i < GROUP; ++i) before += i < invocation() % GROUP ? bitCount(heads[group * GROUP + i]) : 0;
        ranks[invocation()] = before;
    }
    barrier();
    return ranks[WORDS - 1] + bitCount(heads[WORDS - 1]);
}

// A value in registers; only the words that it has are used.
uvec4 load_value(uvec2 values, uint i) {
    if (VALUE_WORDS == 1) return uvec4(Words(values).at[i]);
    if (VALUE_WORDS == 2) return Words2(values).at[i].xyxy;
    return Words4(values).at[i];
}

void store_value(uvec2 outputs, uint i, uvec4 value) {
    if (VALUE_WORDS <= 1) Words(outputs).at[i] = value.x;
    else if (VALUE_WORDS == 2) Words2(outputs).at[i] = value.xy;
    else Words4(outputs).at[i] = value;
}

void main() {
    segment_count = count_of(push.segments, push.segments_address, 0);
    const uint workgroup = push.first + workgroup_number();
    if (workgroup >= push.workgroups || segment_count == 0) return;
    const uint total = offset_of(segment_count), places = total + segment_count;
    uint begin = workgroup * push.share * EXPAND_TILE;
    if (begin >= places) return;
    const uint end = begin + min(push.share * EXPAND_TILE, places - begin);
    // Load: the offsets of the segments in this share, tile by tile.
    uint first = segments_below(begin);
    for (; begin < end; begin += min(EXPAND_TILE, end - begin)) {
        const uint count = find_heads(begin, first);
        // Combine: which segment a place belongs to, from the heads up to it. Values are read
        // from the segment on that the tile begins in, if any, and written from the element on that its first place has, if that is no head.
        const uint before = max(first, 1) - 1;
        const uvec2 values = address_of(push.values_address, before, 4 * VALUE_WORDS);
        const uvec2 outputs = address_of(push.output_address, begin - first, 4 * max(VALUE_WORDS, 1));
        [[unroll]] for (uint i = 0; i < EXPAND_TILE / EXPAND_WORKGROUP; ++i) {
            const uint place = i * EXPAND_WORKGROUP + invocation(), word = heads[place / 32], bit = 1u << place % 32;
            const uint rank = ranks[place / 32] + bitCount(word & bit - 1), segment = max(first + rank, 1) - 1;
            const uint index = begin - first + (place - rank); // if the place is no head
            const uvec4 value = VALUE_WORDS == 0 ? uvec4(segment) : load_value(values, segment - before);
            // Store: a value for each place that is no head.
            if ((word & bit) == 0 && first + rank > 0 && index < total) store_value(outputs, place - rank, value);
        }
        first += count;
        barrier();
    }
}
