#version 460
// variants: inner
// step: tiled, halo by invocations of its own
// idea: A workgroup holds what it reads in shared memory, an element an invocation; those at its rim only load.
// shape: barriers=1 shared=4N
#extension GL_GOOGLE_include_directive : require
#include "convolution.glsl"

layout(set = 0, binding = 0, std140) uniform Mask { float weights[LADDER_MASK]; };
shared float tile[VKPRIM_WORKGROUP_SIZE];

void main() {
    if (WORKGROUP >= push.workgroups) return;
    uint columns = tile_columns(), across = columns - 2 * push.radius_x, down = tile_rows() - 2 * push.radius_y; // results
    uint tiles = (push.columns + across - 1) / across;
    int left = int(WORKGROUP % tiles * across), top = int(WORKGROUP / tiles * down);
    tile[LOCAL] = element_at(left + int(LOCAL_X) - RADIUS_X, top + int(LOCAL_Y) - RADIUS_Y);
    barrier();
    uint x = left + LOCAL_X, y = top + LOCAL_Y;
    bool sums_up = LOCAL_X < across && LOCAL_Y < down && x < push.columns && y < push.rows;
    float sum = 0;
    uint m = 0;
    for (uint dy = 0; dy <= 2 * push.radius_y; ++dy) { // by all, since some drivers fail where part of a subgroup has gone
        uint first = min((LOCAL_Y + dy) * columns + LOCAL_X, VKPRIM_WORKGROUP_SIZE - 1 - 2 * push.radius_x);
        for (uint dx = 0; dx <= 2 * push.radius_x; ++dx, ++m) sum += weights[m] * tile[first + dx];
    }
    if (sums_up) Floats(push.target).at[y * push.columns + x] = sum;
}
