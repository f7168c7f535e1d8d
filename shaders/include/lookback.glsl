// Deterministic look-back: how a tile learns the operation over all tiles before it, within one dispatch.
//
// Only aggregates are published, never running prefixes (unlike Merrill and Garland, "Single-pass Parallel Prefix Scan with
// Decoupled Look-back", 2016). LOOKBACK_GROUP tiles form a group, LOOKBACK_FAN groups a super. A tile needs the aggregates of the tiles
// before it in its group, of the groups before that in the super, and of the supers before that. Invocation i fetches number i
// of each, and one fold over the workgroup gives the prefix. Nobody waits for more than two hand-overs.
//
// The shape depends on the tile's number alone, so float results do too. And it is the same for tiles of half the size in
// groups of twice as many: a tile publishes the pair of its halves, as the first step of the fold would make it. So that the
// size of a tile is free, each half has a prefix of its own.
//
// Nobody waits without end either: after PATIENCE polls a workgroup computes what is missing itself, to the same bits, and
// publishes it (Smith, Levien, Owens, "Decoupled Fallback", SPAA 2025). A tile's input is whole until its aggregate is
// published, because its output is stored after that: so this is right for scans in place, too.
//
// An aggregate and the flag that it is there share one 64-bit word, so that no other memory needs ordering. Devices without
// 64-bit atomics use two words of 32 bits, each with a flag and half of the value.
//
// The shader that includes this defines LOOKBACK_GROUP and LOOKBACK_FAN, powers of two up to WORKGROUP_SIZE, ahead of that; and
// tile_aggregate().
#ifndef LOOKBACK_GLSL
#define LOOKBACK_GLSL
#extension GL_KHR_shader_subgroup_vote : require
#include "lookback.h"
#include "workgroup.glsl"

#define DEVICE_RELAXED gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed
#define DEVICE_ACQUIRE_RELEASE gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease

struct Lookback {
    uvec2 scratch;
    uint tiles; // of this operation
};

// Of a tile: over all elements in it, and over its first half.
struct Aggregate {
    ELEMENT tile;
    ELEMENT first_half;
};

// Over all elements before a tile, and before its second half.
struct Prefix {
    ELEMENT tile;
    ELEMENT second_half;
};

shared bool lookback_late; // somebody's patience has ended

#ifdef WORD64
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Words64 { uint64_t at[]; };

void word_publish(uvec2 address, ELEMENT value) {
    atomicStore(Words64(address).at[0], packUint2x32(uvec2(ELEMENT_BITS(value), 1)), DEVICE_RELAXED);
}

bool word_poll(uvec2 address, out ELEMENT value) {
    uvec2 word = unpackUint2x32(atomicLoad(Words64(address).at[0], DEVICE_RELAXED));
    value = ELEMENT_FROM_BITS(word.x);
    return word.y != 0;
}
#else
const uint HALF_IS_THERE = 0x10000;

void word_publish(uvec2 address, ELEMENT value) {
    uint bits = ELEMENT_BITS(value);
    atomicStore(Words(address).at[0], HALF_IS_THERE | (bits & 0xffff), DEVICE_RELAXED);
    atomicStore(Words(address).at[1], HALF_IS_THERE | (bits >> 16), DEVICE_RELAXED);
}

bool word_poll(uvec2 address, out ELEMENT value) {
    uint low = atomicLoad(Words(address).at[0], DEVICE_RELAXED);
    uint high = atomicLoad(Words(address).at[1], DEVICE_RELAXED);
    value = ELEMENT_FROM_BITS((low & 0xffff) | (high << 16));
    return min(low, high) >= HALF_IS_THERE;
}
#endif

uvec2 word_address(Lookback lookback, uint level, uint index) {
    uint words_below = lookback_words_below(level, lookback.tiles, LOOKBACK_GROUP, LOOKBACK_FAN);
    return address_add(lookback.scratch, LOOKBACK_WORDS + 8 * (words_below + index));
}

// Word `first` + invocation() of a level for the first `wanted` invocations, the identity for the others.
struct WordPoll {
    uvec2 address;
    bool there;
    ELEMENT word;
};

WordPoll poll_begin(Lookback lookback, uint level, uint first, uint wanted) {
    return WordPoll(word_address(lookback, level, first + invocation()), invocation() >= wanted, element_identity());
}

void poll_once(inout WordPoll poll) {
    if (!poll.there) poll.there = word_poll(poll.address, poll.word);
}

// Polls until both are there. Gives up after PATIENCE polls and sets lookback_late. The whole subgroup leaves the loop
// together: two CPU drivers hand the last round's values to lanes that left earlier.
void poll_both(inout WordPoll a, inout WordPoll b) {
    for (uint polls = 0; polls < PATIENCE && !subgroupAll(a.there && b.there); ++polls) {
        poll_once(a);
        poll_once(b);
    }
    if (!(a.there && b.there)) lookback_late = true;
}

// The number of the tile that this workgroup is to do. With tickets, tiles start in their order on any driver, and whoever
// waits, waits for a workgroup that is already running. Where workgroups start in the order of their numbers, or nearly so,
// the ticket's round trip through memory is saved.
uint lookback_tile(Lookback lookback) {
    if (invocation() == 0) lookback_late = false;
    if (!TICKETS || lookback.tiles == 1) return workgroup_number();
    uint ticket = 0;
    if (invocation() == 0) ticket = atomicAdd(Words(lookback.scratch).at[0], 1, DEVICE_RELAXED);
    return workgroup_broadcast(ticket);
}

void lookback_publish(Lookback lookback, uint tile, Aggregate aggregate) {
    if (lookback.tiles > 1 && invocation() == 0) word_publish(word_address(lookback, 0, tile), aggregate.tile);
}

// Gets the operation over what comes before the tile, whose aggregate has been published. The last tile of a group publishes
// the group's aggregate one level up, and so on.
// False where that took more than PATIENCE polls: lookback_help() is due, and then this once more.
bool lookback_prefix(Lookback lookback, uint tile, Aggregate aggregate, out Prefix prefix) {
    prefix = Prefix(element_identity(), aggregate.first_half);
    if (lookback.tiles == 1) return true;

    uint group = tile / LOOKBACK_GROUP, super = group / LOOKBACK_FAN;
    uint tiles_before = tile % LOOKBACK_GROUP, groups_before = group % LOOKBACK_FAN;
    bool closes = tiles_before == LOOKBACK_GROUP - 1 && tile + 1 < lookback.tiles;
    bool closes_super = closes && groups_before == LOOKBACK_FAN - 1;
    // Everybody also waits to see what he publishes himself. It is there then before all that this workgroup does later: store
    // its output, which may overwrite its input, and arrive, after which the last one clears the words.
    WordPoll nothing = poll_begin(lookback, 0, 0, 0);
    WordPoll tiles = poll_begin(lookback, 0, tile - tiles_before, tiles_before + 1);
    WordPoll groups = poll_begin(lookback, 1, group - groups_before, groups_before + uint(closes));
    WordPoll supers = nothing;
    if (closes) {
        poll_both(tiles, nothing);
        ELEMENT total = workgroup_reduce(tiles.word);
        if (invocation() == 0 && !lookback_late) word_publish(word_address(lookback, 1, group), total);
    }
    poll_both(tiles, groups);
    if (super > 0 || closes_super) {
        ELEMENT total = workgroup_reduce(groups.word);
        if (closes_super && invocation() == 0 && !lookback_late) {
            word_publish(word_address(lookback, 2, super), total);
        }
        supers = poll_begin(lookback, 2, 0, super + uint(closes_super));
        poll_both(supers, nothing);
    }
    ELEMENT4 words = ELEMENT4(element_identity());
    if (invocation() < tiles_before) words.xy = ELEMENT2(tiles.word);
    if (invocation() == tiles_before) words.y = aggregate.first_half;
    if (invocation() < groups_before) words.z = groups.word;
    if (invocation() < super) words.w = supers.word;
    words = workgroup_reduce(words);
    prefix.tile = operate(words.w, operate(words.z, words.x));
    prefix.second_half = operate(words.w, operate(words.z, words.y));
    return !lookback_late; // the same for all since the barriers of the fold
}

// To be defined by the shader that includes this: a tile's aggregate, computed from its input by the whole workgroup.
Aggregate tile_aggregate(uint tile);

uint fan_of(uint level) { return level == 0 ? LOOKBACK_GROUP : LOOKBACK_FAN; }

// Brings about every word that `tile` needs, waiting for nobody.
void lookback_help(Lookback lookback, uint tile) {
    barrier();
    if (invocation() == 0) lookback_late = false;
    const uint NONE = ~0u;
    [[dont_unroll]] for (uint level = 0, index = tile; index > 0;) {
        // What is missing at this level; if anything, from there down to what is missing in the first group that is.
        uint below = level, members = index % fan_of(level), first = index - members, missing;
        ELEMENT word;
        for (;; --below) {
            word = element_identity();
            bool there = invocation() >= members || word_poll(word_address(lookback, below, first + invocation()), word);
            missing = workgroup_min(there ? NONE : invocation());
            if (missing == NONE || below == 0) break;
            members = fan_of(below - 1);
            first = (first + missing) * members;
        }
        if (missing == NONE && below == level) {
            index /= fan_of(level);
            ++level;
        } else if (missing == NONE) {
            word = workgroup_reduce(word);
            if (invocation() == 0) word_publish(word_address(lookback, below + 1, first / fan_of(below)), word);
        } else {
            word = tile_aggregate(first + missing).tile;
            // What was read is the tile's input if its word is still missing now.
            memoryBarrier(DEVICE_ACQUIRE_RELEASE);
            ELEMENT published;
            uvec2 address = word_address(lookback, 0, first + missing);
            if (invocation() == 0 && !word_poll(address, published)) word_publish(address, word);
        }
    }
}

// To be called by every workgroup once it has its prefix, before it stores any output; the result is for lookback_leave().
// Invocation 0 only waits for it there, so that the stores fly meanwhile.
uint lookback_arrive(Lookback lookback) {
    uint arrived = 0;
    // Relaxed: what must be over before it is over because its values were waited for. A release would cost 4 % on an H200.
    if (lookback.tiles > 1 && invocation() == 0) {
        arrived = atomicAdd(Words(lookback.scratch).at[1], 1, DEVICE_RELAXED);
    }
    return arrived;
}

// The last workgroup to have arrived leaves scratch zero.
void lookback_leave(Lookback lookback, uint arrived) {
    if (lookback.tiles == 1) return;
    if (workgroup_broadcast(arrived) != lookback.tiles - 1) return;
    memoryBarrier(gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
    uint vectors = lookback_scratch_size(lookback.tiles, LOOKBACK_GROUP, LOOKBACK_FAN) / 16;
    for (uint first = 0; first < vectors; first += WORKGROUP_SIZE) {
        if (first + invocation() < vectors) Words4(lookback.scratch).at[first + invocation()] = uvec4(0);
    }
}

#endif
