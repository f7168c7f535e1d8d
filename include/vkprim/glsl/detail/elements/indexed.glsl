// elements of reduce, segmented_reduce, chunked_reduce: indexed(u32,i32,f32) VKPRIM_ELEMENT_INDEXED
//
// The least or the largest element and where it is. In memory an element is one word; in registers it is a key, which is less the
// better the value, and its index: so both operations are the least of pairs, and the first of equal values wins. NaN has a worse key
// than any number, and behind the last element is what never wins: NaN, or the worst integer with an index beyond all others.
#define VKPRIM_MEMORY_WORDS 1
#define VKPRIM_VECTOR_WIDTH 4
#include "pair.glsl"

VKPRIM_ELEMENT vkprim_element_identity() { return uvec2(~0u); }

// Of floats: a number from -infinity on, in steps of its bits, 0 to VKPRIM_LAST_KEY, with one place for both zeros. The other way round for
// argmax. NaN lies beyond, whatever its sign: what is below 0 wraps. Of integers: their bits, so that the best value is 0.
const bool VKPRIM_IS_FLOAT = VKPRIM_CLASS == VKPRIM_FLOAT, VKPRIM_IS_ARGMAX = VKPRIM_OPERATION == VKPRIM_ARGMAX;
const uint VKPRIM_INFINITY = 0x7f800000u, VKPRIM_LAST_KEY = 2 * VKPRIM_INFINITY;
const uint VKPRIM_LEAST = VKPRIM_CLASS == VKPRIM_SIGNED ? 0x80000000u : 0u; // integer
const uint VKPRIM_FIRST = VKPRIM_IS_ARGMAX ? ~VKPRIM_LEAST : VKPRIM_LEAST;  // the best integer
const uint VKPRIM_WORST = VKPRIM_IS_FLOAT ? (VKPRIM_IS_ARGMAX ? VKPRIM_INFINITY | 0x80000000u : VKPRIM_INFINITY) : ~VKPRIM_FIRST;
const uint VKPRIM_NOTHING = VKPRIM_IS_FLOAT ? 0x7fc00000u : VKPRIM_WORST; // in place of a missing element: NaN, or the worst integer

uint vkprim_key_of(uint bits) {
    if (!VKPRIM_IS_FLOAT) return bits ^ VKPRIM_FIRST;
    uint sign = uint(int(bits) >> 31), steps = (bits ^ (sign & 0x7fffffffu)) - sign; // of 0, down or up
    return VKPRIM_IS_ARGMAX ? VKPRIM_INFINITY - steps : VKPRIM_INFINITY + steps;
}

uint vkprim_value_of(uint key) {
    if (!VKPRIM_IS_FLOAT) return key ^ VKPRIM_FIRST;
    uint steps = VKPRIM_IS_ARGMAX ? VKPRIM_INFINITY - key : key - VKPRIM_INFINITY, sign = uint(int(steps) >> 31);
    return (steps ^ sign) - sign | sign & 0x80000000u;
}

bool vkprim_is_nothing(VKPRIM_ELEMENT element) { return VKPRIM_IS_FLOAT ? element.x > VKPRIM_LAST_KEY : element.y == ~0u; }

VKPRIM_ELEMENT vkprim_element_from_memory(uint bits, uint index) { return uvec2(vkprim_key_of(bits), index); }

VKPRIM_VECTOR vkprim_vector_from_memory(uvec4 words, uint index) {
    return vkprim_Element4(vkprim_element_from_memory(words.x, index), vkprim_element_from_memory(words.y, index + 1),
                           vkprim_element_from_memory(words.z, index + 2), vkprim_element_from_memory(words.w, index + 3));
}

// Of the identity alone.
uvec4 vkprim_vector_to_memory(VKPRIM_VECTOR vector) { return uvec4(VKPRIM_NOTHING); }

// The value, and the index; if there is no element, the worst value and the index of no element.
void vkprim_element_store(uvec2 address, VKPRIM_ELEMENT element) {
    const bool nothing = vkprim_is_nothing(element);
    vkprim_Words(address).at[0] = mix(vkprim_value_of(element.x), VKPRIM_WORST, nothing);
    vkprim_Words(address).at[1] = mix(element.y, ~0u, nothing);
}

VKPRIM_ELEMENT vkprim_operate(VKPRIM_ELEMENT a, VKPRIM_ELEMENT b) {
    return mix(a, b, bvec2(mix(b.x < a.x, b.y < a.y, b.x == a.x)));
}

// If elements come in the order of their indices, these need not be compared: a later one wins only with a better key. Integers may
// all have the worst key there is; so a column begins with that key and the index of its first element.
#define VKPRIM_HAS_LATER
VKPRIM_ELEMENT vkprim_operate_later(VKPRIM_ELEMENT a, VKPRIM_ELEMENT b) { return uvec2(min(a.x, b.x), mix(a.y, b.y, b.x < a.x)); }
VKPRIM_VECTOR vkprim_operate_later(VKPRIM_VECTOR a, VKPRIM_VECTOR b) {
    return vkprim_Element4(vkprim_operate_later(a.x, b.x), vkprim_operate_later(a.y, b.y), vkprim_operate_later(a.z, b.z),
                           vkprim_operate_later(a.w, b.w));
}
VKPRIM_VECTOR vkprim_vector_earliest(uint index) {
    return vkprim_Element4(uvec2(~0u, index), uvec2(~0u, index + 1), uvec2(~0u, index + 2), uvec2(~0u, index + 3));
}
