// vkprim_vector_store() of element.glsl, of kinds that are no words in the input, and words in registers and in the output.
void vkprim_vector_store(uvec2 base, uint first, uint index, uint count, VKPRIM_VECTOR vector) {
    if ((base.x & 15) == 0 && index + 4 <= count) {
        vkprim_Words4(base).at[index / 4] = uvec4(vkprim_element_to_memory(vector.x), vkprim_element_to_memory(vector.y),
                                                  vkprim_element_to_memory(vector.z), vkprim_element_to_memory(vector.w));
        return;
    }
    [[unroll]] for (uint i = 0; i < 4; ++i) {
        if (index + i < count) vkprim_Words(base).at[index + i] = vkprim_element_to_memory(vector[i]);
    }
}
