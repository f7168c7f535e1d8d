#include "../ladder.glsl"

// The place that stands for `i` of `size` places, or -1.
int inside(int i, int size) {
    if (i >= 0 && i < size) return i;
    if (push.edge == EDGE_ZERO) return -1;
    if (push.edge == EDGE_CLAMP) return clamp(i, 0, size - 1);
    while (i < 0 || i >= size) i = i < 0 ? -1 - i : 2 * size - 1 - i;
    return i;
}

float element_at(int x, int y) {
    x = inside(x, int(push.columns));
    y = inside(y, int(push.rows));
    return x < 0 || y < 0 ? 0 : Floats(push.source).at[y * push.columns + x];
}

float mask_at(uint i) { return Floats(push.mask).at[4 * i]; } // as in uniform memory

// The shape of a workgroup: as square as its size can be, or one row.
uint tile_columns() { return push.radius_y == 0 ? VKPRIM_WORKGROUP_SIZE : 1u << (findMSB(VKPRIM_WORKGROUP_SIZE) + 1) / 2; }
uint tile_rows() { return VKPRIM_WORKGROUP_SIZE / tile_columns(); }
#define LOCAL_X (LOCAL % tile_columns())
#define LOCAL_Y (LOCAL / tile_columns())
#define RADIUS_X int(push.radius_x)
#define RADIUS_Y int(push.radius_y)
