// For all kinds with one word in registers, which is also what results and outputs have. Included after VKPRIM_ELEMENT, its conversions,
// and vkprim_operate() of elements and of four of them.
#define VKPRIM_REGISTER_WORDS 1
#define VKPRIM_MEMORY_WORDS 1
#define VKPRIM_VECTOR_WIDTH 4
#define VKPRIM_VECTOR VKPRIM_ELEMENT4
#define VKPRIM_EACH4(FUNCTION, four, argument) FUNCTION(four, argument)

VKPRIM_ELEMENT4 vkprim_element4(VKPRIM_ELEMENT element) { return VKPRIM_ELEMENT4(element); }
VKPRIM_ELEMENT vkprim_element4_at(VKPRIM_ELEMENT4 four, uint i) { return four[i]; }
uint vkprim_element_word(VKPRIM_ELEMENT element, uint i) { return VKPRIM_ELEMENT_BITS(element); }
VKPRIM_ELEMENT vkprim_element_of(uint words[1]) { return VKPRIM_ELEMENT_FROM_BITS(words[0]); }
void vkprim_element_store(uvec2 address, VKPRIM_ELEMENT element) { vkprim_Words(address).at[0] = vkprim_element_to_memory(element); }

#ifndef VKPRIM_ELEMENT_BY_ELEMENT
VKPRIM_VECTOR vkprim_vector_from_memory(uvec4 words, uint index) {
    return VKPRIM_VECTOR(vkprim_element_from_memory(words.x), vkprim_element_from_memory(words.y), vkprim_element_from_memory(words.z),
                         vkprim_element_from_memory(words.w));
}

uvec4 vkprim_vector_to_memory(VKPRIM_VECTOR vector) {
    return uvec4(vkprim_element_to_memory(vector.x), vkprim_element_to_memory(vector.y), vkprim_element_to_memory(vector.z),
                 vkprim_element_to_memory(vector.w));
}
#endif

VKPRIM_VECTOR vkprim_vector_scan(VKPRIM_VECTOR vector) {
    vector.y = vkprim_operate(vector.x, vector.y);
    vector.z = vkprim_operate(vector.y, vector.z);
    vector.w = vkprim_operate(vector.z, vector.w);
    return vector;
}
VKPRIM_VECTOR vkprim_vector_shift(VKPRIM_VECTOR vector) { return VKPRIM_VECTOR(vkprim_element_identity(), vector.xyz); }
VKPRIM_ELEMENT vkprim_vector_last(VKPRIM_VECTOR vector) { return vector.w; }
VKPRIM_ELEMENT vkprim_vector_reduce(VKPRIM_VECTOR vector) {
    return vkprim_operate(vkprim_operate(vector.x, vector.y), vkprim_operate(vector.z, vector.w));
}
VKPRIM_VECTOR vkprim_vector_of(VKPRIM_ELEMENT element) { return VKPRIM_VECTOR(element); }
