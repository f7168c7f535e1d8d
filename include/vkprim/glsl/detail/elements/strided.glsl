// elements of reduce, scan: strided(u32,i32,f32) VKPRIM_STRIDED | strided_f32(f32) VKPRIM_STRIDED VKPRIM_ELEMENT_FLOAT
//
// Elements of one word that are no neighbours in the input: from one to the next there are so many bytes as the host says. In registers
// and in the output they are those of word.glsl.
#define VKPRIM_ELEMENT_BY_ELEMENT
#define VKPRIM_INPUT_BYTES 0u // so a tile's address is the input's: each load finds an element by its number among all
#define VKPRIM_OUTPUT_BYTES 4
#ifdef VKPRIM_ELEMENT_FLOAT
#include "fixed.glsl"
#else
#include "word.glsl"
#endif

uint vkprim_input_stride();

#define VKPRIM_VECTOR_FROM(ELEMENT) VKPRIM_VECTOR(ELEMENT(0), ELEMENT(1), ELEMENT(2), ELEMENT(3))
VKPRIM_ELEMENT vkprim_element_load(uvec2 base, uint first, uint index) {
    return vkprim_element_from_memory(vkprim_Words(vkprim_address_of(base, first + index, vkprim_input_stride())).at[0]);
}
#include "word_output.glsl"
