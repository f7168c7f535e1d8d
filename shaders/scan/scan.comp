#version 460
// variants: u32 | i32 ELEMENT_INT | f32 ELEMENT_FLOAT | f32_ordered ELEMENT_INT ORDERED_FLOAT x word32 | word64 WORD64
//
// Scan in one dispatch. A workgroup scans one tile on its own, learns the prefix of the tiles before it by deterministic
// look-back (lookback.glsl), and adds it while storing.
//
// A tile consists of runs of 512 elements, a run of 4 rows of 128, a row of 32 vectors of 4: one for each of 32 neighbouring
// invocations. Within a vector the order is sequential; between vectors of a row and between runs it is a tree of pairs, in
// which the left half's total is added to the right half (Sklansky 1960); between rows sequential.
#extension GL_GOOGLE_include_directive : require
#include "../include/lookback.glsl"
#include "scan_push.h"

layout(constant_id = 8) const bool INCLUSIVE = false;

layout(push_constant) uniform Push { ScanPush push; };

const uint TILE = WORKGROUP_SIZE * SCAN_PER_INVOCATION;
const uint RUN = SCAN_LANES * SCAN_PER_INVOCATION;

// Where in the tile this invocation's vector of row r begins.
uint element_index(uint r) {
    return invocation() / SCAN_LANES * RUN + r * (4 * SCAN_LANES) + invocation() % SCAN_LANES * 4;
}

Lookback lookback_of_push() {
    uint count = count_of(push.count, push.count_address);
    return Lookback(push.scratch, count / TILE + uint(count % TILE != 0));
}

uint count_of_tile(uint tile) { return min(TILE, count_of(push.count, push.count_address) - tile * TILE); }

// What the workgroup knows of a tile on its own: inclusive scans of the vectors, in `before` what comes before each within
// the tile, and the tile's total.
ELEMENT scan_tile(uint tile, out ELEMENT4 vectors[SCAN_ROWS], out ELEMENT4 before) {
    uvec2 source = address_of(push.input_address, tile, TILE * 4);
    uint count = count_of_tile(tile);
    uvec4 bits[SCAN_ROWS];
    if (count == TILE && address_is_aligned16(source)) {
        for (uint r = 0; r < SCAN_ROWS; ++r) bits[r] = Words4(source).at[element_index(r) / 4];
    } else {
        for (uint r = 0; r < SCAN_ROWS; ++r) bits[r] = elements_load_partial(source, element_index(r), count);
    }

    ELEMENT4 totals; // component r: of row r's vector
    for (uint r = 0; r < SCAN_ROWS; ++r) {
        ELEMENT4 v = element_from_memory(bits[r]);
        v.y = operate(v.x, v.y);
        v.z = operate(v.y, v.z);
        v.w = operate(v.z, v.w);
        vectors[r] = v;
        totals[r] = v.w;
    }

    // Exclusive scan of the vectors' totals in each row, then of the rows in the run, then of the runs in the tile.
    before = ELEMENT4(element_identity());
    for (uint bit = 1; bit < SCAN_LANES; bit <<= 1) {
        ELEMENT4 sibling = workgroup_exchange(totals, bit);
        if ((invocation() & bit) != 0) before = operate(sibling, before);
        totals = operate(totals, sibling);
    }
    ELEMENT two = operate(totals.x, totals.y), three = operate(two, totals.z), total = operate(three, totals.w);
    before = operate(ELEMENT4(element_identity(), totals.x, two, three), before);
    ELEMENT runs_before = element_identity();
    for (uint bit = SCAN_LANES; bit < WORKGROUP_SIZE; bit <<= 1) {
        ELEMENT sibling = workgroup_exchange(total, bit);
        if ((invocation() & bit) != 0) runs_before = operate(sibling, runs_before);
        total = operate(total, sibling);
    }
    before = operate(ELEMENT4(runs_before), before);
    return total;
}

ELEMENT tile_aggregate(uint tile) {
    ELEMENT4 vectors[SCAN_ROWS], before;
    return scan_tile(tile, vectors, before);
}

void store_tile(uint tile, ELEMENT4 vectors[SCAN_ROWS], ELEMENT4 before) {
    uvec2 target = address_of(push.output_address, tile, TILE * 4);
    uint count = count_of_tile(tile);
    uvec4 bits[SCAN_ROWS];
    for (uint r = 0; r < SCAN_ROWS; ++r) {
        ELEMENT4 v = vectors[r];
        ELEMENT4 inner = INCLUSIVE ? v : ELEMENT4(element_identity(), v.xyz);
        bits[r] = element_to_memory(operate(ELEMENT4(before[r]), inner));
    }
    if (count == TILE && address_is_aligned16(target)) {
        for (uint r = 0; r < SCAN_ROWS; ++r) Words4(target).at[element_index(r) / 4] = bits[r];
    } else {
        for (uint r = 0; r < SCAN_ROWS; ++r) elements_store_partial(target, element_index(r), count, bits[r]);
    }
}

void main() {
    Lookback lookback = lookback_of_push();
    if (workgroup_number() >= lookback.tiles) return;

    uint tile = lookback_ticket(lookback);
    ELEMENT4 vectors[SCAN_ROWS], before;
    bool helped;
    ELEMENT total = scan_tile(tile, vectors, before);
    ELEMENT prefix = lookback_prefix(lookback, tile, total, helped);
    if (helped) scan_tile(tile, vectors, before); // its registers went to the tiles that were helped
    uint arrived = lookback_arrive(lookback);
    store_tile(tile, vectors, operate(ELEMENT4(prefix), before));
    lookback_leave(lookback, arrived);
}
