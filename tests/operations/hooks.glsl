// Two words, in order, gathered from parameter address 0 by the indices at address 1, multiplied by parameter 3, and scattered to address 2
// from back to front: to places parameter 2, parameter 2 - 1, ...
#define VKPRIM_FIELDS(FIELD) FIELD(uint, scale) FIELD(uint, offset)
#define VKPRIM_KEEPS_ORDER
#define VKPRIM_HAS_LOAD
#define VKPRIM_HAS_STORE
#include <vkprim/glsl/operation.glsl>

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Maps { Element at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Indices { uint at[]; };

Element identity() { return Element(1, 0); }
Element operate(Element a, Element b) { return Element(a.scale * b.scale, a.offset * b.scale + b.offset); }
Element load(uint index) {
    Element map = Maps(vkprim_parameter_address(0)).at[Indices(vkprim_parameter_address(1)).at[index]];
    map.offset *= vkprim_parameter(3);
    return map;
}
void store(uint index, Element element) { Maps(vkprim_parameter_address(2)).at[vkprim_parameter(2) - index] = element; }
