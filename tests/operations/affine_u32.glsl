// Two words, in order: maps x -> scale * x + offset, the first one applied first.
#define VKPRIM_FIELDS(FIELD) FIELD(uint, scale) FIELD(uint, offset)
#define VKPRIM_KEEPS_ORDER
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(1, 0); }
Element operate(Element a, Element b) { return Element(a.scale * b.scale, a.offset * b.scale + b.offset); }
