// A pass of a sort: its parameters, its tiles, and the chunks of tiles. With SORT_ROWS, each row of a matrix is sorted separately, with as many
// workgroups, and as much temporary memory, as the host's count needs.
#ifndef SORT_PASS_GLSL
#define SORT_PASS_GLSL
#extension GL_GOOGLE_include_directive : require
#include "keys.glsl"

layout(push_constant) uniform Push { SortPush push; };

uint element_count; // of the sort, or of each row

uint tiles_of_all() { return element_count / push.tile + uint(element_count % push.tile != 0); }
uint chunks_of_all() { return tiles_of_all() / push.chunk + uint(tiles_of_all() % push.chunk != 0); }

// Of a list of counts, one for each digit.
uvec2 list_address(uvec2 lists, uint list) { return address_of(lists, list, SORT_DIGITS * 4); }

// Where keys and counts of the sort, or of this workgroup's row, begin, and the number of this workgroup in it.
#ifdef SORT_ROWS
uint matrix_row, workgroup_of_row;

uint most_tiles() { return (push.count - 1) / push.tile + 1; } // of a row
uint most_chunks() { return (most_tiles() - 1) / push.chunk + 1; }

// Each row has so many workgroups. Workgroups after the last row get a number for which there is no work.
void select_row(uint workgroups) {
    matrix_row = workgroup_number() / workgroups;
    workgroup_of_row = matrix_row < push.rows ? workgroup_number() % workgroups : ~0u;
}

uvec2 keys_begin() { return address_of(push.keys, matrix_row * push.row_stride, KEY_BYTES); }
uvec2 output_keys_begin() { return address_of(push.output_keys, matrix_row * push.most_stored, KEY_BYTES); }
uvec2 counts_begin() { return list_address(push.counts, matrix_row * (most_chunks() + 1)); }
uvec2 tile_counts_begin() { return list_address(push.tile_counts, matrix_row * most_tiles()); }
#else
#define workgroup_of_row workgroup_number()
#define select_row(workgroups)
#define keys_begin() push.keys
#define output_keys_begin() push.output_keys
#define counts_begin() push.counts
#define tile_counts_begin() push.tile_counts
#endif

#endif
