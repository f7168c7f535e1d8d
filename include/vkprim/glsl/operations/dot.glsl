// The dot product of two arrays of floats, at parameter addresses 0 and 1, of up to 2^31. Devices may differ in the sign of zero, the bits of
// NaN, and results near denormals.
#define VKPRIM_FIELDS(FIELD) FIELD(float, sum)
#define VKPRIM_HAS_LOAD
#include <vkprim/glsl/operation.glsl>

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Values { float at[]; };

Element identity() { return Element(0); }
Element load(uint index) {
    precise float product = Values(vkprim_parameter_address(0)).at[index] * Values(vkprim_parameter_address(1)).at[index];
    return Element(product);
}
Element operate(Element a, Element b) {
    precise float sum = a.sum + b.sum;
    return Element(sum);
}
