#version 460
// variants: outer
// step: tiled, a result for each invocation
// idea: All invocations have results; the elements around them, halo and all, they load by turns.
// shape: barriers=1 shared=8N+2048
#extension GL_GOOGLE_include_directive : require
#include "convolution.glsl"

layout(set = 0, binding = 0, std140) uniform Mask { float weights[LADDER_MASK]; };
shared float tile[2 * VKPRIM_WORKGROUP_SIZE + 512]; // enough for every shape with a halo of LADDER_RADIUS

void main() {
    if (WORKGROUP >= push.workgroups) return;
    uint tiles = (push.columns + tile_columns() - 1) / tile_columns();
    int left = int(WORKGROUP % tiles * tile_columns()), top = int(WORKGROUP / tiles * tile_rows());
    uint columns = tile_columns() + 2 * push.radius_x, rows = tile_rows() + 2 * push.radius_y;
    for (uint first = 0; first < columns * rows; first += VKPRIM_WORKGROUP_SIZE) {
        uint i = first + LOCAL;
        if (i < columns * rows) tile[i] = element_at(left + int(i % columns) - RADIUS_X, top + int(i / columns) - RADIUS_Y);
    }
    barrier();
    uint x = left + LOCAL_X, y = top + LOCAL_Y;
    float sum = 0;
    uint m = 0;
    for (uint dy = 0; dy <= 2 * push.radius_y; ++dy) { // by all, since some drivers fail where part of a subgroup has gone
        uint first = (LOCAL_Y + dy) * columns + LOCAL_X;
        for (uint dx = 0; dx <= 2 * push.radius_x; ++dx, ++m) sum += weights[m] * tile[first + dx];
    }
    if (x < push.columns && y < push.rows) Floats(push.target).at[y * push.columns + x] = sum;
}
