// Tiles with look-back, for shaders of your own. Each workgroup has a tile. Each invocation contributes a value, and gets, in the same
// dispatch, the reduction of the values of all invocations before it. With counts that is a compaction, with sizes an allocation, and with
// any operation a scan.
//
//     #version 460
//     #extension GL_GOOGLE_include_directive : require
//     #include <vkprim/glsl/tiles.glsl>
//
//     VKPRIM_ELEMENT vkprim_tile_load(uint tile) { ... }
//     void vkprim_tile_store(uint tile, VKPRIM_ELEMENT before, VKPRIM_ELEMENT total) { ... }
//     void main() { vkprim_tiles_scan(scratch, tiles); }
//
// Elements, operation, constants, subgroups, features, names
//               vkprim/glsl/detail/shader.glsl.
// vkprim_tile_load
//               Returns the value of invocation vkprim_invocation() in a tile; numbers go from 0 to VKPRIM_WORKGROUP_SIZE - 1.
//               The whole workgroup calls it, in uniform control flow: for its own tile, and for others if it becomes a helper.
//               So it may read, and keep the values of its last call in global variables, but must write nothing that is visible
//               outside the workgroup.
// vkprim_tile_store
//               Called once, for the workgroup's own tile. `before` is the reduction of the values of all invocations before this one,
//               in this tile and in all earlier ones; `total` is the same with all of this tile.
//               It may overwrite input that no other tile reads. Compaction in place is therefore not possible: others may read
//               an earlier tile's input after later tiles have stored.
// Dispatch      One workgroup for each tile; workgroups beyond `tiles` return. Use the hooks' argument `tile`: it is not the workgroup's
//               number, since workgroups may take tiles in the order in which they start. At most 2^20 tiles. If there are more than fit
//               a row of the device's grid, dispatch them in two dimensions.
// Scratch       vkprim::tiles_scratch_size() of vkprim/tiles.h, under the rules of vkprim/core.h; it may be shared with all of
//               vkprim's operations.
// Waits         All are bounded: vkprim/glsl/detail/lookback.glsl says how.
#ifndef VKPRIM_TILES_GLSL
#define VKPRIM_TILES_GLSL
#include "detail/shader.glsl"
#include "detail/tile.h"
const uint VKPRIM_LOOKBACK_STAGE = 0, VKPRIM_LOOKBACK_GROUP = VKPRIM_TILE_FAN, VKPRIM_LOOKBACK_FAN = VKPRIM_TILE_FAN;
const bool VKPRIM_LOOKBACK_HALVES = false, VKPRIM_LOOKBACK_ONE_GROUP = false;
const uint VKPRIM_LOOP_PREFETCH_DISTANCE = 0, VKPRIM_LOOP_FIRST_WAVE_TILES = 0;
const bool VKPRIM_LOOP_CROSSES = true; // hooks may do so
#include "detail/lookback.glsl"

VKPRIM_ELEMENT vkprim_tile_load(uint tile);
void vkprim_tile_store(uint tile, VKPRIM_ELEMENT before, VKPRIM_ELEMENT total);

// What the `size` invocations of a team have that come before this one, in groups of that size; `value` becomes what all of a group
// have (Sklansky 1960, over pairs).
VKPRIM_ELEMENT vkprim_team_scan(inout VKPRIM_ELEMENT value, uint size) {
    VKPRIM_ELEMENT before = vkprim_element_identity();
    [[unroll]] for (uint bit = 1; bit < size; bit <<= 1) {
        VKPRIM_ELEMENT sibling = vkprim_team_exchange(value, bit);
        if ((vkprim_invocation() & bit) != 0) before = vkprim_operate(sibling, before);
        value = vkprim_operate_pair(value, sibling, bit);
    }
    return before;
}

// What all invocations before this one have; `total`: all of the workgroup.
VKPRIM_ELEMENT vkprim_workgroup_scan(VKPRIM_ELEMENT value, out VKPRIM_ELEMENT total) {
    VKPRIM_ELEMENT before = vkprim_team_scan(value, VKPRIM_TEAM);
    if (vkprim_invocation() % VKPRIM_TEAM == 0) vkprim_team_totals[vkprim_invocation() / VKPRIM_TEAM] = value;
    barrier();
    total = vkprim_team_totals[vkprim_invocation() % VKPRIM_TEAMS];
    VKPRIM_ELEMENT teams_before = vkprim_team_shuffle(vkprim_team_scan(total, VKPRIM_TEAMS), vkprim_invocation() / VKPRIM_TEAM);
    barrier();
    return vkprim_operate(teams_before, before);
}

void vkprim_tiles_scan(uvec2 scratch, uint tiles) {
    const uint workgroup = vkprim_workgroup_number();
    VKPRIM_ELEMENT value, before, total; // of this invocation, of those before it, and of the whole tile
#define VKPRIM_HOOK_LOAD(tile) value = vkprim_tile_load(tile)
#define VKPRIM_HOOK_AGGREGATE(tile) (before = vkprim_workgroup_scan(value, total), total)
#define VKPRIM_HOOK_FETCH(tile)
#define VKPRIM_HOOK_TOUCH(tile) 0
#define VKPRIM_HOOK_PLACE(tile)
#define VKPRIM_HOOK_STORE(tile, prefix) vkprim_tile_store(tile, vkprim_operate(prefix, before), vkprim_operate(prefix, total))
#include "detail/tile_loop.glsl"
}

#endif
