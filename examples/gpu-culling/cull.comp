#version 460
// One flag byte for each instance: whether its sphere touches the camera's frustum.
#extension GL_GOOGLE_include_directive : require
#define FLAGS_ACCESS writeonly
#include "view.glsl"

layout(local_size_x = 64) in;

bool touches(vec4 plane, vec4 sphere) {
    return dot(plane.xyz, sphere.xyz) + plane.w >= -sphere.w * length(plane.xyz);
}

void main() {
    // Four flags to an invocation, so that no device needs to store single bytes.
    uint word = gl_GlobalInvocationID.x, flags = 0;
    mat4 rows = transpose(view.projection); // whose sums and differences are the planes
    for (uint i = word * 4; i < min(word * 4 + 4, view.count); ++i) {
        vec4 sphere = vec4(view.instances.at[i].middle, view.instances.at[i].radius);
        bool is_visible = touches(rows[3] + rows[0], sphere) && touches(rows[3] - rows[0], sphere) &&
                          touches(rows[3] + rows[1], sphere) && touches(rows[3] - rows[1], sphere) &&
                          touches(rows[2], sphere) && touches(rows[3] - rows[2], sphere);
        flags |= uint(is_visible) << (i % 4 * 8);
    }
    if (word * 4 < view.count) view.flags.at[word] = flags;
}
