// A tile of keys, which a workgroup sorts stably by one digit. A team of up to 32 invocations has consecutive keys, in rows. In each row, an
// invocation finds its peers, whose keys have the same digit: by a vote on each bit (Merrill, Garland, "High performance and scalable radix
// sorting", 2011; Ashkiani et al., "GPU multisplit", 2016), or, without subgroups, by atomics on a word for each digit. Row by row, the last of
// the peers adds their number to the team's counter of that digit.
#ifndef SORT_TILE_GLSL
#define SORT_TILE_GLSL
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#ifdef SORT_TAGS // a word goes with each key in place of a value, and who includes this has defined a `push` of its own, with flags
#include "keys.glsl"
#else
#include "pass.glsl"
#endif

layout(constant_id = OWN_ID + 3) const uint TILE = 2048;            // keys
layout(constant_id = OWN_ID + 4) const uint VALUE_WORDS = 0; // of the value that goes with a key: 0, 1, 2 or 4

const uint ITEMS = TILE / WORKGROUP_SIZE; // keys of an invocation
const uint RANKS = (ITEMS + 1) / 2;              // words for as many numbers of 16 bits
const uint TEAM = USES_SUBGROUPS && SUBGROUP_SIZE < 32 ? SUBGROUP_SIZE : 32;
const uint TEAMS = WORKGROUP_SIZE / TEAM;
const uint TEAM_MASK = ~0u >> (32 - TEAM);
const uint DIGITS_EACH = WORKGROUP_SIZE < SORT_DIGITS ? SORT_DIGITS / WORKGROUP_SIZE : 1;
const uint COUNTERS = TEAMS * SORT_DIGITS;
const uint MEMORY_FOR_RANKS = USES_SUBGROUPS ? COUNTERS : 2 * COUNTERS; // without subgroups, peers lie after the counters
#ifdef SORT_TAGS
const uint STAGED_WORDS = KEY_WORDS;
#else
const uint STAGED_WORDS = KEY_WORDS > VALUE_WORDS ? KEY_WORDS : VALUE_WORDS;
#endif
const uint MEMORY = MEMORY_FOR_RANKS > STAGED_WORDS * TILE ? MEMORY_FOR_RANKS : STAGED_WORDS * TILE;

shared uint memory[MEMORY]; // counters, and then keys and values in their order, word by word
shared uvec2 scanned[USES_SUBGROUPS ? TEAMS : WORKGROUP_SIZE];

uint sort_invocation() {
    if (USES_SUBGROUPS) return gl_SubgroupID * SUBGROUP_SIZE + gl_SubgroupInvocationID;
    return gl_LocalInvocationIndex;
}

void team_barrier() {
    if (USES_SUBGROUPS) {
        subgroupBarrier();
    } else {
        barrier();
    }
}

// Of a vote of the subgroup, those of the team.
uint team_vote(bool vote) {
    uvec4 votes = subgroupBallot(vote);
    if (SUBGROUP_SIZE <= 32) return votes.x;
    if (SUBGROUP_SIZE == 64) return mix(votes.x, votes.y, gl_SubgroupInvocationID >= 32);
    return votes[gl_SubgroupInvocationID / 32];
}

uint invocation, team, member; // of this invocation

void number_invocations() {
    invocation = sort_invocation();
    team = invocation / TEAM;
    member = invocation % TEAM;
}

// The index in the tile of one of this invocation's keys: items 0 to ITEMS - 1.
uint index_of(uint item) { return team * (TEAM * ITEMS) + item * TEAM + member; }

// The ranks of this invocation's keys in the tile: 16 bits each, two in a word.
uint rank_of(uint ranks[RANKS], uint item) { return ranks[item / 2] >> item % 2 * 16 & 0xffff; }
void set_rank(inout uint ranks[RANKS], uint item, uint rank) {
    ranks[item / 2] = bitfieldInsert(ranks[item / 2], rank, int(item % 2 * 16), 16);
}

// The sums over the invocations before this one. There must be a barrier before the next call.
uvec2 exclusive_sum(uvec2 value) {
    uvec2 sum = value;
    if (!USES_SUBGROUPS) {
        for (uint step = 1; step < WORKGROUP_SIZE; step *= 2) {
            scanned[invocation] = sum;
            barrier();
            if (invocation >= step) sum += scanned[invocation - step];
            barrier();
        }
        return sum - value;
    }
    [[unroll]] for (uint step = 1; step < TEAM; step *= 2) {
        uvec2 before = subgroupShuffle(sum, gl_SubgroupInvocationID - step);
        sum += member >= step ? before : uvec2(0);
    }
    if (member == TEAM - 1) scanned[team] = sum;
    barrier();
    for (uint t = 0; t < TEAMS; ++t) sum += t < team ? scanned[t] : uvec2(0);
    return sum - value;
}

// Which invocations of the team have a key with the same digit, a bit each, this one among them.
uint peers_of(uint digit) {
    uint peers = TEAM_MASK;
    if (!USES_SUBGROUPS) {
        const uint word = COUNTERS + team * SORT_DIGITS + digit;
        atomicOr(memory[word], 1u << member);
        team_barrier();
        peers = memory[word];
        team_barrier();
        memory[word] = 0;
        team_barrier();
        return peers;
    }
    if (TEAM == 32) {
        // Each invocation finds out for one value of the lower five bits which keys have it, and for one of the upper three; then all ask
        // those that have found out about theirs.
        uint upper = ~0u;
        [[unroll]] for (uint bit = 0; bit < 5; ++bit) peers &= team_vote((digit & 1u << bit) != 0) ^ (member >> bit & 1) - 1;
        [[unroll]] for (uint bit = 5; bit < SORT_DIGIT_BITS; ++bit) upper &= team_vote((digit & 1u << bit) != 0) ^ (member >> bit - 5 & 1) - 1;
        const uint first_lane = SUBGROUP_SIZE == 32 ? 0 : gl_SubgroupInvocationID - member;
        return subgroupShuffle(peers, first_lane + digit % 32) & subgroupShuffle(upper, first_lane + digit / 32);
    }
    [[unroll]] for (uint bit = 0; bit < SORT_DIGIT_BITS; ++bit) {
        bool is_set = (digit & 1u << bit) != 0;
        uint votes = team_vote(is_set);
        peers &= mix(~votes, votes, is_set);
    }
    return peers;
}

// One more row: which place the key has among the team's with the same digit, as far as they are counted. `before`: peers before this
// invocation; `is_last` of them.
uint count_row(uint digit, uint before, bool is_last) {
    const uint counter = team * SORT_DIGITS + digit;
    uint place = memory[counter] + before;
    team_barrier();
    if (is_last) memory[counter] = place + 1;
    team_barrier();
    return place;
}

// The places of the keys in their order by the digit. `digits`: those of this invocation, from invocation * DIGITS_EACH on: how many keys
// there are before each in the tile, and of what `all` has, before the invocation's first.
void rank_keys(Key keys[ITEMS], uint all, out uint ranks[RANKS], out uint befores[DIGITS_EACH], out uint all_before) {
    [[unroll]] for (uint first = 0; first < MEMORY_FOR_RANKS; first += WORKGROUP_SIZE) memory[first + invocation] = 0;
    barrier();
    [[unroll]] for (uint i = 0; i < RANKS; ++i) ranks[i] = 0;
    [[unroll]] for (uint item = 0; item < ITEMS; ++item) {
        uint peers = peers_of(digit_of(keys[item]));
        set_rank(ranks, item, bitCount(peers & (1u << member) - 1) | (peers >> member == 1 ? 0x100 : 0));
    }
    [[unroll]] for (uint item = 0; item < ITEMS; ++item) {
        uint peers = rank_of(ranks, item);
        set_rank(ranks, item, count_row(digit_of(keys[item]), peers & 0xff, peers >= 0x100));
    }
    barrier();
    uint sum = 0;
    const uint first_digit = invocation * DIGITS_EACH;
    [[unroll]] for (uint d = 0; d < DIGITS_EACH; ++d) {
        if (first_digit + d < SORT_DIGITS) {
            for (uint t = 0; t < TEAMS; ++t) sum += memory[t * SORT_DIGITS + first_digit + d];
        }
    }
    uvec2 sums = exclusive_sum(uvec2(sum, all));
    all_before = sums.y;
    sum = sums.x;
    [[unroll]] for (uint d = 0; d < DIGITS_EACH; ++d) {
        befores[d] = sum;
        if (first_digit + d < SORT_DIGITS) {
            for (uint t = 0; t < TEAMS; ++t) {
                uint count = memory[t * SORT_DIGITS + first_digit + d];
                memory[t * SORT_DIGITS + first_digit + d] = sum;
                sum += count;
            }
        }
    }
    barrier();
    [[unroll]] for (uint item = 0; item < ITEMS; ++item) {
        set_rank(ranks, item, rank_of(ranks, item) + memory[team * SORT_DIGITS + digit_of(keys[item])]);
    }
    barrier();
}

void stage_key(uint place, Key key) {
#ifdef LONG_KEYS
    memory[place] = key.x;
    memory[TILE + place] = key.y;
#else
    memory[place] = key;
#endif
}

Key staged_key(uint place) {
#ifdef LONG_KEYS
    return Key(memory[place], memory[TILE + place]);
#else
    return memory[place];
#endif
}

// The VALUE_WORDS words of a value.
void stage_value(uint place, uvec4 value) {
    [[unroll]] for (uint w = 0; w < VALUE_WORDS; ++w) memory[w * TILE + place] = value[w];
}

uvec4 staged_value(uint place) {
    uvec4 value = uvec4(0);
    [[unroll]] for (uint w = 0; w < VALUE_WORDS; ++w) value[w] = memory[w * TILE + place];
    return value;
}

// Puts what each of this invocation's keys has in the order of their ranks.
#define REORDER(all, stage, staged)                                                                 \
    [[unroll]] for (uint item = 0; item < ITEMS; ++item) stage(rank_of(ranks, item), all[item]);    \
    barrier();                                                                                      \
    [[unroll]] for (uint item = 0; item < ITEMS; ++item) all[item] = staged(index_of(item));        \
    barrier();

// Of the `count` keys from `address` on.
void load_keys(uvec2 address, uint count, out Key keys[ITEMS]) {
    if (count == TILE) {
        [[unroll]] for (uint item = 0; item < ITEMS; ++item) keys[item] = load_key(address, index_of(item));
    } else {
        [[unroll]] for (uint item = 0; item < ITEMS; ++item) {
            keys[item] = LAST_KEY;
            if (index_of(item) < count) keys[item] = load_key(address, index_of(item));
        }
    }
    if ((push.flags & SORT_ENCODES) != 0) {
        [[unroll]] for (uint item = 0; item < ITEMS; ++item) {
            // Keys after the end stay last.
            keys[item] = index_of(item) < count ? encode(keys[item]) : LAST_KEY;
        }
    }
}

// The value at `index`, of a tile whose first is at `source`.
uvec4 value_at(uvec2 source, uint index) {
    if (VALUE_WORDS == 1) return uvec4(Words(source).at[index], 0, 0, 0);
    if (VALUE_WORDS == 2) return uvec4(Words2(source).at[index], 0, 0);
    return Words4(source).at[index];
}

// Loads the `count` values from `source` on; or generates indices, beginning with `first`.
void load_values(uvec2 source, uint first, uint count, out uvec4 values[ITEMS]) {
    [[unroll]] for (uint item = 0; item < ITEMS; ++item) {
        values[item] = uvec4(0);
        if ((push.flags & SORT_INDICES) != 0) {
            values[item].x = first + index_of(item);
        } else if (index_of(item) < count) {
            values[item] = value_at(source, index_of(item));
        }
    }
}

void store_value(uvec2 target, int index, uvec4 value) {
    if (VALUE_WORDS == 1) Words(target).at[index] = value.x;
    if (VALUE_WORDS == 2) Words2(target).at[index] = value.xy;
    if (VALUE_WORDS == 4) Words4(target).at[index] = value;
}

#endif
