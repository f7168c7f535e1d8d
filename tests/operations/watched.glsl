// A word whose loads are counted: at parameter address 0 is how many there were, and at address 1, for each element, how many before its first.
#define VKPRIM_FIELDS(FIELD) FIELD(uint, number)
#define VKPRIM_HAS_LOAD
#include <vkprim/glsl/operation.glsl>

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Counts { uint at[]; };

Element identity() { return Element(0); }
Element operate(Element a, Element b) { return Element(a.number + b.number); }
Element load(uint index) {
    atomicMin(Counts(vkprim_parameter_address(1)).at[index], atomicAdd(Counts(vkprim_parameter_address(0)).at[0], 1));
    return Element(1);
}
