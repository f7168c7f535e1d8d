// Offsets between which segments lie. Before including this file, a shader defines `push`, with offsets_address and offset_size.
#ifndef SEGMENTS_OFFSETS_GLSL
#define SEGMENTS_OFFSETS_GLSL

uint element_count, segment_count; // of a row, or of all; of all

uint offset_of(uint segment) {
    uvec2 address = vkprim_address_of(push.offsets_address, segment, push.offset_size);
    uint offset = vkprim_Words(address).at[0];
    if (push.offset_size == 8 && vkprim_Words(address).at[1] != 0) offset = ~0u;
    return min(offset, element_count);
}

#endif
