// Running sums of floats that restart where a key differs from the one before (scan by key). Parameter addresses: 0, keys of 32 bits,
// which are compared bit by bit; 1, the values; 2, where the sums go. Use it in an inclusive scan. In an exclusive
// scan, the first element of a key gets the total of the key before, not 0. operate() is that of segmented_sum.glsl. For up to 2^31
// elements.
#define VKPRIM_FIELDS(FIELD) FIELD(uint, head) FIELD(float, sum)
#define VKPRIM_KEEPS_ORDER
#define VKPRIM_HAS_LOAD
#define VKPRIM_HAS_STORE
#include <vkprim/glsl/operation.glsl>

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Keys { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Values { float at[]; };

Element identity() { return Element(0, 0); }
Element load(uint index) {
    Keys keys = Keys(vkprim_parameter_address(0));
    bool begins = index == 0 || keys.at[index] != keys.at[max(index, 1) - 1];
    return Element(uint(begins), Values(vkprim_parameter_address(1)).at[index]);
}
Element operate(Element a, Element b) {
    precise float sum = a.sum + b.sum;
    return Element(a.head | b.head, b.head != 0 ? b.sum : vkprim_canonical(sum));
}
void store(uint index, Element element) { Values(vkprim_parameter_address(2)).at[index] = element.sum; }
