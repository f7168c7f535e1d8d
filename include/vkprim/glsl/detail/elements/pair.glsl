// What kinds of two words in registers have in common, ahead of all else.
#define VKPRIM_ELEMENT uvec2
struct vkprim_Element4 { uvec2 x, y, z, w; };
#define VKPRIM_ELEMENT4 vkprim_Element4
#define VKPRIM_REGISTER_WORDS 2
#define VKPRIM_EACH4(FUNCTION, four, argument) \
    vkprim_Element4(FUNCTION(four.x, argument), FUNCTION(four.y, argument), FUNCTION(four.z, argument), FUNCTION(four.w, argument))

VKPRIM_ELEMENT4 vkprim_element4(VKPRIM_ELEMENT element) { return vkprim_Element4(element, element, element, element); }
VKPRIM_ELEMENT vkprim_element4_at(VKPRIM_ELEMENT4 four, uint i) { return i == 0 ? four.x : i == 1 ? four.y : i == 2 ? four.z : four.w; }
uint vkprim_element_word(VKPRIM_ELEMENT element, uint i) { return element[i]; }
VKPRIM_ELEMENT vkprim_element_of(uint words[2]) { return uvec2(words[0], words[1]); }

VKPRIM_ELEMENT vkprim_operate(VKPRIM_ELEMENT a, VKPRIM_ELEMENT b);
VKPRIM_ELEMENT4 vkprim_operate(VKPRIM_ELEMENT4 a, VKPRIM_ELEMENT4 b) {
    return vkprim_Element4(vkprim_operate(a.x, b.x), vkprim_operate(a.y, b.y), vkprim_operate(a.z, b.z), vkprim_operate(a.w, b.w));
}
