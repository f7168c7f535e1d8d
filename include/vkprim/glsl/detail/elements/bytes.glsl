// How elements of 1 and 2 bytes are loaded, for kinds whose vectors have four elements. Such a kind defines afterwards
// vkprim_packed_vector() of element.glsl, and
//
//     vkprim_element_of_bytes(bits)   the element, of its bits; the others are zero or, of signed ones, like the highest
#define VKPRIM_INPUT_BYTES VKPRIM_TYPE_BYTES

VKPRIM_ELEMENT vkprim_element_of_bytes(uint bits);

// Four elements as they lie in memory; in the lower word if they have one byte each.
#define VKPRIM_PACKED uvec2
#define VKPRIM_PACKED_AT(base, i) vkprim_bytes_packed(base, i)
uvec2 vkprim_bytes_packed(uvec2 base, uint i) {
    if (VKPRIM_TYPE_BYTES == 1) return uvec2(vkprim_Words(base).at[i], 0);
    return vkprim_Words2(base).at[i];
}
VKPRIM_VECTOR vkprim_packed_vector(VKPRIM_PACKED packed, uint index);

// The bits of an element that begins with a bit of a word.
uint vkprim_bytes_extend(uint word, uint first) {
    if (VKPRIM_CLASS == VKPRIM_SIGNED || VKPRIM_CLASS == VKPRIM_ORDERED) {
        return uint(bitfieldExtract(int(word), int(first), 8 * int(VKPRIM_TYPE_BYTES)));
    }
    return bitfieldExtract(word, int(first), 8 * int(VKPRIM_TYPE_BYTES));
}

// Of number `i` of four.
uint vkprim_bytes_at(VKPRIM_PACKED packed, uint i) {
    if (VKPRIM_TYPE_BYTES == 1) return vkprim_bytes_extend(packed.x, 8 * i);
    return vkprim_bytes_extend(packed[i / 2], 16 * (i % 2));
}

// Number `index` of the elements from an address on.
VKPRIM_ELEMENT vkprim_bytes_load(uvec2 base, uint index) {
    uvec2 address = vkprim_address_of(base, index, VKPRIM_TYPE_BYTES);
    uint upper = vkprim_byte_at(vkprim_address_add(address, VKPRIM_TYPE_BYTES - 1)); // of two bytes; or the only one
    return vkprim_element_of_bytes(vkprim_bytes_extend(vkprim_byte_at(address) | upper << 8, 0));
}

// vkprim_vector_load() of element.glsl: loads whole words if all their bytes belong to the elements.
VKPRIM_VECTOR vkprim_vector_load(uvec2 base, uint first, uint index, uint count) {
    uint shift = 8 * (base.x & 3);
    if (VKPRIM_TYPE_BYTES == 2 && base.x % 8 == 0 && index + 4 <= count) return vkprim_packed_vector(vkprim_Words2(base).at[index / 4], first + index);
    if (shift == 0 ? index + 4 <= count : index > 0 && index + 8 <= count) {
        vkprim_Words words = vkprim_Words(uvec2(base.x & ~3u, base.y));
        uint place = index / 4 * VKPRIM_TYPE_BYTES;
        uvec2 packed = uvec2(words.at[place], 0);
        if (VKPRIM_TYPE_BYTES == 2) packed.y = words.at[place + 1];
        if (shift > 0) {
            uint behind = words.at[place + VKPRIM_TYPE_BYTES];
            packed = packed >> shift | uvec2(mix(packed.y, behind, VKPRIM_TYPE_BYTES == 1), behind) << 32 - shift;
        }
        return vkprim_packed_vector(packed, first + index);
    }
    VKPRIM_VECTOR vector = vkprim_vector_of(vkprim_element_identity());
    if (index + 0 < count) vector.x = vkprim_bytes_load(base, index + 0);
    if (index + 1 < count) vector.y = vkprim_bytes_load(base, index + 1);
    if (index + 2 < count) vector.z = vkprim_bytes_load(base, index + 2);
    if (index + 3 < count) vector.w = vkprim_bytes_load(base, index + 3);
    return vector;
}
