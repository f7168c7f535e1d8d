#version 460
// variants: word(u32,i32,f32) | long(u64,i64,f64) LONG_KEYS | narrow(u8,i8,u16,i16,f16) NARROW_KEYS
//
// For segments of any length: moves keys and values to their places, once the order of their indices is known. Keys and values in no segment
// are not written.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/count.glsl>
#include "../names.glsl"
#include "segmented_sort_push.h"
#include "../sort/keys.glsl"

layout(constant_id = OWN_ID + 3) const uint VALUE_WORDS = 0; // of the value that goes with a key: 0, 1, 2 or 4
layout(constant_id = OWN_ID + 4) const bool INDICES = false; // values are made: the places of the keys in their segments

layout(push_constant) uniform Push { SegmentedSortPush push; };
#include "../segments/offsets.glsl"

void copy_value(uvec2 from, uvec2 to) {
    if (VALUE_WORDS == 1) Words(to).at[0] = Words(from).at[0];
    if (VALUE_WORDS == 2) Words2(to).at[0] = Words2(from).at[0];
    if (VALUE_WORDS == 4) Words4(to).at[0] = Words4(from).at[0];
}

void gather(uint place) {
    const uint number = Words(address_of(push.numbers, place, 4)).at[0];
    if (number == 0 || number > segment_count) return;
    const bool copies = (push.flags & SEGMENTED_SORT_COPIES) != 0;
    const uint index = copies ? place : Words(address_of(push.indices, place, 4)).at[0];
    store_key(address_of(push.output_keys, place, KEY_BYTES), 0, load_key(address_of(push.keys, index, KEY_BYTES), 0));
    const uvec2 value = address_of(push.output_values, place, 4 * VALUE_WORDS);
    if (!INDICES) copy_value(address_of(push.values, index, 4 * VALUE_WORDS), value);
    else if (!copies) Words(value).at[0] = index - offset_of(number - 1);
}

void main() {
    element_count = count_of(push.count, push.count_address, 0);
    segment_count = count_of(push.segments, push.segments_address, 0);
    if (workgroup_number() >= push.workgroups) return;
    const uint begin = workgroup_number() * SEGMENTED_SORT_CHUNK;
    for (uint first = 0; first < SEGMENTED_SORT_CHUNK; first += WORKGROUP_SIZE) {
        const uint i = first + gl_LocalInvocationIndex;
        // Load the number and the index of a place, and store the key and the value that belong there; there is nothing to combine.
        if (i < element_count - min(begin, element_count)) gather(begin + i);
    }
}
