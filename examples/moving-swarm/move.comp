#version 460
// Where the instances are at a time: five flocks, each a cloud that flies and grows; and how many there are in each pixel.
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_memory_scope_semantics : require
#include "frame.glsl"

uint seed;

// 0 to 1, in steps that floats add up exactly.
float random() {
    seed = seed * 747796405u + 2891336453u; // PCG (O'Neill 2014), with a hash behind
    uint word = ((seed >> (seed >> 28) + 4u) ^ seed) * 277803737u;
    return float((word >> 22 ^ word) >> 20) / 4096.0;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= frame.count) return;
    seed = i * 2654435761u;
    random();
    const vec3 starts[5] = vec3[](vec3(-5, -2, 1), vec3(-4, 2, 2), vec3(-1, 0, 3), vec3(2, -2, 1), vec3(3, 2, 2));
    const vec3 ways[5] = vec3[](vec3(3, 1, 0), vec3(1, -2, 1), vec3(2, 2, 0), vec3(-2, 0.5, 1), vec3(1.5, -1, 0));
    uint flock = i % 5;
    vec3 spread = vec3(random() + random() + random(), random() + random() + random(), random() + random() + random()) - 1.5;
    float size = 1.0 + 0.25 * float(flock) + 0.5 * frame.time;
    vec3 at = starts[flock] + ways[flock] * frame.time + spread * size;
    float radius = 0.02 + 0.04 * random();
    frame.instances.at[i] = vec4(at, radius);
    ivec2 pixel = ivec2(floor(pixel_of(at.xy)));
    if (pixel.x < 0 || pixel.y < 0 || pixel.x >= int(frame.width) || pixel.y >= int(frame.height)) return;
    atomicAdd(frame.density.at[pixel.y * frame.width + pixel.x], 1, gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
}
