// The box around all instances, whose positions and radii lie at parameter address 0.
#define VKPRIM_FIELDS(FIELD) FIELD(vec3, low) FIELD(vec3, high)
#define VKPRIM_HAS_LOAD
#include <vkprim/glsl/operation.glsl>

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Instances { vec4 at[]; };

Element identity() { return Element(vec3(VKPRIM_INFINITY), vec3(-VKPRIM_INFINITY)); }
Element operate(Element a, Element b) { return Element(min(a.low, b.low), max(a.high, b.high)); }
Element load(uint index) {
    vec4 instance = Instances(vkprim_parameter_address(0)).at[index];
    return Element(instance.xyz - instance.w, instance.xyz + instance.w);
}
