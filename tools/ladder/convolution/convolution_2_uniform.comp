#version 460
// variants: uniform
// step: mask in uniform memory
// idea: All invocations want the same weight at the same time, which is what the cache of uniform memory is made for.
// shape: barriers=0 shared=0
#extension GL_GOOGLE_include_directive : require
#include "convolution.glsl"

layout(set = 0, binding = 0, std140) uniform Mask { float weights[LADDER_MASK]; };

void main() {
    if (GLOBAL >= push.count) return;
    int x = int(GLOBAL % push.columns), y = int(GLOBAL / push.columns);
    float sum = 0;
    uint m = 0;
    for (int dy = -RADIUS_Y; dy <= RADIUS_Y; ++dy) {
        for (int dx = -RADIUS_X; dx <= RADIUS_X; ++dx, ++m) sum += weights[m] * element_at(x + dx, y + dy);
    }
    Floats(push.target).at[GLOBAL] = sum;
}
