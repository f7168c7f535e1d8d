// Three words, in any order: sum, least and largest.
#define VKPRIM_FIELDS(FIELD) FIELD(uint, sum) FIELD(ivec2, least_and_most)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(0, ivec2(0x7fffffff, 0x80000000)); }
Element operate(Element a, Element b) {
    return Element(a.sum + b.sum, ivec2(min(a.least_and_most.x, b.least_and_most.x), max(a.least_and_most.y, b.least_and_most.y)));
}
