// Deterministic look-back: how a tile gets the operation over all tiles before it, within one dispatch.
//
// Only aggregates are published, never running prefixes (unlike Merrill and Garland, "Single-pass Parallel Prefix Scan with
// Decoupled Look-back", 2016). VKPRIM_LOOKBACK_GROUP tiles form a group, VKPRIM_LOOKBACK_FAN groups a supergroup. A tile needs the aggregates of
// the tiles before it in its group, of the groups before its group in the supergroup, and of the supergroups before its supergroup. Invocation i
// fetches number i of each, and one fold over the workgroup gives the prefix. So an aggregate passes through at most three words. The order
// of operations depends on the tile's number alone, and so do the bits of float results.
//
// With VKPRIM_LOOKBACK_HALVES, results are those of tiles of twice the size: two tiles form a pair, and invocation i fetches both
// words of pair i. The prefix of a pair's second tile is the prefix of the pair, combined with the aggregate of its first tile. With
// VKPRIM_LOOKBACK_ONE_GROUP there are never more tiles than one group has, and no other levels.
//
// Waiting is bounded: after VKPRIM_MAX_POLLS polls a workgroup computes what is missing itself, to the same bits, and publishes it
// (decoupled fallback: Smith, Levien, Owens, "Decoupled Fallback", SPAA 2025). It does so by running the shader's code once more, for
// another tile and without storing anything, which costs the usual case neither registers nor code. A tile's input is unmodified
// until its aggregate is published, because its output is stored after that. So this is right for scans in place, too.
//
// Without waiting, the same is done in several dispatches, one for each VKPRIM_LOOKBACK_STAGE: all tiles' aggregates; those of complete
// groups, and of complete supergroups, by vkprim_lookback_close(); the outputs, for which every word is there (reduce-then-scan).
//
// Every round of help leaves one word less missing. Yet if scratch was never zero-filled, or offsets descend, words may vanish, or have no
// workgroup that would publish them. So the rounds are bounded, and there are none where every word is there: then a workgroup goes on with what
// it has. What it stores is undefined, but lies where its output does.
//
// Before including this file, a shader defines VKPRIM_LOOKBACK_HALVES, VKPRIM_LOOKBACK_ONE_GROUP and VKPRIM_LOOKBACK_STAGE; and
// VKPRIM_LOOKBACK_GROUP and VKPRIM_LOOKBACK_FAN, powers of two up to VKPRIM_WORKGROUP_SIZE. tile_loop.glsl has the one loop that calls
// these functions.
//
// With VKPRIM_LOOKBACK_CHAINS, an operation has many chains of tiles, and each chain looks back along itself. Then `tiles` of a
// vkprim_Lookback is the number of tiles of a chain. For vkprim_lookback_begin(), vkprim_lookback_tile() and vkprim_lookback_arrived(), it
// is the number of the operation's workgroups; each workgroup calls these three and vkprim_clear_left() once. VKPRIM_LOOKBACK_CHAIN is the
// chain's first word in scratch, and VKPRIM_LOOKBACK_LEFT how many words the operation leaves there.
#ifndef VKPRIM_LOOKBACK_GLSL
#define VKPRIM_LOOKBACK_GLSL
#include "lookback_layout.h"
#include "scratch.h"
#include "words.glsl"
#include "workgroup.glsl"

#define VKPRIM_DEVICE_ACQUIRE_RELEASE gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease

#include "lookback_scratch.glsl"

// From shared memory each time, which takes less than the registers of a stripe's address.
uvec2 vkprim_word_address(vkprim_Lookback lookback, uint level, uint index) {
    uint words_below = vkprim_lookback_words_below(level, lookback.tiles, VKPRIM_LOOKBACK_GROUP, VKPRIM_LOOKBACK_FAN);
    return vkprim_address_add(vkprim_stripe_address(lookback, vkprim_lookback_turn.x), vkprim_scratch_offset(0, VKPRIM_SLOTS_OF(VKPRIM_LOOKBACK_WORD(words_below + index))));
}

// Word `first` + `number` of a level if `number` is below `wanted`, else the identity.
vkprim_WordPoll vkprim_poll_begin(vkprim_Lookback lookback, uint level, uint first, uint number, uint wanted) {
    return vkprim_WordPoll(vkprim_word_address(lookback, level, first + number), number >= wanted, vkprim_element_identity());
}

// Polls until both are there. Gives up after `max_polls` polls and sets vkprim_lookback_late. The whole subgroup leaves the loop
// together: two CPU drivers hand the last round's values to lanes that left earlier.
void vkprim_poll_both(inout vkprim_WordPoll a, inout vkprim_WordPoll b, uint max_polls) {
    for (uint polls = 0; polls < max_polls && !vkprim_subgroup_all(a.there && b.there); ++polls) {
        vkprim_poll_once(a);
        vkprim_poll_once(b);
    }
    if (!(a.there && b.there)) atomicOr(vkprim_lookback_late, 1);
}

// Publishes a tile's aggregate: this workgroup's own once, in its first pass; another's only if that is missing still.
void vkprim_lookback_publish(vkprim_Lookback lookback, uint tile, bool is_first_pass, VKPRIM_ELEMENT aggregate) {
    if (lookback.tiles == 1) return;
    uvec2 address = vkprim_word_address(lookback, 0, tile);
    bool missing = VKPRIM_LOOKBACK_STAGE != VKPRIM_STAGE_OUTPUTS && !vkprim_has_fault(VKPRIM_FAULT_WITHHOLD, tile, lookback.tiles);
    bool late = vkprim_has_fault(VKPRIM_FAULT_LATE, tile, lookback.tiles) || vkprim_has_fault(VKPRIM_FAULT_DAWDLE, tile, lookback.tiles);
    if (is_first_pass && late) vkprim_dawdle(lookback.scratch);
    if (!is_first_pass) {
        // What was read is the tile's input if its word is missing now: the word comes before the tile's output.
        memoryBarrier(VKPRIM_DEVICE_ACQUIRE_RELEASE);
        VKPRIM_ELEMENT published;
        missing = !vkprim_word_poll(address, published);
    }
    if (vkprim_invocation() == 0 && missing) vkprim_word_publish(address, aggregate);
#ifndef VKPRIM_LOOKBACK_CHAINS
    if (is_first_pass && VKPRIM_LOOKBACK_STAGE != VKPRIM_STAGE_TILES) vkprim_clear_left(lookback, tile);
#endif
}

uint vkprim_fan_of(uint level) { return level == 0 ? VKPRIM_LOOKBACK_GROUP : VKPRIM_LOOKBACK_FAN; }

// The number of groups (level 1) or supergroups (level 2) whose word is needed: those with tiles after them.
uint vkprim_lookback_closed(uint tiles, uint level) { return (tiles - 1) / (level == 1 ? VKPRIM_LOOKBACK_GROUP : VKPRIM_LOOKBACK_GROUP * VKPRIM_LOOKBACK_FAN); }

// Publishes the word of one of these, in a dispatch of its own.
void vkprim_lookback_close(inout vkprim_Lookback lookback, uint level, uint index) {
#ifndef VKPRIM_LOOKBACK_CHAINS
    vkprim_lookback_arrived(lookback, 0, true);
    barrier();
#endif
    uint fan = level == 1 ? VKPRIM_LOOKBACK_GROUP : VKPRIM_LOOKBACK_FAN;
    VKPRIM_ELEMENT word = vkprim_element_identity();
    if (vkprim_invocation() < fan) vkprim_word_poll(vkprim_word_address(lookback, level - 1, index * fan + vkprim_invocation()), word);
#if VKPRIM_REGISTER_WORDS > 2
    if (vkprim_invocation() == fan - 1) { // as below
        vkprim_lookback_sibling = word;
        word = vkprim_element_identity();
    }
    word = vkprim_workgroup_reduce(word);
    word = vkprim_operate(word, vkprim_lookback_sibling);
#else
    word = vkprim_workgroup_reduce(word);
#endif
    if (vkprim_invocation() == 0) vkprim_word_publish(vkprim_word_address(lookback, level, index), word);
}

#if VKPRIM_REGISTER_WORDS > 2
// The prefix of a tile. For wide elements, one level is folded after the other, since there are few registers. Invocation i fetches number i of
// each. The last tile of a group publishes the group's aggregate one level up, the fold of all before its own, and its own; and so on.
VKPRIM_ELEMENT vkprim_prefix_of_tile(vkprim_Lookback lookback, uint tile, uint max_polls) {
    const uint LEVELS = VKPRIM_LOOKBACK_ONE_GROUP ? 1 : VKPRIM_LOOKBACK_LEVELS;
    VKPRIM_ELEMENT before = vkprim_element_identity();
    bool closes = true; // the level below: then this one has a word of this workgroup's own, which it waits to see
    [[dont_unroll]] for (uint level = 0, index = tile; level < LEVELS && (closes || index > 0); ++level) {
        uint fan = vkprim_fan_of(level), members = VKPRIM_LOOKBACK_ONE_GROUP ? index : index % fan;
        vkprim_WordPoll poll = vkprim_poll_begin(lookback, level, index - members, vkprim_invocation(), members + uint(closes));
        for (uint polls = 0; polls < max_polls && !vkprim_subgroup_all(poll.there); ++polls) vkprim_poll_once(poll);
        if (!poll.there) atomicOr(vkprim_lookback_late, 1);
        if (vkprim_invocation() == members) vkprim_lookback_sibling = poll.word;
        VKPRIM_ELEMENT fold = vkprim_workgroup_reduce(vkprim_invocation() < members ? poll.word : vkprim_element_identity());
        before = vkprim_operate(fold, before);
        closes = closes && VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_ALL && members == fan - 1 && tile + 1 < lookback.tiles && level + 1 < LEVELS;
        index /= fan;
        if (closes && vkprim_invocation() == 0 && vkprim_lookback_late == 0) {
            vkprim_word_publish(vkprim_word_address(lookback, level + 1, index), vkprim_operate(fold, vkprim_lookback_sibling));
        }
        barrier();
    }
    return before;
}
#else
// The words that an invocation has found for the prefix of a tile: one of each level. If the operation commutes, it combines them, and one
// fold over the workgroup does; else each level takes one, in a loop, so that compilers have the fold but once. As functions with inout
// parameters, the first half of these took NVIDIA's compiler 80 registers instead of 64 (bench/NOTES.md).
#ifndef VKPRIM_KEEPS_ORDER
#define vkprim_LevelWords VKPRIM_ELEMENT
#define VKPRIM_LEVEL_WORDS(tile) tile
#define VKPRIM_ADD_LEVEL(words, level, word) words = vkprim_operate(word, words)
#define VKPRIM_FOLD_LEVELS(words) vkprim_workgroup_reduce(words)
#else
struct vkprim_LevelWords { VKPRIM_ELEMENT tiles, groups, supergroups; };
#define VKPRIM_LEVEL_WORDS(tile) vkprim_LevelWords(tile, vkprim_element_identity(), vkprim_element_identity())
#define VKPRIM_ADD_LEVEL(words, level, word) words.level = word
#define VKPRIM_FOLD_LEVELS(words) vkprim_fold_levels(words)
VKPRIM_ELEMENT vkprim_fold_levels(vkprim_LevelWords words) {
    const uint LEVELS = VKPRIM_LOOKBACK_ONE_GROUP ? 1 : VKPRIM_LOOKBACK_LEVELS;
    VKPRIM_ELEMENT before = vkprim_element_identity();
    [[dont_unroll]] for (uint level = 0; level < LEVELS; ++level) {
        before = vkprim_operate(vkprim_workgroup_reduce(words.tiles), before);
        barrier();
        words.tiles = words.groups;
        words.groups = words.supergroups;
    }
    return before;
}
#endif

// The prefix of a tile. The last tile of a group publishes the group's aggregate one level up, and so on.
VKPRIM_ELEMENT vkprim_prefix_of_tile(vkprim_Lookback lookback, uint tile, uint max_polls) {
    const uint WORDS = VKPRIM_LOOKBACK_HALVES ? 2 : 1; // of tiles, that an invocation folds
    uint group = VKPRIM_LOOKBACK_ONE_GROUP ? 0 : tile / VKPRIM_LOOKBACK_GROUP, supergroup = group / VKPRIM_LOOKBACK_FAN, i = vkprim_invocation();
    uint tiles_before = tile - group * VKPRIM_LOOKBACK_GROUP, groups_before = group % VKPRIM_LOOKBACK_FAN, pairs_before = tiles_before / WORDS;
    bool closes = VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_ALL && !VKPRIM_LOOKBACK_ONE_GROUP && tiles_before == VKPRIM_LOOKBACK_GROUP - 1 &&
                  tile + 1 < lookback.tiles;
    bool closes_supergroup = closes && groups_before == VKPRIM_LOOKBACK_FAN - 1;
    vkprim_WordPoll nothing = vkprim_poll_begin(lookback, 0, 0, 0, 0);
    vkprim_WordPoll tiles = vkprim_poll_begin(lookback, 0, tile - tiles_before, WORDS * i, tiles_before + 1);
    vkprim_WordPoll groups = vkprim_poll_begin(lookback, 1, group - groups_before, i, groups_before + uint(closes));
    if (VKPRIM_LOOKBACK_HALVES) {
        vkprim_WordPoll seconds = vkprim_poll_begin(lookback, 0, tile - tiles_before, WORDS * i + 1, tiles_before + 1);
        vkprim_poll_both(tiles, seconds, max_polls);
        if (i == pairs_before) vkprim_lookback_sibling = tile % 2 == 0 ? vkprim_element_identity() : tiles.word;
        tiles.word = vkprim_operate(tiles.word, seconds.word);
    }
    if (closes) {
        vkprim_poll_both(tiles, nothing, max_polls);
        VKPRIM_ELEMENT total = vkprim_workgroup_reduce(tiles.word);
        if (i == 0 && vkprim_lookback_late == 0) vkprim_word_publish(vkprim_word_address(lookback, 1, group), total);
        barrier();
    }
    if (!VKPRIM_LOOKBACK_ONE_GROUP) vkprim_poll_both(tiles, groups, max_polls);
    vkprim_LevelWords words = VKPRIM_LEVEL_WORDS(i < pairs_before ? tiles.word : vkprim_element_identity());
    if (!VKPRIM_LOOKBACK_ONE_GROUP) VKPRIM_ADD_LEVEL(words, groups, i < groups_before ? groups.word : vkprim_element_identity());
    if (supergroup > 0 || closes_supergroup) {
        VKPRIM_ELEMENT total = vkprim_workgroup_reduce(groups.word);
        if (closes_supergroup && i == 0 && vkprim_lookback_late == 0) vkprim_word_publish(vkprim_word_address(lookback, 2, supergroup), total);
        barrier();
        vkprim_WordPoll supergroups = vkprim_poll_begin(lookback, 2, 0, i, supergroup + uint(closes_supergroup));
        vkprim_poll_both(supergroups, nothing, max_polls);
        VKPRIM_ADD_LEVEL(words, supergroups, i < supergroup ? supergroups.word : vkprim_element_identity());
    }
    VKPRIM_ELEMENT before = VKPRIM_FOLD_LEVELS(words);
    return VKPRIM_LOOKBACK_HALVES ? vkprim_operate(before, vkprim_lookback_sibling) : before;
}
#endif

// Whether a workgroup has helped in more rounds than there are words to publish.
bool vkprim_lookback_gives_up(vkprim_Lookback lookback) { return vkprim_lookback_rounds > 2 * lookback.tiles + 512; }

// Gets the prefix of the tile. False if that took more than VKPRIM_MAX_POLLS polls; in later passes, which know what is missing, more than
// one.
// Everybody also waits to see the words that he publishes himself, so they are there before his output, which may overwrite his
// input.
bool vkprim_lookback_prefix(vkprim_Lookback lookback, uint tile, bool is_first_pass, out VKPRIM_ELEMENT prefix) {
    prefix = vkprim_element_identity();
    if (lookback.tiles == 1) return true;
    const bool helps = VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_ALL;
    uint max_polls = helps && is_first_pass ? VKPRIM_MAX_POLLS : 1;
    prefix = vkprim_prefix_of_tile(lookback, tile, max_polls);
    // The same for all since the barriers of the fold.
    return !helps || vkprim_lookback_late == 0 || vkprim_lookback_gives_up(lookback);
}

// A tile to go through for the sake of `tile`: one whose word is missing; or one that closes a group whose word is missing; or
// `tile` itself, if nothing is, or if there have been too many rounds.
uint vkprim_lookback_missing(vkprim_Lookback lookback, uint tile) {
    const uint NONE = ~0u;
    const bool gives_up = vkprim_lookback_gives_up(lookback);
    barrier();
    if (vkprim_invocation() == 0) {
        vkprim_lookback_late = 0;
        ++vkprim_lookback_rounds;
    }
    if (gives_up) return tile;
    [[dont_unroll]] for (uint level = 0, index = tile; index > 0; index /= vkprim_fan_of(level), ++level) {
        // The first missing word at this level; if there is one, then that of the first missing group's tiles, and so on.
        uint below = level, members = index % vkprim_fan_of(level), first = index - members, missing;
        for (;; --below) {
            VKPRIM_ELEMENT word;
            bool there = vkprim_invocation() >= members || vkprim_word_poll(vkprim_word_address(lookback, below, first + vkprim_invocation()), word);
            missing = vkprim_workgroup_min(there ? NONE : vkprim_invocation());
            if (missing == NONE || below == 0) break;
            members = vkprim_fan_of(below - 1);
            first = (first + missing) * members;
        }
        if (missing != NONE) {
            if (VKPRIM_FAULT == VKPRIM_FAULT_DAWDLE) vkprim_dawdle(lookback.scratch);
            return first + missing;
        }
        if (below == level) continue;
        uint last = first + members;
        for (; below > 0; --below) last *= vkprim_fan_of(below - 1);
        return last - 1;
    }
    return tile;
}

// Reads one word of each sector of `count` words at an address, which brings them into the cache.
uint vkprim_touch(uvec2 address, uint count) {
    const uint SECTOR = 8; // words
    uint touched = 0;
    [[unroll]] for (uint first = 0; first < count; first += VKPRIM_WORKGROUP_SIZE * SECTOR) {
        uint word = first + vkprim_invocation() * SECTOR;
        if (count % (VKPRIM_WORKGROUP_SIZE * SECTOR) == 0 || word < count) touched |= vkprim_Words(address).at[word];
    }
    return touched;
}

#endif
