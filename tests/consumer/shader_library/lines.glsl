// Maps x * slope + start, modulo 2^32: which of two comes first is not all the same.
#define VKPRIM_FIELDS(FIELD) FIELD(uint, slope) FIELD(uint, start)
#define VKPRIM_KEEPS_ORDER
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(1, 0); }
Element operate(Element a, Element b) { return Element(a.slope * b.slope, a.start * b.slope + b.start); }

layout(push_constant) uniform Push {
    uvec2 values, results, kept, scratch;
    vec4 plane;
    uint count;
} push;

Element line(uint index) {
    if (index >= push.count) return identity();
    uint value = vkprim_Words(push.values).at[index];
    return Element(value | 1, value >> 7);
}

void put_line(uint index, Element line) {
    vkprim_Words(push.results).at[2 * index] = line.slope;
    vkprim_Words(push.results).at[2 * index + 1] = line.start;
}
