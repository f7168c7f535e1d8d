// Offsets between which segments lie. Before including this file, a shader defines `push`, with offsets_address and offset_size.
#ifndef SEGMENTS_OFFSETS_GLSL
#define SEGMENTS_OFFSETS_GLSL

uint element_count, segment_count; // of a row, or of all; of all

// On CPUs it reads no offset after the last, nor a word after its low one, whatever `segment` and conditions are (address.glsl). On an H200, the
// same would make segmented scans 4 to 9 % slower, and a search for each sample 30 %.
uint offset_of(uint segment) {
    if (UNMASKED_LOADS) segment = min(segment, segment_count);
    const uint high = UNMASKED_LOADS ? push.offset_size / 8 : 1;
    uvec2 address = address_of(push.offsets_address, segment, push.offset_size);
    uint offset = Words(address).at[0];
    if (push.offset_size == 8 && Words(address).at[high] != 0) offset = ~0u;
    return min(offset, element_count);
}

#endif
