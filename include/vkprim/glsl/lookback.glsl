// Deterministic look-back: how a tile learns the operation over all tiles before it, within one dispatch.
//
// Only aggregates are published, never running prefixes (unlike Merrill and Garland, "Single-pass Parallel Prefix Scan with
// Decoupled Look-back", 2016). LOOKBACK_GROUP tiles form a group, LOOKBACK_FAN groups a super. A tile needs the aggregates of
// the tiles before it in its group, of the groups before that in the super, and of the supers before that. Invocation i
// fetches number i of each, and one fold over the workgroup gives the prefix. Nobody is more than three hand-overs away. The
// shape depends on the tile's number alone, so float results do too.
//
// With LOOKBACK_HALVES, which is for no more than one group of tiles, results are those of tiles of twice the size: two tiles
// form a pair, and invocation i fetches both words of pair i. What comes before the second half of a pair is what comes before
// the pair, and then the first half.
//
// Nobody waits without end either: after PATIENCE polls a workgroup computes what is missing itself, to the same bits, and
// publishes it (Smith, Levien, Owens, "Decoupled Fallback", SPAA 2025). It does so by going through the shader once more, for
// another tile and without storing anything, which costs the usual case neither registers nor code. A tile's input is whole
// until its aggregate is published, because its output is stored after that: so this is right for scans in place, too.
//
// Where nobody shall wait at all, the same is done in several dispatches, LOOKBACK_STAGE after stage: all tiles' aggregates; those
// of whole groups, and of supers, by lookback_close(); the outputs, in which every word is there (reduce-then-scan).
//
// The shader that includes this defines, ahead of that, LOOKBACK_HALVES and LOOKBACK_STAGE; and LOOKBACK_GROUP and LOOKBACK_FAN,
// powers of two up to WORKGROUP_SIZE. Its main(), for STAGE_ALL and STAGE_OUTPUTS, goes like this:
//
//     Lookback lookback = lookback_begin(scratch, tiles, workgroup);
//     const uint own = lookback_tile(lookback);
//     bool is_first_pass = true;
//     for (uint tile = own;; tile = lookback_missing(lookback, own)) {
//         ... the tile's aggregate, with a barrier behind lookback_arrived() ...
//         lookback_publish(lookback, tile, is_first_pass, aggregate);
//         if (lookback_prefix(lookback, tile, is_first_pass, prefix) && tile == own) break;
//         is_first_pass = false;
//     }
//     ... the output ...
#ifndef LOOKBACK_GLSL
#define LOOKBACK_GLSL
#include "lookback.h"
#include "scratch.h"
#include "words.glsl"
#include "workgroup.glsl"

const uint STAGE_ALL = 0, STAGE_TILES = 1, STAGE_GROUPS = 2, STAGE_SUPERS = 3, STAGE_OUTPUTS = 4;

#define DEVICE_ACQUIRE_RELEASE gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease

struct Lookback {
    uvec2 scratch;
    uint tiles;     // of this operation
    uint workgroup; // the number of this one in the operation, which may take several dispatches
    uint arrived;   // header words as invocation 0 found them: arrivals so far, in this operation and all before
    uvec2 left;     // words left in lanes 0 and 1
};

shared bool lookback_late;        // somebody's patience has ended
shared ELEMENT lookback_sibling;  // the aggregate of the first half of this tile's pair, where this is the second
shared uvec2 lookback_turn;       // this operation's lane, and how many words the other one still holds

// Faults that a test may ask for, in FAULT_SHARE of the workgroups: one does not publish its tile's aggregate, until it must help
// because it waits itself; publishes it late, when others have lost their patience; starts late; or publishes late, while everybody
// who helps dawdles, too, between seeing that a word is missing and loading the tile's input.
const uint FAULT_WITHHOLD = 1, FAULT_LATE = 2, FAULT_STALL = 3, FAULT_DAWDLE = 4;

bool has_fault(uint fault, uint tile, uint tiles) {
    return FAULT == fault && tile != tiles / 2 && (tile * 0x9e3779b9u >> 16) < FAULT_SHARE;
}

// Takes longer than anybody's patience: all subgroups poll, which CPU drivers run one after the other.
void dawdle(uvec2 scratch) {
    for (uint i = 0; i < 4 * PATIENCE; ++i) {
        if (atomicLoad(Words(scratch).at[3], DEVICE_RELAXED) != 0) break; // of the header, always 0
    }
    barrier();
}

// To be called by every workgroup that has a tile, before all else.
Lookback lookback_begin(uvec2 scratch, uint tiles, uint workgroup) {
    Lookback lookback = Lookback(scratch, tiles, workgroup, 0, uvec2(0));
    if (has_fault(FAULT_STALL, workgroup, tiles)) dawdle(scratch);
    if (tiles == 1 || invocation() != 0) return lookback;
    lookback_late = false;
    Words header = Words(scratch);
    lookback.arrived = TICKETS ? atomicAdd(header.at[0], 1, DEVICE_RELAXED) : atomicLoad(header.at[0], DEVICE_RELAXED);
    lookback.left = uvec2(atomicLoad(header.at[1], DEVICE_RELAXED), atomicLoad(header.at[2], DEVICE_RELAXED));
    return lookback;
}

// The number of the tile that this workgroup is to do. With tickets, tiles start in their order on any driver, and whoever
// waits, waits for a workgroup that is already running. Where workgroups start in the order of their numbers, or nearly so,
// the ticket's round trip through memory is saved.
uint lookback_tile(Lookback lookback) {
    if (!TICKETS || lookback.tiles == 1) return lookback.workgroup;
    return workgroup_broadcast(lookback.arrived % SCRATCH_ARRIVALS);
}

uint words_of(uint tiles) { return LOOKBACK_HALVES ? tiles : lookback_words(tiles, LOOKBACK_GROUP, LOOKBACK_FAN); }

// What invocation 0 has found, for all. Only here is it waited for; its registers are free from then on.
void lookback_arrived(inout Lookback lookback, uint tile, bool is_first_pass) {
    uint turn = lookback.arrived / SCRATCH_ARRIVALS % 2, left = turn == 0 ? lookback.left.y : lookback.left.x;
    lookback.arrived = 0;
    lookback.left = uvec2(0);
    if (!is_first_pass || lookback.tiles == 1 || invocation() != 0) return;
    lookback_turn = uvec2(turn, left);
    if (LOOKBACK_STAGE != STAGE_ALL && LOOKBACK_STAGE != STAGE_OUTPUTS) return; // an operation arrives once
    uint arrivals = TICKETS ? 0 : 1; // without tickets there is no answer to wait for
    if (tile == lookback.tiles - 1) {
        arrivals += SCRATCH_ARRIVALS - lookback.tiles;
        atomicStore(Words(lookback.scratch).at[1 + turn], words_of(lookback.tiles), DEVICE_RELAXED);
    }
    if (arrivals > 0) atomicAdd(Words(lookback.scratch).at[0], arrivals, DEVICE_RELAXED);
}

// The beginning of a lane, were it scratch with that lane first.
uvec2 lane_address(Lookback lookback, uint lane) { return address_add(lookback.scratch, scratch_offset(lane, 0) - SCRATCH_HEADER); }

// Zeroes this workgroup's share of what the operation before has left.
void clear_left(Lookback lookback, uint tile) {
    uvec2 words = lane_address(lookback, 1 - lookback_turn.x);
    for (uint first = tile; first < lookback_turn.y; first += WORKGROUP_SIZE * lookback.tiles) {
        uint word = first + invocation() * lookback.tiles;
        if (word < lookback_turn.y) Words2(address_add(words, scratch_offset(0, word))).at[0] = uvec2(0);
    }
}

// From shared memory each time, which takes less than the registers of a lane's address.
uvec2 word_address(Lookback lookback, uint level, uint index) {
    uint words_below = lookback_words_below(level, lookback.tiles, LOOKBACK_GROUP, LOOKBACK_FAN);
    return address_add(lane_address(lookback, lookback_turn.x), scratch_offset(0, words_below + index));
}

// Word `first` + `number` of a level where `number` is below `wanted`, else the identity.
WordPoll poll_begin(Lookback lookback, uint level, uint first, uint number, uint wanted) {
    return WordPoll(word_address(lookback, level, first + number), number >= wanted, element_identity());
}

// Polls until both are there. Gives up after `patience` polls and sets lookback_late. The whole subgroup leaves the loop
// together: two CPU drivers hand the last round's values to lanes that left earlier.
void poll_both(inout WordPoll a, inout WordPoll b, uint patience) {
    for (uint polls = 0; polls < patience && !subgroup_all(a.there && b.there); ++polls) {
        poll_once(a);
        poll_once(b);
    }
    if (!(a.there && b.there)) lookback_late = true;
}

// Publishes a tile's aggregate: this workgroup's own once, in its first pass; another's only if that is missing still.
void lookback_publish(Lookback lookback, uint tile, bool is_first_pass, ELEMENT aggregate) {
    if (lookback.tiles == 1) return;
    uvec2 address = word_address(lookback, 0, tile);
    bool missing = LOOKBACK_STAGE != STAGE_OUTPUTS && !has_fault(FAULT_WITHHOLD, tile, lookback.tiles);
    bool late = has_fault(FAULT_LATE, tile, lookback.tiles) || has_fault(FAULT_DAWDLE, tile, lookback.tiles);
    if (is_first_pass && late) dawdle(lookback.scratch);
    if (!is_first_pass) {
        // What was read is the tile's input if its word is missing now: the word comes before the tile's output.
        memoryBarrier(DEVICE_ACQUIRE_RELEASE);
        ELEMENT published;
        missing = !word_poll(address, published);
    }
    if (invocation() == 0 && missing) word_publish(address, aggregate);
    if (is_first_pass && LOOKBACK_STAGE != STAGE_TILES) clear_left(lookback, tile);
}

// How many groups (level 1) or supers (level 2) there are whose word somebody needs: those that others come behind.
uint lookback_closed(uint tiles, uint level) { return (tiles - 1) / (level == 1 ? LOOKBACK_GROUP : LOOKBACK_GROUP * LOOKBACK_FAN); }

// Publishes the word of one of these, in a dispatch of its own.
void lookback_close(inout Lookback lookback, uint level, uint index) {
    lookback_arrived(lookback, 0, true);
    barrier();
    uint fan = level == 1 ? LOOKBACK_GROUP : LOOKBACK_FAN;
    ELEMENT word = element_identity();
    if (invocation() < fan) word_poll(word_address(lookback, level - 1, index * fan + invocation()), word);
    word = workgroup_reduce(word);
    if (invocation() == 0) word_publish(word_address(lookback, level, index), word);
}

// lookback_prefix() of LOOKBACK_HALVES.
ELEMENT prefix_of_half(Lookback lookback, uint tile, uint patience) {
    uint pairs_before = tile / 2, i = invocation();
    WordPoll firsts = poll_begin(lookback, 0, 0, 2 * i, tile + 1);
    WordPoll seconds = poll_begin(lookback, 0, 0, 2 * i + 1, tile + 1);
    poll_both(firsts, seconds, patience);
    if (i == pairs_before) lookback_sibling = tile % 2 == 0 ? element_identity() : firsts.word;
    ELEMENT pairs = workgroup_reduce(i < pairs_before ? operate(firsts.word, seconds.word) : element_identity());
    return operate(pairs, lookback_sibling);
}

// lookback_prefix() of others. The last tile of a group publishes the group's aggregate one level up, and so on.
ELEMENT prefix_of_tile(Lookback lookback, uint tile, uint patience) {
    uint group = tile / LOOKBACK_GROUP, super = group / LOOKBACK_FAN, i = invocation();
    uint tiles_before = tile % LOOKBACK_GROUP, groups_before = group % LOOKBACK_FAN;
    bool closes = LOOKBACK_STAGE == STAGE_ALL && tiles_before == LOOKBACK_GROUP - 1 && tile + 1 < lookback.tiles;
    bool closes_super = closes && groups_before == LOOKBACK_FAN - 1;
    WordPoll tiles = poll_begin(lookback, 0, tile - tiles_before, i, tiles_before + 1);
    WordPoll groups = poll_begin(lookback, 1, group - groups_before, i, groups_before + uint(closes));
    WordPoll nothing = poll_begin(lookback, 0, 0, 0, 0);
    if (closes) {
        poll_both(tiles, nothing, patience);
        ELEMENT total = workgroup_reduce(tiles.word);
        if (i == 0 && !lookback_late) word_publish(word_address(lookback, 1, group), total);
        barrier();
    }
    poll_both(tiles, groups, patience);
    ELEMENT words = operate(i < groups_before ? groups.word : element_identity(),
                            i < tiles_before ? tiles.word : element_identity());
    if (super > 0 || closes_super) {
        ELEMENT total = workgroup_reduce(groups.word);
        if (closes_super && i == 0 && !lookback_late) word_publish(word_address(lookback, 2, super), total);
        barrier();
        WordPoll supers = poll_begin(lookback, 2, 0, i, super + uint(closes_super));
        poll_both(supers, nothing, patience);
        words = operate(i < super ? supers.word : element_identity(), words);
    }
    return workgroup_reduce(words);
}

// Gets the operation over what comes before the tile. False where that took more than PATIENCE polls; in later passes, which
// know what is missing, more than one.
// Everybody also waits to see the words that he publishes himself, so they are there before his output, which may overwrite his
// input.
bool lookback_prefix(Lookback lookback, uint tile, bool is_first_pass, out ELEMENT prefix) {
    prefix = element_identity();
    if (lookback.tiles == 1) return true;
    uint patience = is_first_pass ? PATIENCE : 1;
    prefix = LOOKBACK_HALVES ? prefix_of_half(lookback, tile, patience) : prefix_of_tile(lookback, tile, patience);
    return !lookback_late; // the same for all since the barriers of the fold
}

uint fan_of(uint level) { return level == 0 ? LOOKBACK_GROUP : LOOKBACK_FAN; }

// A tile to go through for the sake of `tile`: one whose word is missing; or one that closes a group whose word is missing; or
// `tile` itself, if nothing is.
uint lookback_missing(Lookback lookback, uint tile) {
    const uint NONE = ~0u;
    barrier();
    if (invocation() == 0) lookback_late = false;
    [[dont_unroll]] for (uint level = 0, index = tile; index > 0; index /= fan_of(level), ++level) {
        // What is missing at this level; if anything, from there down to what is missing in the first group that is.
        uint below = level, members = index % fan_of(level), first = index - members, missing;
        for (;; --below) {
            ELEMENT word;
            bool there = invocation() >= members || word_poll(word_address(lookback, below, first + invocation()), word);
            missing = workgroup_min(there ? NONE : invocation());
            if (missing == NONE || below == 0) break;
            members = fan_of(below - 1);
            first = (first + missing) * members;
        }
        if (missing != NONE) {
            if (FAULT == FAULT_DAWDLE) dawdle(lookback.scratch);
            return first + missing;
        }
        if (below == level) continue;
        uint last = first + members;
        for (; below > 0; --below) last *= fan_of(below - 1);
        return last - 1;
    }
    return tile;
}

#endif
