// A predicate: of the points at parameter address 0, those at most as far from the origin as the root of parameter 1; of the flags at
// address 1, those whose bit in parameter 0 is set.
#include <vkprim/glsl/predicate.glsl>

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Points { int at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Flags { uint at[]; };

bool keep(uint index) {
    ivec3 point;
    for (uint axis = 0; axis < 3; ++axis) point[axis] = Points(vkprim_parameter_address(0)).at[3 * index + axis];
    int distance = point.x * point.x + point.y * point.y + point.z * point.z;
    return distance <= int(vkprim_parameter(1)) && (vkprim_parameter(0) >> Flags(vkprim_parameter_address(1)).at[index] & 1) != 0;
}
