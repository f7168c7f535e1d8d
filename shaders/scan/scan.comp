#version 460
// variants: u32 | i32 ELEMENT_INT | f32 ELEMENT_FLOAT | f32_ordered ELEMENT_INT ORDERED_FLOAT x word32 | word64 WORD64
//
// Scan in one dispatch. A workgroup scans one tile on its own, learns what comes before the tile by deterministic look-back
// (lookback.glsl), and adds that while storing.
//
// The order of operations: a block is a tree of pairs over eight runs; a run is four rows in sequence; a row is a tree of
// pairs over 32 vectors of four elements in sequence. In a tree, the left half's total is added in front of the right half
// (Sklansky 1960). A team of 32 invocations has RUNS consecutive runs, so a tile is one block, or two.
#extension GL_GOOGLE_include_directive : require
#include "scan_push.h"
layout(constant_id = 8) const bool INCLUSIVE = false;
layout(constant_id = 9) const uint RUNS = 2;  // of a team: 1 or 2
layout(constant_id = 10) const uint AHEAD = 0; // tiles from this one to the one that it prefetches; 0: none
layout(constant_id = 11) const uint FAN = SCAN_FAN;
const uint LOOKBACK_GROUP = FAN / RUNS, LOOKBACK_FAN = FAN;
#include "../include/lookback.glsl"

layout(push_constant) uniform Push { ScanPush push; };

layout(buffer_reference, std430, buffer_reference_align = 4) buffer VolatileWords { volatile uint at[]; };

const uint TILE = SCAN_BLOCK * RUNS;
const uint BLOCK_TEAMS = SCAN_BLOCK / SCAN_RUN / RUNS;

uint count_of_push() { return count_of(push.count, push.count_address); }

// Where in the tile this invocation's vector of row `r` of run `q` begins.
uint element_index(uint q, uint r) {
    return (invocation() / TEAM * RUNS + q) * SCAN_RUN + r * (4 * TEAM) + invocation() % TEAM * 4;
}

// This invocation's vectors in a run, a row each; the identity where there are no elements.
void load_run(uint tile, uint q, out uvec4 bits[4]) {
    uvec2 source = address_of(push.input_address, tile, TILE * 4);
    uint count = min(TILE, count_of_push() - tile * TILE);
    if (count == TILE && address_is_aligned16(source)) {
        [[unroll]] for (uint r = 0; r < 4; ++r) bits[r] = Words4(source).at[element_index(q, r) / 4];
    } else {
        [[unroll]] for (uint r = 0; r < 4; ++r) bits[r] = elements_load_partial(source, element_index(q, r), count);
    }
}

// A run on its own: inclusive scans of this invocation's vectors, what comes before each in the run, and the run's total.
ELEMENT scan_run(uvec4 bits[4], out ELEMENT4 rows[4], out ELEMENT4 before) {
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        rows[r] = element_from_memory(bits[r]);
        rows[r].y = operate(rows[r].x, rows[r].y);
        rows[r].z = operate(rows[r].y, rows[r].z);
        rows[r].w = operate(rows[r].z, rows[r].w);
    }
    ELEMENT4 totals = ELEMENT4(rows[0].w, rows[1].w, rows[2].w, rows[3].w);
    before = ELEMENT4(element_identity());
    [[unroll]] for (uint bit = 1; bit < TEAM; bit <<= 1) {
        ELEMENT4 sibling = team_exchange(totals, bit);
        if ((invocation() & bit) != 0) before = operate(sibling, before);
        totals = operate(totals, sibling);
    }
    before.y = operate(totals.x, before.y);
    totals.y = operate(totals.x, totals.y);
    before.z = operate(totals.y, before.z);
    totals.z = operate(totals.y, totals.z);
    before.w = operate(totals.z, before.w);
    return operate(totals.z, totals.w);
}

// What comes before a run in its block, given what comes before it in this team's runs; after teams_share().
ELEMENT runs_before(ELEMENT before) {
    uint team = invocation() / TEAM;
    [[unroll]] for (uint bit = 1; bit < BLOCK_TEAMS; bit <<= 1) {
        ELEMENT sibling = teams_fold((team ^ bit) & ~(bit - 1), bit);
        if ((team & bit) != 0) before = operate(sibling, before);
    }
    return before;
}

Aggregate aggregate_of_teams() {
    ELEMENT first = teams_fold(0, BLOCK_TEAMS);
    return Aggregate(RUNS == 1 ? first : operate(first, teams_fold(TEAMS - BLOCK_TEAMS, BLOCK_TEAMS)), first);
}

// Adds to the vectors of a run what comes before each in the block: before the run, and in it.
void place_run(inout ELEMENT4 rows[4], ELEMENT run_before, ELEMENT4 before) {
    before = operate(ELEMENT4(run_before), before);
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        ELEMENT4 inner = INCLUSIVE ? rows[r] : ELEMENT4(element_identity(), rows[r].xyz);
        rows[r] = operate(ELEMENT4(before[r]), inner);
    }
}

// Stores a run, with what comes before its block added.
void store_run(uint tile, uint q, ELEMENT4 rows[4], Prefix prefix) {
    uvec2 target = address_of(push.output_address, tile, TILE * 4);
    uint count = min(TILE, count_of_push() - tile * TILE);
    bool whole = count == TILE && address_is_aligned16(target);
    ELEMENT before = invocation() / TEAM < BLOCK_TEAMS ? prefix.tile : prefix.second_half;
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        uvec4 bits = element_to_memory(operate(ELEMENT4(before), rows[r]));
        if (whole) {
            Words4(target).at[element_index(q, r) / 4] = bits;
        } else {
            elements_store_partial(target, element_index(q, r), count, bits);
        }
    }
}

// A tile's totals, one for each team.
ELEMENT team_total(uint tile) {
    ELEMENT total = element_identity();
    [[dont_unroll]] for (uint q = 0; q < RUNS; ++q) {
        uvec4 bits[4];
        ELEMENT4 rows[4], before;
        load_run(tile, q, bits);
        total = operate(total, scan_run(bits, rows, before));
    }
    return total;
}

Aggregate tile_aggregate(uint tile) {
    teams_share(team_total(tile));
    return aggregate_of_teams();
}

// What is left of main() when the workgroup's patience has ended. No run is held over the help, so it costs no registers.
void scan_with_help(Lookback lookback, uint tile, Aggregate aggregate) {
    lookback_help(lookback, tile);
    Prefix prefix;
    lookback_prefix(lookback, tile, aggregate, prefix);
    uint arrived = lookback_arrive(lookback);
    teams_share(team_total(tile));
    ELEMENT before_in_team = element_identity();
    [[dont_unroll]] for (uint q = 0; q < RUNS; ++q) {
        uvec4 bits[4];
        ELEMENT4 rows[4], before;
        load_run(tile, q, bits);
        ELEMENT total = scan_run(bits, rows, before);
        place_run(rows, runs_before(before_in_team), before);
        store_run(tile, q, rows, prefix);
        before_in_team = operate(before_in_team, total);
    }
    lookback_leave(lookback, arrived);
}

// Brings the input of a tile that is about to start into the cache, so that memory has work while this workgroup waits. Nobody
// waits for these loads: they are volatile, lest the compiler drop them, and their values go nowhere.
void prefetch_tile(Lookback lookback, uint tile) {
    const uint SECTOR = 8; // words that come with the one that is touched
    if (AHEAD == 0 || tile + 1 >= lookback.tiles) return;
    VolatileWords source = VolatileWords(address_of(push.input_address, tile, TILE * 4));
    [[unroll]] for (uint first = 0; first < TILE; first += WORKGROUP_SIZE * SECTOR) {
        uint untouched = source.at[first + invocation() * SECTOR];
    }
}

void main() {
    uint count = count_of_push();
    Lookback lookback = Lookback(push.scratch, count / TILE + uint(count % TILE != 0));
    if (workgroup_number() >= lookback.tiles) return;

    const uint tile = lookback_tile(lookback);
    uvec4 bits[RUNS][4];
    ELEMENT4 rows[RUNS][4], before[RUNS];
    ELEMENT before_in_team[RUNS], total = element_identity();
    [[unroll]] for (uint q = 0; q < RUNS; ++q) load_run(tile, q, bits[q]);
    [[unroll]] for (uint q = 0; q < RUNS; ++q) {
        before_in_team[q] = total;
        total = operate(total, scan_run(bits[q], rows[q], before[q]));
    }
    teams_share(total);
    Aggregate aggregate = aggregate_of_teams();
    lookback_publish(lookback, tile, aggregate);
    prefetch_tile(lookback, tile + AHEAD);
    [[unroll]] for (uint q = 0; q < RUNS; ++q) place_run(rows[q], runs_before(before_in_team[q]), before[q]);

    Prefix prefix;
    if (!lookback_prefix(lookback, tile, aggregate, prefix)) {
        scan_with_help(lookback, tile, aggregate);
        return;
    }
    uint arrived = lookback_arrive(lookback);
    [[unroll]] for (uint q = 0; q < RUNS; ++q) store_run(tile, q, rows[q], prefix);
    lookback_leave(lookback, arrived);
}
