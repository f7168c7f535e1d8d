#version 460
// Boxes, from nothing but the numbers of instance and vertex; the ground, and the sky behind all.
#extension GL_GOOGLE_include_directive : require
#include "view.glsl"

layout(location = 0) out vec3 at;
layout(location = 1) flat out vec3 normal;
layout(location = 2) flat out vec3 color;

const uint CORNERS[6] = uint[](0, 1, 2, 2, 1, 3);

void main() {
    uint corner = CORNERS[gl_VertexIndex % 6];
    vec2 side = vec2(corner & 1, corner >> 1) * 2.0 - 1.0;
    at = vec3(0);
    normal = vec3(0, 1, 0);
    color = vec3(0.045, 0.05, 0.055);
    if (view.draws == SKY) {
        at.y = side.y;
        gl_Position = vec4(side.x, -side.y, 1, 1); // y is down in clip space, as in the projection
        return;
    }
    if (view.draws == GROUND) {
        at = vec3(side.x, 0, -side.y) * 600.0;
        gl_Position = view.projection * vec4(at, 1);
        return;
    }

    uint number = gl_InstanceIndex;
    if (view.draws == VISIBLE) {
        number = view.visible.at[number];
    } else if ((view.flags.at[number / 4] >> (number % 4 * 8) & 1) != 0) {
        gl_Position = vec4(2, 2, 2, 1); // beyond the edge: only the culled ones are drawn
        return;
    }
    Instance box = view.instances.at[number];
    uint face = gl_VertexIndex / 6, axis = face >> 1;
    float outward = (face & 1) != 0 ? 1.0 : -1.0;
    vec3 unit;
    unit[axis] = outward;
    unit[(axis + 1) % 3] = side.x * outward; // every face is counterclockwise from outside
    unit[(axis + 2) % 3] = side.y;
    normal = vec3(0);
    normal[axis] = outward;
    at = box.middle + unit * box.half_size;
    color = view.draws == VISIBLE ? unpackUnorm4x8(box.color).rgb : vec3(0.085);
    gl_Position = view.projection * vec4(at, 1);
}
