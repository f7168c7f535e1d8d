// A file that is called like one of vkprim's own shaders: shaders/segments/offsets.glsl.
#define VKPRIM_FIELDS(FIELD) FIELD(uint, sum)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(0); }

Element operate(Element a, Element b) { return Element(a.sum + b.sum); }
