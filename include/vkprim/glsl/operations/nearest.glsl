// The nearest of points, 12 bytes each at parameter address 0, to the point in parameters 0 to 2 (as floats): the squared distance and the
// index. Of equal distances, the lowest index wins. Points with NaN never win; if there are no others, the index is 0xffffffff. For up to
// 2^31 / 3 points.
#define VKPRIM_FIELDS(FIELD) FIELD(float, squared_distance) FIELD(uint, index)
#define VKPRIM_HAS_LOAD
#include <vkprim/glsl/operation.glsl>

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Points { float at[]; };

Element identity() { return Element(VKPRIM_INFINITY, ~0u); }
Element load(uint index) {
    Points points = Points(vkprim_parameter_address(0));
    precise vec3 away = vec3(points.at[3 * index], points.at[3 * index + 1], points.at[3 * index + 2]) -
                        vec3(uintBitsToFloat(vkprim_parameter(0)), uintBitsToFloat(vkprim_parameter(1)), uintBitsToFloat(vkprim_parameter(2)));
    precise vec3 squares = away * away;
    precise float xy = squares.x + squares.y, all = xy + squares.z;
    return all >= 0 ? Element(all, index) : identity();
}
Element operate(Element a, Element b) {
    bool second = b.squared_distance < a.squared_distance || (b.squared_distance == a.squared_distance && b.index < a.index);
    return second ? b : a;
}
