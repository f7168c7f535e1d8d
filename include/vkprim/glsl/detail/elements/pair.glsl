// For all kinds with two words in registers. Included after VKPRIM_VECTOR_WIDTH is defined.
#define VKPRIM_ELEMENT uvec2
#define VKPRIM_REGISTER_WORDS 2
#include "several.glsl"

uint vkprim_element_word(VKPRIM_ELEMENT element, uint i) { return element[i]; }
VKPRIM_ELEMENT vkprim_element_of(uint words[2]) { return uvec2(words[0], words[1]); }
