#version 460
// A picture with a wide range: balls on a floor, in the shade of a wall and in the sun.
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

const vec3 SUN = normalize(vec3(0.55, 0.5, -0.65));

vec3 sky(vec3 direction) {
    float up = max(direction.y, 0.0), sun = max(dot(direction, SUN), 0.0);
    return mix(vec3(0.9, 1.0, 1.1), vec3(0.15, 0.35, 0.9), sqrt(up)) + vec3(300, 260, 200) * pow(sun, 2000.0) +
           vec3(1.5, 1.2, 0.8) * pow(sun, 20.0);
}

// The nearest ball ahead: its number, how far, and where its middle is.
int ball(vec3 from, vec3 direction, out float far, out vec3 middle) {
    int found = -1;
    far = 1e9;
    for (int i = 0; i < 7; ++i) {
        vec3 center = vec3(float(i) * 1.6 - 4.8, 0.6, 3.5 + 0.8 * sin(float(i) * 2.4)), to = from - center;
        float b = dot(to, direction), d = b * b - dot(to, to) + 0.36;
        if (d < 0.0) continue;
        float t = -b - sqrt(d);
        if (t < 1e-3 || t > far) continue;
        found = i;
        far = t;
        middle = center;
    }
    return found;
}

// How much of the sun is seen: balls, and a wall on the right of the camera, hide it.
float sunlight(vec3 at) {
    float far;
    vec3 middle;
    if (ball(at, SUN, far, middle) >= 0) return 0.0;
    float t = (1.0 - at.x) / SUN.x;
    return t > 0.0 && at.y + t * SUN.y < 6.0 && at.z + t * SUN.z > 2.6 ? 0.0 : 1.0;
}

vec3 lit(vec3 at, vec3 normal, vec3 color) {
    float open = at.x < 1.0 ? 0.06 : 0.5; // of the sky, seen from there
    return color * (vec3(14, 12, 9) * max(dot(normal, SUN), 0.0) * sunlight(at + normal * 1e-3) +
                    vec3(0.4, 0.6, 0.9) * open * (0.6 + 0.4 * normal.y));
}

vec3 radiance_along(vec3 from, vec3 direction) {
    vec3 weight = vec3(1), sum = vec3(0);
    for (int bounce = 0; bounce < 3; ++bounce) {
        float far;
        vec3 middle, color, normal;
        int which = ball(from, direction, far, middle);
        float floor_far = direction.y < 0.0 ? -from.y / direction.y : 1e9;
        if (which < 0 && floor_far > 60.0) return sum + weight * sky(direction);
        bool is_floor = floor_far < far;
        vec3 at = from + direction * min(far, floor_far);
        if (is_floor) {
            normal = vec3(0, 1, 0);
            color = mod(floor(at.x) + floor(at.z), 2.0) < 0.5 ? vec3(0.7, 0.68, 0.62) : vec3(0.22, 0.2, 0.2);
        } else {
            normal = normalize(at - middle);
            color = 0.5 + 0.4 * cos(vec3(0, 2.1, 4.2) + float(which) * 1.3);
        }
        float mirror = is_floor ? 0.04 : 0.25;
        sum += weight * (1.0 - mirror) * lit(at, normal, color);
        weight *= mirror;
        from = at + normal * 1e-3;
        direction = reflect(direction, normal);
    }
    return sum;
}

void main() {
    uint pixel = gl_GlobalInvocationID.x;
    if (pixel >= frame.width * frame.height) return;
    vec3 sum = vec3(0);
    for (uint sample_number = 0; sample_number < 9; ++sample_number) {
        vec2 inside = (vec2(sample_number % 3, sample_number / 3) + 0.5) / 3.0;
        vec2 at = (vec2(pixel % frame.width, pixel / frame.width) + inside) / vec2(frame.height) -
                  vec2(float(frame.width) / float(frame.height), 1) / 2.0;
        sum += radiance_along(vec3(0, 1.3, -2.5), normalize(vec3(at.x, -at.y, 1.1)));
    }
    frame.radiance.at[pixel] = vec4(frame.light / 9.0 * sum, 1);
}
