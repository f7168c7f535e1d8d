// The loop of a workgroup whose tiles look back: load a tile, publish its aggregate, get the prefix (lookback.glsl), store. It contains the
// stages and the prefetch. It is included in the body of the shader's function, so that values that one hook passes to another are local
// variables of that function. With NVIDIA's compiler, global arrays stay in memory, and members of a structure take 108 registers instead
// of 64: scans took 2.2 times as long (bench/NOTES.md).
//
// Before including it, a shader includes lookback.glsl, and declares these variables: uvec2 scratch, uint tiles, and uint workgroup, its
// number; and these constants:
//
//     VKPRIM_LOOP_PREFETCH_DISTANCE  tiles from this one to the one that it prefetches; 0: none
//     VKPRIM_LOOP_FIRST_WAVE_TILES   tiles that start at once, so that none of them is worth a prefetch
//     VKPRIM_LOOP_CROSSES            whether an invocation stores what another one of the workgroup has loaded
//
// and these macros, the hooks, in the order in which they are called:
//
//     VKPRIM_HOOK_LOAD(tile)          loads the tile; may write shared memory
//     VKPRIM_HOOK_AGGREGATE(tile)     called after a barrier; the value: the aggregate of the tile
//     VKPRIM_HOOK_FETCH(tile)         loads what only the store needs
//     VKPRIM_HOOK_TOUCH(tile)         prefetches the tile; the value: vkprim_touch() of each input, combined by |
//     VKPRIM_HOOK_PLACE(tile)         computes what only the store needs, while others publish
//     VKPRIM_HOOK_STORE(tile, prefix) called once, for the workgroup's own tile
//
// With VKPRIM_LOOKBACK_CHAINS, the variables are vkprim_Lookback lookback, of a chain, uint tiles, uint own, the workgroup's tile, and uint
// last. The aggregates of the tiles own + 1 to last, which the workgroup does next, are published before it waits. Otherwise waits would form
// a chain through the workgroups.
//
// A workgroup that has waited in vain runs all steps but the last for the tile whose aggregate is missing, and then for its own tile again.
#ifndef VKPRIM_LOOKBACK_CHAINS
const bool CLOSES = VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_GROUPS || VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_SUPERGROUPS;
if (workgroup >= (CLOSES ? vkprim_lookback_closed(max(tiles, 1), VKPRIM_LOOKBACK_STAGE - 1) : tiles)) return;

vkprim_Lookback lookback = vkprim_lookback_begin(scratch, tiles, workgroup);
if (CLOSES) {
    vkprim_lookback_close(lookback, VKPRIM_LOOKBACK_STAGE - 1, workgroup);
    return;
}
const uint own = vkprim_lookback_tile(lookback);
#endif
const bool SINGLE = VKPRIM_LOOKBACK_STAGE != VKPRIM_STAGE_ALL; // one pass: compilers that cannot tell keep each pass's values for the next one
VKPRIM_ELEMENT prefix;
uint touched;
bool is_first_pass = true;
#ifdef VKPRIM_LOOKBACK_CHAINS
for (uint tile = last;;) {
#else
for (uint tile = own;; tile = SINGLE ? own : vkprim_lookback_missing(lookback, own)) {
#endif
    VKPRIM_HOOK_LOAD(tile);
#ifndef VKPRIM_LOOKBACK_CHAINS
    vkprim_lookback_arrived(lookback, tile, is_first_pass);
#endif
    if (VKPRIM_LOOP_CROSSES) vkprim_barrier_with_buffers();
    else barrier();
    vkprim_lookback_publish(lookback, tile, is_first_pass, VKPRIM_HOOK_AGGREGATE(tile));
    if (VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_TILES) return;
#ifdef VKPRIM_LOOKBACK_CHAINS
    if (!SINGLE && is_first_pass && tile > own) {
        --tile;
        barrier();
        continue;
    }
#endif
    VKPRIM_HOOK_FETCH(tile);
    // Touches a tile that is about to start, so that memory has work while this workgroup waits.
    const uint prefetched = tile + VKPRIM_LOOP_PREFETCH_DISTANCE;
    touched = 0; // in each pass, or it takes a register while the tile is loaded
    if (VKPRIM_LOOP_PREFETCH_DISTANCE > 0 && prefetched >= VKPRIM_LOOP_FIRST_WAVE_TILES && prefetched + 1 < tiles) touched = VKPRIM_HOOK_TOUCH(prefetched);
    VKPRIM_HOOK_PLACE(tile);
    if (vkprim_lookback_prefix(lookback, tile, is_first_pass, prefix) && tile == own) break;
    is_first_pass = false;
#ifdef VKPRIM_LOOKBACK_CHAINS
    tile = SINGLE ? own : vkprim_lookback_missing(lookback, own);
#endif
}
VKPRIM_HOOK_STORE(own, prefix);
// A use of the prefetched words, or compilers would remove the loads. It changes nothing: this is not read after look-back's last barrier.
if (VKPRIM_LOOP_PREFETCH_DISTANCE > 0 && touched == 0x9e3779b9) vkprim_lookback_turn = uvec2(0);
