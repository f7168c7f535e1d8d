#version 460
// variants: plain
// step: direct
// idea: Each invocation reads the elements around its own, and the mask, from memory.
// shape: barriers=0 shared=0
#extension GL_GOOGLE_include_directive : require
#include "convolution.glsl"

void main() {
    if (GLOBAL >= push.count) return;
    int x = int(GLOBAL % push.columns), y = int(GLOBAL / push.columns);
    float sum = 0;
    uint m = 0;
    for (int dy = -RADIUS_Y; dy <= RADIUS_Y; ++dy) {
        for (int dx = -RADIUS_X; dx <= RADIUS_X; ++dx) sum += mask_at(m++) * element_at(x + dx, y + dy);
    }
    Floats(push.target).at[GLOBAL] = sum;
}
