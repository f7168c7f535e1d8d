// What kinds of two words in registers have in common, behind VKPRIM_VECTOR_WIDTH.
#define VKPRIM_ELEMENT uvec2
#define VKPRIM_REGISTER_WORDS 2
#include "several.glsl"

uint vkprim_element_word(VKPRIM_ELEMENT element, uint i) { return element[i]; }
VKPRIM_ELEMENT vkprim_element_of(uint words[2]) { return uvec2(words[0], words[1]); }
