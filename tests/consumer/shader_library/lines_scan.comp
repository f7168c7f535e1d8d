#version 460
// Running compositions of lines: tiles.glsl with an element and an operation of your own.
#extension GL_GOOGLE_include_directive : require
#include "lines.glsl"
#include <vkprim/glsl/tiles.glsl>

Element own;

uint index_in(uint tile) { return tile * VKPRIM_WORKGROUP_SIZE + vkprim_invocation(); }

VKPRIM_ELEMENT vkprim_tile_load(uint tile) { return own = line(index_in(tile)); }

void vkprim_tile_store(uint tile, VKPRIM_ELEMENT before, VKPRIM_ELEMENT total) {
    if (index_in(tile) < push.count) put_line(index_in(tile), operate(before, own));
}

void main() { vkprim_tiles_scan(push.scratch, (push.count + VKPRIM_WORKGROUP_SIZE - 1) / VKPRIM_WORKGROUP_SIZE); }
