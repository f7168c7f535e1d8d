// The instance nearest to the point in parameters 0 to 2, and how far it is; of equally near ones the first.
#define VKPRIM_FIELDS(FIELD) FIELD(float, squared_distance) FIELD(uint, index)
#define VKPRIM_HAS_LOAD
#include <vkprim/glsl/operation.glsl>

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Instances { vec4 at[]; };

Element identity() { return Element(VKPRIM_INFINITY, ~0u); }
Element operate(Element a, Element b) {
    bool second = b.squared_distance < a.squared_distance || (b.squared_distance == a.squared_distance && b.index < a.index);
    return Element(mix(a.squared_distance, b.squared_distance, second), mix(a.index, b.index, second));
}
Element load(uint index) {
    vec3 point = uintBitsToFloat(uvec3(vkprim_parameter(0), vkprim_parameter(1), vkprim_parameter(2)));
    precise vec3 away = Instances(vkprim_parameter_address(0)).at[index].xyz - point;
    precise float squared_distance = dot(away, away);
    return Element(squared_distance, index);
}
