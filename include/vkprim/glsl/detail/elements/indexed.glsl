// elements of reduce: indexed_u32 VKPRIM_ELEMENT_INDEXED | indexed_i32 VKPRIM_ELEMENT_INDEXED VKPRIM_ELEMENT_INT | indexed_f32 VKPRIM_ELEMENT_INDEXED VKPRIM_ELEMENT_FLOAT
//
// The least or the largest element and where it is. In memory an element is one word; in registers it is a key, which is less the
// better the value, and its index: so both operations are the least of pairs, and the first of equal values wins. NaN is the
// identity, and so is what lies behind the last element: it has a bad key, and an index beyond all others.
#define VKPRIM_MEMORY_WORDS 1
#define VKPRIM_VECTOR_WIDTH 4
#include "pair.glsl"

VKPRIM_ELEMENT vkprim_element_identity() { return uvec2(~0u); }

// The place of a value in the order of its type, and back; one place for both zeros.
#if defined(VKPRIM_ELEMENT_FLOAT)
bool vkprim_is_nan(uint bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }
uint vkprim_order_of(uint bits) { return mix(bits ^ (uint(int(bits) >> 31) | 0x80000000u), 0x80000000u, bits << 1 == 0); }
uint vkprim_value_of(uint order) { return order ^ (uint(int(~order) >> 31) | 0x80000000u); }
const uint VKPRIM_LEAST = 0xff800000u, VKPRIM_MOST = 0x7f800000u;
#elif defined(VKPRIM_ELEMENT_INT)
bool vkprim_is_nan(uint bits) { return false; }
uint vkprim_order_of(uint bits) { return bits ^ 0x80000000u; }
uint vkprim_value_of(uint order) { return order ^ 0x80000000u; }
const uint VKPRIM_LEAST = 0x80000000u, VKPRIM_MOST = 0x7fffffffu;
#else
bool vkprim_is_nan(uint bits) { return false; }
uint vkprim_order_of(uint bits) { return bits; }
uint vkprim_value_of(uint order) { return order; }
const uint VKPRIM_LEAST = 0, VKPRIM_MOST = ~0u;
#endif
const uint VKPRIM_WORST = VKPRIM_OPERATION == VKPRIM_ARGMAX ? VKPRIM_LEAST : VKPRIM_MOST; // value

VKPRIM_ELEMENT vkprim_element_from_memory(uint bits, uint index) {
    uint order = vkprim_order_of(bits);
    uint key = VKPRIM_OPERATION == VKPRIM_ARGMAX ? ~order : order;
    return mix(uvec2(key, index), vkprim_element_identity(), bvec2(vkprim_is_nan(bits)));
}

VKPRIM_VECTOR vkprim_vector_from_memory(uvec4 words, uint index) {
    return vkprim_Element4(vkprim_element_from_memory(words.x, index), vkprim_element_from_memory(words.y, index + 1),
                           vkprim_element_from_memory(words.z, index + 2), vkprim_element_from_memory(words.w, index + 3));
}

// Of the identity alone.
uvec4 vkprim_vector_to_memory(VKPRIM_VECTOR vector) { return uvec4(VKPRIM_WORST); }

// The value, and the index; where nothing could win, the worst value and the index of no element.
void vkprim_element_store(uvec2 address, VKPRIM_ELEMENT element) {
    uint value = vkprim_value_of(VKPRIM_OPERATION == VKPRIM_ARGMAX ? ~element.x : element.x);
    vkprim_Words(address).at[0] = mix(value, VKPRIM_WORST, element.y == ~0u);
    vkprim_Words(address).at[1] = element.y;
}

VKPRIM_ELEMENT vkprim_operate(VKPRIM_ELEMENT a, VKPRIM_ELEMENT b) {
    return mix(a, b, bvec2(b.x < a.x || (b.x == a.x && b.y < a.y)));
}
