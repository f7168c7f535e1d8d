// How operations that look back share scratch, one after the other: who begins, which tile a workgroup gets, who arrives, and who clears what the
// operation before has left. The rules are in vkprim/core.h, "Scratch"; the layout is in scratch.h. Part of lookback.glsl.

struct vkprim_Lookback {
    uvec2 scratch;
    uint tiles;     // of this operation
    uint workgroup; // the number of this one in the operation, which may take several dispatches
    uint arrived;   // header words as invocation 0 found them: arrivals so far, in this operation and all before
    uvec2 left;     // words left in stripes 0 and 1
};

shared uint vkprim_lookback_late;        // 1: an invocation has polled VKPRIM_MAX_POLLS times in vain
shared uint vkprim_lookback_rounds;      // of a workgroup that has polled in vain: passes after its first ones
shared VKPRIM_ELEMENT vkprim_lookback_sibling;  // for the second tile of a pair, the aggregate of the first; for wide elements, the last
                                         // aggregate that is folded
shared uvec2 vkprim_lookback_turn;       // this operation's stripe, and how many words are still in the other one

// A test may ask for a fault (lookback_layout.h) in VKPRIM_FAULT_SHARE of the workgroups, if there are any that wait.
bool vkprim_has_fault(uint fault, uint tile, uint tiles) {
    return VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_ALL && VKPRIM_FAULT == fault && tile != tiles / 2 &&
           (tile * 0x9e3779b9u >> 16) < VKPRIM_FAULT_SHARE;
}

// Takes longer than any workgroup polls: all subgroups poll here, and CPU drivers run subgroups one after the other.
void vkprim_dawdle(uvec2 scratch) {
    for (uint i = 0; i < 4 * VKPRIM_MAX_POLLS; ++i) {
        if (atomicLoad(vkprim_Words(scratch).at[3], VKPRIM_DEVICE_RELAXED) != 0) break; // of the header, always 0
    }
    barrier();
}

// To be called by every workgroup that has a tile, before all else.
vkprim_Lookback vkprim_lookback_begin(uvec2 scratch, uint tiles, uint workgroup) {
    vkprim_Lookback lookback = vkprim_Lookback(scratch, tiles, workgroup, 0, uvec2(0));
    if (vkprim_has_fault(VKPRIM_FAULT_STALL, workgroup, tiles)) vkprim_dawdle(scratch);
    if (tiles == 1 || vkprim_invocation() != 0) return lookback;
    vkprim_lookback_late = 0;
    vkprim_lookback_rounds = 0;
    vkprim_Words header = vkprim_Words(scratch);
    lookback.arrived = VKPRIM_TICKETS ? atomicAdd(header.at[0], 1, VKPRIM_DEVICE_RELAXED) : atomicLoad(header.at[0], VKPRIM_DEVICE_RELAXED);
    lookback.left = uvec2(atomicLoad(header.at[1], VKPRIM_DEVICE_RELAXED), atomicLoad(header.at[2], VKPRIM_DEVICE_RELAXED));
    return lookback;
}

// The number of the tile that this workgroup is to do. With tickets, tiles start in their order on any driver, and a workgroup
// waits only for workgroups that are already running. Where workgroups start in the order of their numbers, or nearly so,
// the ticket's round trip through memory is saved.
uint vkprim_lookback_tile(vkprim_Lookback lookback) {
    if (!VKPRIM_TICKETS || lookback.tiles == 1) return lookback.workgroup;
    // On scratch that was never zero-filled a ticket may be any number, and its tile must still lie in the output.
    return min(vkprim_workgroup_broadcast(lookback.arrived % VKPRIM_SCRATCH_ARRIVALS), lookback.tiles - 1);
}

#ifdef VKPRIM_LOOKBACK_CHAINS
#define vkprim_words_of(tiles) VKPRIM_LOOKBACK_LEFT
#define VKPRIM_LOOKBACK_WORD(word) VKPRIM_LOOKBACK_CHAIN + (word)
#else
#define VKPRIM_LOOKBACK_WORD(word) word
uint vkprim_words_of(uint tiles) {
    return VKPRIM_SLOTS_OF(VKPRIM_LOOKBACK_ONE_GROUP ? tiles : vkprim_lookback_words(tiles, VKPRIM_LOOKBACK_GROUP, VKPRIM_LOOKBACK_FAN));
}
#endif

// What invocation 0 has found, for all. Only here is it waited for; its registers are free from then on.
void vkprim_lookback_arrived(inout vkprim_Lookback lookback, uint tile, bool is_first_pass) {
    uint turn = lookback.arrived / VKPRIM_SCRATCH_ARRIVALS % 2, left = turn == 0 ? lookback.left.y : lookback.left.x;
    lookback.arrived = 0;
    lookback.left = uvec2(0);
    if (!is_first_pass || lookback.tiles == 1 || vkprim_invocation() != 0) return;
    vkprim_lookback_turn = uvec2(turn, vkprim_scratch_left(left));
    if (VKPRIM_LOOKBACK_STAGE != VKPRIM_STAGE_ALL && VKPRIM_LOOKBACK_STAGE != VKPRIM_STAGE_OUTPUTS) return; // an operation arrives once
    uint arrivals = VKPRIM_TICKETS ? 0 : 1; // without tickets there is no answer to wait for
    if (tile == lookback.tiles - 1) {
        arrivals += VKPRIM_SCRATCH_ARRIVALS - lookback.tiles;
        atomicStore(vkprim_Words(lookback.scratch).at[1 + turn], vkprim_scratch_sign(vkprim_words_of(lookback.tiles)),
                    VKPRIM_DEVICE_RELAXED);
    }
    if (arrivals > 0) atomicAdd(vkprim_Words(lookback.scratch).at[0], arrivals, VKPRIM_DEVICE_RELAXED);
}

// The beginning of a stripe, were it scratch with that stripe first.
uvec2 vkprim_stripe_address(vkprim_Lookback lookback, uint stripe) { return vkprim_address_add(lookback.scratch, vkprim_scratch_offset(stripe, 0) - VKPRIM_SCRATCH_HEADER); }

// Zeroes this workgroup's share of the words that the previous operation has left.
void vkprim_clear_left(vkprim_Lookback lookback, uint tile) {
    uvec2 words = vkprim_stripe_address(lookback, 1 - vkprim_lookback_turn.x);
    for (uint first = tile; first < vkprim_lookback_turn.y; first += VKPRIM_WORKGROUP_SIZE * lookback.tiles) {
        uint word = first + vkprim_invocation() * lookback.tiles;
        if (word < vkprim_lookback_turn.y) vkprim_Words2(vkprim_address_add(words, vkprim_scratch_offset(0, word))).at[0] = uvec2(0);
    }
}
