#version 460
// variants: any
//
// For segments of any length: finds the number of each key's segment by a binary search: how many offsets are at or below the key's index.
// So it is 0 before the first segment, and segments + 1 after the last.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/count.glsl>
#include "../names.glsl"
#include "segmented_sort_push.h"

layout(push_constant) uniform Push { SegmentedSortPush push; };
#include "../segments/offsets.glsl"

// The same number of rounds for all.
uint number_of(uint index) {
    uint number = 0;
    for (uint step = 1u << findMSB(segment_count + 1); step > 0; step >>= 1) {
        const uint next = number + step;
        if (next <= segment_count + 1 && offset_of(next - 1) <= index) number = next;
    }
    return number;
}

void main() {
    element_count = count_of(push.count, push.count_address, 0);
    segment_count = count_of(push.segments, push.segments_address, 0);
    if (workgroup_number() >= push.workgroups) return;
    const uint begin = workgroup_number() * SEGMENTED_SORT_CHUNK;
    const uvec2 indices = address_of(push.indices, begin, 4), numbers = address_of(push.numbers, begin, 4);
    for (uint first = 0; first < SEGMENTED_SORT_CHUNK; first += WORKGROUP_SIZE) {
        const uint i = first + gl_LocalInvocationIndex;
        // Load an index, find its segment, and store that one's number.
        if (i < element_count - min(begin, element_count)) Words(numbers).at[i] = number_of(Words(indices).at[i]);
    }
}
