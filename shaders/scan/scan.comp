#version 460
// variants: u32 | i32 ELEMENT_INT | f32 ELEMENT_FLOAT | f32_ordered ELEMENT_INT ORDERED_FLOAT x word32 | word64 WORD64
//
// Scan in one dispatch. A workgroup scans one tile on its own, learns the prefix of the tiles before it by deterministic
// look-back (lookback.glsl), and adds it while storing.
//
// A tile consists of runs of 1536 elements, one for each team of 32 invocations, a run of 12 rows of 128, a row of 32 vectors
// of 4. Within a vector the order is sequential; between vectors of a row and between runs it is a tree of pairs, in which
// the left half's total is added to the right half (Sklansky 1960); between rows sequential.
#extension GL_GOOGLE_include_directive : require
#include "../include/lookback.glsl"
#include "scan_push.h"

layout(constant_id = 8) const bool INCLUSIVE = false;

layout(push_constant) uniform Push { ScanPush push; };

const uint TILE = WORKGROUP_SIZE * SCAN_PER_INVOCATION;
const uint RUN = TEAM * SCAN_PER_INVOCATION;

// Where in the tile this invocation's vector of row r begins.
uint element_index(uint r) {
    return invocation() / TEAM * RUN + r * (4 * TEAM) + invocation() % TEAM * 4;
}

Lookback lookback_of_push() {
    uint count = count_of(push.count, push.count_address);
    return Lookback(push.scratch, count / TILE + uint(count % TILE != 0));
}

uint count_of_tile(uint tile) { return min(TILE, count_of(push.count, push.count_address) - tile * TILE); }

// Rows `first` to `first` + 4 of a tile; the identity where they do not exist.
void load_rows(uint tile, uint first, out ELEMENT4 rows[4]) {
    uvec2 source = address_of(push.input_address, tile, TILE * 4);
    uint count = count_of_tile(tile);
    uvec4 bits[4];
    if (count == TILE && address_is_aligned16(source)) {
        [[unroll]] for (uint r = 0; r < 4; ++r) bits[r] = Words4(source).at[element_index(first + r) / 4];
    } else {
        [[unroll]] for (uint r = 0; r < 4; ++r) {
            bits[r] = elements_load_partial(source, element_index(first + r), count);
        }
    }
    [[unroll]] for (uint r = 0; r < 4; ++r) rows[r] = element_from_memory(bits[r]);
}

// Inclusive scans of this invocation's vectors; returns their totals.
ELEMENT4 scan_vectors(inout ELEMENT4 rows[4]) {
    [[unroll]] for (uint r = 0; r < 4; ++r) {
        rows[r].y = operate(rows[r].x, rows[r].y);
        rows[r].z = operate(rows[r].y, rows[r].z);
        rows[r].w = operate(rows[r].z, rows[r].w);
    }
    return ELEMENT4(rows[0].w, rows[1].w, rows[2].w, rows[3].w);
}

// Scans a tile on its own: each row's vectors' totals in a tree, then the rows in the run, then the runs in the tile.
// Returns the tile's total.
ELEMENT scan_tile(uint tile, out ELEMENT4 rows[SCAN_ROWS]) {
    ELEMENT4 quad[4];
    ELEMENT total = element_identity();
    [[unroll]] for (uint q = 0; q < SCAN_ROWS; q += 4) {
        load_rows(tile, q, quad);
        [[unroll]] for (uint r = 0; r < 4; ++r) rows[q + r] = quad[r];
    }
    [[unroll]] for (uint q = 0; q < SCAN_ROWS; q += 4) {
        [[unroll]] for (uint r = 0; r < 4; ++r) quad[r] = rows[q + r];
        ELEMENT4 totals = scan_vectors(quad), before = ELEMENT4(element_identity());
        [[unroll]] for (uint bit = 1; bit < TEAM; bit <<= 1) {
            ELEMENT4 sibling = team_exchange(totals, bit);
            if ((invocation() & bit) != 0) before = operate(sibling, before);
            totals = operate(totals, sibling);
        }
        [[unroll]] for (uint r = 0; r < 4; ++r) {
            before[r] = operate(total, before[r]);
            total = operate(total, totals[r]);
            ELEMENT4 inner = INCLUSIVE ? quad[r] : ELEMENT4(element_identity(), quad[r].xyz);
            rows[q + r] = operate(ELEMENT4(before[r]), inner);
        }
    }
    teams_share(total);
    ELEMENT runs_before = element_identity();
    uint run = invocation() / TEAM;
    [[unroll]] for (uint bit = 1; bit < TEAMS; bit <<= 1) {
        ELEMENT sibling = teams_fold((run ^ bit) & ~(bit - 1), bit);
        if ((run & bit) != 0) runs_before = operate(sibling, runs_before);
    }
    [[unroll]] for (uint r = 0; r < SCAN_ROWS; ++r) rows[r] = operate(ELEMENT4(runs_before), rows[r]);
    return teams_fold(0, TEAMS);
}

// Only the total that scan_tile() would return, with few registers.
ELEMENT tile_aggregate(uint tile) {
    ELEMENT total = element_identity();
    [[dont_unroll]] for (uint q = 0; q < SCAN_ROWS; q += 4) {
        ELEMENT4 quad[4];
        load_rows(tile, q, quad);
        ELEMENT4 totals = scan_vectors(quad);
        [[unroll]] for (uint bit = 1; bit < TEAM; bit <<= 1) totals = operate(totals, team_exchange(totals, bit));
        [[unroll]] for (uint r = 0; r < 4; ++r) total = operate(total, totals[r]);
    }
    teams_share(total);
    return teams_fold(0, TEAMS);
}

void store_tile(uint tile, ELEMENT4 rows[SCAN_ROWS], ELEMENT prefix) {
    uvec2 target = address_of(push.output_address, tile, TILE * 4);
    uint count = count_of_tile(tile);
    bool whole = count == TILE && address_is_aligned16(target);
    [[unroll]] for (uint r = 0; r < SCAN_ROWS; ++r) {
        uvec4 bits = element_to_memory(operate(ELEMENT4(prefix), rows[r]));
        if (whole) {
            Words4(target).at[element_index(r) / 4] = bits;
        } else {
            elements_store_partial(target, element_index(r), count, bits);
        }
    }
}

void main() {
    Lookback lookback = lookback_of_push();
    if (workgroup_number() >= lookback.tiles) return;

    const uint tile = lookback_tile(lookback);
    ELEMENT4 rows[SCAN_ROWS];
    ELEMENT prefix;
    if (!lookback_prefix(lookback, tile, scan_tile(tile, rows), prefix)) {
        lookback_help(lookback, tile);
        lookback_prefix(lookback, tile, scan_tile(tile, rows), prefix); // anew, so that no row is held over the help
    }
    uint arrived = lookback_arrive(lookback);
    store_tile(tile, rows, prefix);
    lookback_leave(lookback, arrived);
}
