// Offsets between which segments lie. Before including this file, a shader defines `push`, with offsets_address and offset_size.
#ifndef SEGMENTS_OFFSETS_GLSL
#define SEGMENTS_OFFSETS_GLSL

uint element_count, segment_count; // of a row, or of all; of all

// Of a segment that there is, or the last offset.
uint known_offset(uint segment) {
    uvec2 address = vkprim_address_of(push.offsets_address, segment, push.offset_size);
    uint offset = vkprim_Words(address).at[0];
    if (push.offset_size == 8 && vkprim_Words(address).at[1] != 0) offset = ~0u;
    return min(offset, element_count);
}

// Reads no offset after the last, nor a word after its low one, whatever `segment` and conditions are (address.glsl).
uint offset_of(uint segment) {
    uvec2 address = vkprim_address_of(push.offsets_address, min(segment, segment_count), push.offset_size);
    uint offset = vkprim_Words(address).at[0];
    if (push.offset_size > 4 && vkprim_Words(address).at[push.offset_size / 8] != 0) offset = ~0u;
    return min(offset, element_count);
}

#endif
