// What a workgroup of a primitive whose tiles look back does: load a tile, publish its aggregate, learn what comes before it
// (lookback.glsl), store. Loop, stages and prefetch stand here; the shader that includes this has hooks, in the order in which they
// are called:
//
//     void vkprim_hook_load(uint tile)                          loads the tile; may write shared memory
//     VKPRIM_ELEMENT vkprim_hook_aggregate()                    behind a barrier: the aggregate of the tile
//     void vkprim_hook_fetch(uint tile)                         loads what only the store needs
//     uint vkprim_hook_touch(uint tile)                         vkprim_touch() of each input, or'ed: the tile's prefetch
//     void vkprim_hook_place()                                  computes what only the store needs, while others publish
//     void vkprim_hook_store(uint tile, VKPRIM_ELEMENT prefix)  once, for the workgroup's own tile
//
// A workgroup that waits in vain goes through all but the last for the tile that is missing, and then for its own again. What one
// hook finds and another needs lies in global variables. Ahead of the #include, the shader defines what lookback.glsl wants, and:
//
//     VKPRIM_LOOP_AHEAD    tiles from this one to the one that it prefetches; 0: none
//     VKPRIM_LOOP_RUNNING  tiles that start all at once, which nobody need prefetch
//     VKPRIM_LOOP_CROSSES  whether an invocation stores to what another one of the workgroup has loaded
#ifndef VKPRIM_TILE_LOOP_GLSL
#define VKPRIM_TILE_LOOP_GLSL
#include "lookback.glsl"

void vkprim_hook_load(uint tile);
VKPRIM_ELEMENT vkprim_hook_aggregate();
void vkprim_hook_fetch(uint tile);
uint vkprim_hook_touch(uint tile);
void vkprim_hook_place();
void vkprim_hook_store(uint tile, VKPRIM_ELEMENT prefix);

// Reads one word of each sector of `count` words at an address, which brings them into the cache.
uint vkprim_touch(uvec2 address, uint count) {
    const uint SECTOR = 8; // words
    uint touched = 0;
    [[unroll]] for (uint first = 0; first < count; first += VKPRIM_WORKGROUP_SIZE * SECTOR) {
        touched |= vkprim_Words(address).at[first + vkprim_invocation() * SECTOR];
    }
    return touched;
}

// Touches a tile that is about to start, so that memory has work while this workgroup waits. What it returns must be used, or the
// compiler drops the loads.
uint vkprim_prefetch(uint tile, uint tiles) {
    if (VKPRIM_LOOP_AHEAD == 0 || tile < VKPRIM_LOOP_RUNNING || tile + 1 >= tiles) return 0;
    return vkprim_hook_touch(tile);
}

// Of an operation of `tiles` tiles, what workgroup number `workgroup` does in VKPRIM_LOOKBACK_STAGE.
void vkprim_tile_loop(uvec2 scratch, uint tiles, uint workgroup) {
    const bool CLOSES = VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_GROUPS || VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_SUPERS;
    if (workgroup >= (CLOSES ? vkprim_lookback_closed(max(tiles, 1), VKPRIM_LOOKBACK_STAGE - 1) : tiles)) return;

    vkprim_Lookback lookback = vkprim_lookback_begin(scratch, tiles, workgroup);
    if (CLOSES) {
        vkprim_lookback_close(lookback, VKPRIM_LOOKBACK_STAGE - 1, workgroup);
        return;
    }
    const uint own = vkprim_lookback_tile(lookback);
    VKPRIM_ELEMENT prefix;
    uint touched = 0;
    bool is_first_pass = true;
    for (uint tile = own;; tile = vkprim_lookback_missing(lookback, own)) {
        vkprim_hook_load(tile);
        vkprim_lookback_arrived(lookback, tile, is_first_pass);
        if (VKPRIM_LOOP_CROSSES) vkprim_barrier_with_buffers();
        else barrier();
        vkprim_lookback_publish(lookback, tile, is_first_pass, vkprim_hook_aggregate());
        if (VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_TILES) return;
        vkprim_hook_fetch(tile);
        touched = vkprim_prefetch(tile + VKPRIM_LOOP_AHEAD, tiles);
        vkprim_hook_place();
        if (vkprim_lookback_prefix(lookback, tile, is_first_pass, prefix) && tile == own) break;
        is_first_pass = false;
    }
    vkprim_hook_store(own, prefix);
    // A use of what was touched. It changes nothing: this is read no more behind look-back's last barrier.
    if (VKPRIM_LOOP_AHEAD > 0 && touched == 0x9e3779b9) vkprim_lookback_turn = uvec2(0);
}

#endif
