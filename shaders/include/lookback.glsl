// Deterministic look-back: how a tile learns the operation over all tiles before it, within one dispatch.
//
// Only aggregates are published, never running prefixes (unlike Merrill and Garland, "Single-pass Parallel Prefix Scan with
// Decoupled Look-back", 2016). Written in base WORKGROUP_SIZE, the digits d0, d1, d2 of a tile's number say what it needs:
// the aggregates of the d0 tiles before it in its group, of the d1 groups before that, of the d2 groups of groups before
// that. Invocation i fetches number i of each, and one fold over the workgroup gives the prefix. The shape depends on the
// tile's number alone, so float results do too, and nobody waits for more than two hand-overs.
//
// Nobody waits without end either: after PATIENCE polls a workgroup computes what is missing itself, to the same bits, and
// publishes it (Smith, Levien, Owens, "Decoupled Fallback", SPAA 2025). A tile's input is whole until its aggregate is
// published, because its output is stored after that: so this is right for scans in place, too.
//
// An aggregate and the flag that it is there share one 64-bit word, so that no other memory needs ordering. Devices without
// 64-bit atomics use two words of 32 bits, each with a flag and half of the value.
#ifndef LOOKBACK_GLSL
#define LOOKBACK_GLSL
#extension GL_KHR_shader_subgroup_vote : require
#include "lookback.h"
#include "workgroup.glsl"

#define DEVICE_RELAXED gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed
#define DEVICE_ACQUIRE_RELEASE gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease

const uint FAN = WORKGROUP_SIZE;

struct Lookback {
    uvec2 scratch;
    uint tiles; // of this operation
};

// To be defined by the shader that includes this: a tile's aggregate, computed from its input by the whole workgroup.
ELEMENT tile_aggregate(uint tile);

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
    uint words_below = lookback_words_below(level, lookback.tiles, FAN);
    return address_add(lookback.scratch, LOOKBACK_WORDS + 8 * (words_below + index));
}

// Word `first` + invocation() of a level for the first `wanted` invocations, the identity for the others. Gives up after
// PATIENCE polls and sets lookback_late. The whole subgroup leaves the loop together: two CPU drivers hand the last round's
// values to lanes that left earlier.
ELEMENT words_wait(Lookback lookback, uint level, uint first, uint wanted) {
    uvec2 address = word_address(lookback, level, first + invocation());
    ELEMENT value = element_identity();
    bool there = invocation() >= wanted;
    for (uint polls = 0; polls < PATIENCE && !subgroupAll(there); ++polls) {
        if (!there) there = word_poll(address, value);
    }
    if (!there) lookback_late = true;
    return value;
}

// Brings the word `index` of `level` about, or one that it depends on.
void lookback_help(Lookback lookback, uint level, uint index) {
    for (; level > 0; --level) {
        ELEMENT part;
        bool there = word_poll(word_address(lookback, level - 1, index * FAN + invocation()), part);
        uint missing = workgroup_min(there ? FAN : invocation());
        if (missing == FAN) {
            part = workgroup_reduce(part);
            if (invocation() == 0) word_publish(word_address(lookback, level, index), part);
            return;
        }
        index = index * FAN + missing;
    }
    ELEMENT aggregate = tile_aggregate(index);
    // What was just read is the tile's input if its word is still missing now.
    memoryBarrier(DEVICE_ACQUIRE_RELEASE);
    ELEMENT published;
    if (invocation() == 0 && !word_poll(word_address(lookback, 0, index), published)) {
        word_publish(word_address(lookback, 0, index), aggregate);
    }
}

// words_wait() without patience: until the words are there, brings about what is missing.
ELEMENT words_help(Lookback lookback, uint level, uint first, uint wanted) {
    for (;;) {
        ELEMENT value = element_identity();
        bool there = invocation() >= wanted || word_poll(word_address(lookback, level, first + invocation()), value);
        uint missing = workgroup_min(there ? FAN : invocation());
        if (missing == FAN) return value;
        lookback_help(lookback, level, first + missing);
    }
}

// The number of the tile that this workgroup is to do. Tiles start in this order, so that whoever waits, waits for a
// workgroup that is already running. Exactly `tiles` workgroups must call.
uint lookback_ticket(Lookback lookback) {
    if (invocation() == 0) lookback_late = false;
    if (lookback.tiles == 1) return 0;
    uint ticket = 0;
    if (invocation() == 0) ticket = atomicAdd(Words(lookback.scratch).at[0], 1, DEVICE_RELAXED);
    return workgroup_broadcast(ticket);
}

// Fetches what `tile` needs, and closes groups: the last tile of a group publishes the group's aggregate one level up.
// WORDS is words_wait or words_help.
#define DEFINE_LOOKBACK_PREFIX(NAME, WORDS)                                                                  \
    ELEMENT NAME(Lookback lookback, uint tile, ELEMENT aggregate) {                                          \
        ELEMENT words[LOOKBACK_LEVELS];                                                                      \
        bool closes = tile + 1 < lookback.tiles;                                                             \
        uint index = tile;                                                                                   \
        for (uint level = 0; level < LOOKBACK_LEVELS; ++level) {                                             \
            uint digit = index % FAN;                                                                        \
            words[level] = WORDS(lookback, level, index - digit, digit);                                     \
            closes = closes && digit == FAN - 1;                                                             \
            index /= FAN;                                                                                    \
            if (closes && level + 1 < LOOKBACK_LEVELS) {                                                     \
                aggregate = workgroup_reduce(invocation() == digit ? aggregate : words[level]);              \
                if (invocation() == 0 && !lookback_late) {                                                   \
                    word_publish(word_address(lookback, level + 1, index), aggregate);                       \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
        return workgroup_reduce(operate(operate(words[2], words[1]), words[0]));                             \
    }

DEFINE_LOOKBACK_PREFIX(lookback_prefix_waiting, words_wait)
DEFINE_LOOKBACK_PREFIX(lookback_prefix_helping, words_help)

// Publishes the tile's aggregate (all invocations pass the same) and returns the operation over the aggregates before it.
// `helped` tells that other tiles were computed in between: keep nothing in registers over that.
ELEMENT lookback_prefix(Lookback lookback, uint tile, ELEMENT aggregate, out bool helped) {
    helped = false;
    if (lookback.tiles == 1) return element_identity();
    if (invocation() == 0) word_publish(word_address(lookback, 0, tile), aggregate);
    ELEMENT prefix = lookback_prefix_waiting(lookback, tile, aggregate);
    helped = lookback_late; // the barriers of the fold have made it the same for all
    if (!helped) return prefix;
    barrier();
    if (invocation() == 0) lookback_late = false;
    barrier();
    return lookback_prefix_helping(lookback, tile, aggregate);
}

// To be called by every workgroup, after lookback_prefix() and before it stores any output; the result is for
// lookback_leave(). Invocation 0 only waits for it there, so that the stores fly meanwhile.
uint lookback_arrive(Lookback lookback) {
    uint arrived = 0;
    // Release: its polls are over, and nobody sees this workgroup's output before its aggregate.
    if (lookback.tiles > 1 && invocation() == 0) {
        arrived = atomicAdd(Words(lookback.scratch).at[1], 1, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer,
                            gl_SemanticsRelease);
    }
    return arrived;
}

// The last workgroup to have arrived leaves scratch zero.
void lookback_leave(Lookback lookback, uint arrived) {
    if (lookback.tiles == 1) return;
    if (workgroup_broadcast(arrived) != lookback.tiles - 1) return;
    memoryBarrier(gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
    uint vectors = lookback_scratch_size(lookback.tiles, FAN) / 16;
    for (uint first = 0; first < vectors; first += WORKGROUP_SIZE) {
        if (first + invocation() < vectors) Words4(lookback.scratch).at[first + invocation()] = uvec4(0);
    }
}

#endif
