// Five words, in order: of a text, how many letters, the first and the last, its polynomial hash, and the power of the base for its length.
#define VKPRIM_FIELDS(FIELD) FIELD(uint, letters) FIELD(uvec2, ends) FIELD(uint, hash) FIELD(uint, power)
#define VKPRIM_KEEPS_ORDER
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(0, uvec2(0), 0, 1); }
Element operate(Element a, Element b) {
    if (a.letters == 0) return b;
    if (b.letters == 0) return a;
    return Element(a.letters + b.letters, uvec2(a.ends.x, b.ends.y), a.hash * b.power + b.hash, a.power * b.power);
}
