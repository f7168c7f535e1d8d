// One word, in order: the last that is not zero.
#define VKPRIM_FIELDS(FIELD) FIELD(uint, value)
#define VKPRIM_KEEPS_ORDER
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(0); }
Element operate(Element a, Element b) { return b.value != 0 ? b : a; }
