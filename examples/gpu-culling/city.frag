#version 460
// Sun, sky, and fog, which is what the sky looks like at the horizon.
#extension GL_GOOGLE_include_directive : require
#include "view.glsl"

layout(location = 0) in vec3 at;
layout(location = 1) flat in vec3 normal;
layout(location = 2) flat in vec3 color;
layout(location = 0) out vec4 result;

const vec3 SUN = normalize(vec3(-0.7, 0.5, -0.35)), HORIZON = vec3(0.72, 0.78, 0.84), ZENITH = vec3(0.13, 0.32, 0.68);

void main() {
    vec3 light;
    if (view.draws == SKY) {
        light = view.fog > 0.0 ? mix(HORIZON, ZENITH, smoothstep(0.3, 1.2, at.y)) : vec3(0.02, 0.022, 0.026);
    } else {
        float open = mix(0.45, 1.0, smoothstep(0.0, 2.5, at.y)); // streets see little of the sky
        light = color * (vec3(1.7, 1.4, 0.95) * max(dot(normal, SUN), 0.0) * mix(0.6, 1.0, open) +
                         vec3(0.2, 0.28, 0.42) * open * (0.7 + 0.3 * normal.y));
        float far = view.fog * distance(at, view.eye);
        light = mix(light, HORIZON, 1.0 - exp(-far * far));
    }
    result = vec4(pow(light, vec3(1.0 / 2.2)), 1);
}
