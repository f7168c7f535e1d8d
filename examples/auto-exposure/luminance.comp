#version 460
// What the histogram counts: how bright a pixel is, as a binary logarithm, so that bins are as wide in the dark as in the light.
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

void main() {
    uint pixel = gl_GlobalInvocationID.x;
    if (pixel >= frame.width * frame.height) return;
    frame.luminance.at[pixel] = log2(max(dot(frame.radiance.at[pixel].rgb, LUMINANCE), 1e-9));
}
