// Tiles with look-back for shaders of your own: a workgroup has a tile; each invocation says what it has, and learns what all before
// it have together, in the same dispatch. With counts, that is compaction; with sizes, allocation; with any operation, a scan.
//
//     #version 460
//     #extension GL_GOOGLE_include_directive : require
//     #include <vkprim/glsl/tiles.glsl>
//
//     ELEMENT tile_load(uint tile) { ... }
//     void tile_store(uint tile, ELEMENT before, ELEMENT total) { ... }
//     void main() { tiles_scan(scratch, tiles); }
//
// ELEMENT is uint; int with ELEMENT_INT defined, float with ELEMENT_FLOAT. The operation is addition, or what specialization constants
// 2 and 3 say; or what ELEMENT_OPERATE(a, b) is defined as, associative and commutative, with its neutral element ELEMENT_IDENTITY.
//
// tile_load()   what invocation() has in a tile, for 0 to WORKGROUP_SIZE - 1. The whole workgroup calls it, in uniform control flow:
//               for the tile that will be its own, and in between, where it must help, for others. So it reads, and keeps for
//               tile_store() in global variables what its last call found, but writes nothing that is seen outside.
// tile_store()  once, for the workgroup's own tile. `before`: the operation over what all invocations before this one have, in this
//               and in all earlier tiles; `total`: the same with all of this tile.
//               It may overwrite input that no other tile reads. So there is no compaction in place: others may read an earlier
//               tile's input, or read it again, after later tiles have stored.
//
// Dispatch: a workgroup for each tile, of 256, 512 or 1024 invocations; those beyond `tiles` return. At most 2^20 tiles. More than a
// row of the device's grid go into a second dimension. Scratch: tiles_scratch_size() of vkprim/tiles.h, under vkprim/core.h's rules, shared with
// all of vkprim's operations. Nobody waits without end: lookback.glsl says how.
//
// Features: those of vkprim/requirements.h. Specialization constants: constants.glsl; none needs to be set. With TILES_SUBGROUPS
// defined, it goes through shuffles and is faster; the pipeline must then require full subgroups of the size that constant 1 says.
// Without, a workgroup of 1024 takes 16 KiB of shared memory and some words.
#ifndef TILES_GLSL
#define TILES_GLSL
#ifndef TILES_SUBGROUPS
#define NO_SUBGROUPS
#define DEFAULT_SUBGROUP_SIZE 1
#endif

#include "tile.h"
const uint LOOKBACK_STAGE = 0, LOOKBACK_GROUP = TILE_FAN, LOOKBACK_FAN = TILE_FAN;
const bool LOOKBACK_HALVES = false;
#if defined(ELEMENT_OPERATE) != defined(ELEMENT_IDENTITY)
#error ELEMENT_OPERATE and ELEMENT_IDENTITY go together
#endif
#include "lookback.glsl"
layout(local_size_x = 256) in; // where constant 0 is not set

ELEMENT tile_load(uint tile);
void tile_store(uint tile, ELEMENT before, ELEMENT total);

// What the `size` invocations of a team have that come before this one, in groups of that size; `value` becomes what all of a group
// have (Sklansky 1960, over pairs).
ELEMENT team_scan(inout ELEMENT value, uint size) {
    ELEMENT before = element_identity();
    [[unroll]] for (uint bit = 1; bit < size; bit <<= 1) {
        ELEMENT sibling = team_exchange(value, bit);
        if ((invocation() & bit) != 0) before = operate(sibling, before);
        value = operate(value, sibling);
    }
    return before;
}

// What all invocations before this one have; `total`: all of the workgroup.
ELEMENT workgroup_scan(ELEMENT value, out ELEMENT total) {
    ELEMENT before = team_scan(value, TEAM);
    if (invocation() % TEAM == 0) team_totals[invocation() / TEAM] = value;
    barrier();
    total = team_totals[invocation() % TEAMS];
    ELEMENT teams_before = team_shuffle(team_scan(total, TEAMS), invocation() / TEAM);
    barrier();
    return operate(teams_before, before);
}

void tiles_scan(uvec2 scratch, uint tiles) {
    if (workgroup_number() >= tiles) return;
    Lookback lookback = lookback_begin(scratch, tiles, workgroup_number());
    const uint own = lookback_tile(lookback);
    ELEMENT before, tile_total, prefix;
    bool is_first_pass = true;
    for (uint tile = own;; tile = lookback_missing(lookback, own)) {
        ELEMENT value = tile_load(tile);
        lookback_arrived(lookback, tile, is_first_pass);
        barrier();
        before = workgroup_scan(value, tile_total);
        lookback_publish(lookback, tile, is_first_pass, tile_total);
        if (lookback_prefix(lookback, tile, is_first_pass, prefix) && tile == own) break;
        is_first_pass = false;
    }
    // For hooks that use shared memory, and for stores to what others of this workgroup have loaded.
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
    tile_store(own, operate(prefix, before), operate(prefix, tile_total));
}

#endif
