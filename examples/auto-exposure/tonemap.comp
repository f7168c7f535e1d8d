#version 460
// From radiance to bytes: exposure, a curve that bends what is bright (Narkowicz, "ACES Filmic Tone Mapping Curve", 2015), sRGB. The
// histogram lies along the lower edge, where exposure is automatic.
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

void main() {
    uint pixel = gl_GlobalInvocationID.x;
    if (pixel >= frame.width * frame.height) return;
    vec3 x = frame.radiance.at[pixel].rgb * (frame.is_automatic != 0 ? frame.exposure.at[0] : 1.0);
    vec3 color = clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
    color = mix(12.92 * color, 1.055 * pow(color, vec3(1.0 / 2.4)) - 0.055, greaterThan(color, vec3(0.0031308)));
    if (frame.is_automatic != 0) {
        uint bin = pixel % frame.width * frame.bins / frame.width, row = frame.height - 1 - pixel / frame.width;
        float bar = min(0.8 * sqrt(float(frame.counts.at[bin]) / float(frame.width * frame.height)), 0.25);
        if (float(row) < bar * float(frame.height)) color = mix(color, vec3(1), 0.6);
    }
    frame.picture.at[pixel] = packUnorm4x8(vec4(color, 1));
}
