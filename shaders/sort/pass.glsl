// A pass of a sort: what it is told, and its tiles and chunks of these.
#ifndef SORT_PASS_GLSL
#define SORT_PASS_GLSL
#extension GL_GOOGLE_include_directive : require
#include "keys.glsl"

layout(push_constant) uniform Push { SortPush push; };

uint element_count; // of the sort

uint tiles_of_all() { return element_count / push.tile + uint(element_count % push.tile != 0); }
uint chunks_of_all() { return tiles_of_all() / push.chunk + uint(tiles_of_all() % push.chunk != 0); }

uvec2 row_address(uvec2 rows, uint row) { return vkprim_address_of(rows, row, SORT_DIGITS * 4); }

#endif
