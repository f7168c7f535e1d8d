// log(exp(x[0]) + exp(x[1]) + ...) of floats without overflow. An element has the largest value, and the sum of exp(x - largest) over all
// values, the largest included. Loads floats from parameter address 0, up to 2^31; the result is largest + log(sum). Devices differ in the
// last bits of exp().
#define VKPRIM_FIELDS(FIELD) FIELD(float, largest) FIELD(float, sum)
#define VKPRIM_HAS_LOAD
#include <vkprim/glsl/operation.glsl>

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Values { float at[]; };

Element identity() { return Element(-VKPRIM_INFINITY, 0); }
Element load(uint index) { return Element(Values(vkprim_parameter_address(0)).at[index], 1); }
Element operate(Element a, Element b) {
    float largest = max(a.largest, b.largest);
    if (largest == -VKPRIM_INFINITY) return identity();
    precise float first = a.sum * exp(a.largest - largest), second = b.sum * exp(b.largest - largest), sum = first + second;
    return Element(largest, sum);
}
