#version 460
// The picture, seen from above: instances, the box around them, the visitor, and the line to whom he is nearest.
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

// How far a point is from a segment.
float distance_to(vec2 at, vec2 from, vec2 to) {
    vec2 way = to - from;
    float along = clamp(dot(at - from, way) / max(dot(way, way), 1e-6), 0.0, 1.0);
    return length(at - from - along * way);
}

void main() {
    uint pixel = gl_GlobalInvocationID.x;
    if (pixel >= frame.width * frame.height) return;
    vec2 at = vec2(pixel % frame.width, pixel / frame.width) + 0.5;
    float here = float(frame.density.at[pixel]);
    vec3 color = mix(vec3(0.06, 0.07, 0.1), vec3(0.55, 0.8, 1.0), here / (here + 3.0));
    vec2 low = pixel_of(vec2(frame.results.low[0], frame.results.low[1])), high = pixel_of(vec2(frame.results.high[0], frame.results.high[1]));
    vec2 outside = abs(at - (low + high) / 2.0) - (high - low) / 2.0;
    if (abs(max(outside.x, outside.y)) < 1.0) color = vec3(1.0, 0.75, 0.2);
    vec2 visitor = pixel_of(frame.visitor.xy), nearest = pixel_of(frame.instances.at[frame.results.index].xy);
    if (distance_to(at, visitor, nearest) < 1.0) color = vec3(1.0, 0.3, 0.4);
    if (length(at - visitor) < 5.0) color = vec3(1);
    uvec3 bytes = uvec3(color * 255.0 + 0.5);
    frame.picture.at[pixel] = bytes.x | bytes.y << 8 | bytes.z << 16 | 0xff000000u;
}
