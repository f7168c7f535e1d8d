#version 460
// variants: elements
//
// Scans of many segments in one dispatch, each in the order of a scan of that segment alone (scan_tile.glsl), so with the same bits.
// segments.glsl describes how segments are divided among workgroups. Segments of up to four runs go to groups of 1, 8, 16 or 32 invocations,
// one run after the other. Longer segments are tiles of a block, which look back along their segment alone (tile_loop.glsl).
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/tile.h>
#include "segmented_scan_push.h"
layout(constant_id = SEGMENTED_SCAN_ROWS_ID) const bool SEGMENTS_ROWS = false;
layout(constant_id = SEGMENTED_SCAN_INCLUSIVE_ID) const bool INCLUSIVE = false;
layout(constant_id = SEGMENTED_SCAN_STAGE_ID) const uint VKPRIM_LOOKBACK_STAGE = 0;
const uint VKPRIM_RUNS = 1, VKPRIM_LOOP_PREFETCH_DISTANCE = 0, VKPRIM_LOOP_FIRST_WAVE_TILES = 0;
const bool VKPRIM_LOOP_CROSSES = false, VKPRIM_LOOKBACK_ONE_GROUP = false;
#define VKPRIM_LOOKBACK_HALVES (VKPRIM_REGISTER_WORDS <= 2) // as in scan.comp
const uint VKPRIM_LOOKBACK_GROUP = VKPRIM_TILE_FAN, VKPRIM_LOOKBACK_FAN = VKPRIM_TILE_FAN;

uint chain_word, words_left; // in scratch: the first of a segment, and how many this operation leaves there
#define VKPRIM_LOOKBACK_CHAINS
#define VKPRIM_LOOKBACK_CHAIN chain_word
#define VKPRIM_LOOKBACK_LEFT words_left
#include <vkprim/glsl/detail/lookback.glsl>

layout(push_constant) uniform Push {
    SegmentedScanPush push;
    VKPRIM_PARAMETERS_MEMBER
};
VKPRIM_DEFINE_PARAMETERS

shared VKPRIM_ELEMENT run_totals[VKPRIM_TEAMS];

const uint VKPRIM_ROWS_PER_RUN = VKPRIM_TILE_ROWS(VKPRIM_REGISTER_WORDS);
const uint RUN_VECTORS = VKPRIM_TEAM * VKPRIM_ROWS_PER_RUN, TILE = VKPRIM_TEAMS * RUN_VECTORS * VKPRIM_VECTOR_WIDTH; // elements
const uint LONG_VECTORS = 4 * RUN_VECTORS, LONG_ROWS = 4 * VKPRIM_ROWS_PER_RUN, MEDIUM_GROUP_SIZE = VKPRIM_REGISTER_WORDS > 1 ? VKPRIM_TEAM : 8;
const bool STORES = VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_ALL || VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_OUTPUTS;
#include "../scan/scan_tile.glsl"
#include "../scan/scan_rows.glsl"
#include "../segments/segments.glsl"

uvec2 output_of(Segment segment, uint number) {
    if (SEGMENTS_ROWS) return vkprim_address_of(push.output_address, number, push.output_pitch);
    return vkprim_address_of(push.output_address, segment.place - number * COST, VKPRIM_OUTPUT_BYTES);
}

// The totals of the runs of a segment so far, as far as later runs need them: a tree of pairs over four.
struct Runs { VKPRIM_ELEMENT one, two; };

VKPRIM_ELEMENT before_run(Runs runs, uint run) {
    if (run % 2 == 0) return runs.two;
    if (run == 1) return runs.one;
    return vkprim_operate(runs.two, runs.one);
}

void add_run(inout Runs runs, uint run, VKPRIM_ELEMENT total) {
    if (run % 2 == 0) runs.one = total;
    else runs.two = vkprim_operate(runs.one, total);
}

// Whether none of the subgroup's segments has run `run`. Elsewhere invocations wait for each other, whether or not they have.
bool runs_end(Segment segment, uint run) {
    return VKPRIM_SUBGROUP_SIZE >= VKPRIM_TEAM && vkprim_subgroup_all(run * RUN_VECTORS >= vectors_in(segment.count));
}

void take_group_by_rows(Segment segment, uvec2 output_base, uint group_size, uint rows) {
    const uint run_rows = group_size == VKPRIM_TEAM ? VKPRIM_ROWS_PER_RUN : rows;
    Runs runs = Runs(vkprim_element_identity(), vkprim_element_identity());
    for (uint run = 0; run * run_rows < rows && !runs_end(segment, run); ++run) {
        const VKPRIM_ELEMENT run_before = before_run(runs, run);
        add_run(runs, run, scan_rows(segment, output_base, run * run_rows, group_size, run_rows, true, run_before, vkprim_element_identity()));
    }
}

#if VKPRIM_REGISTER_WORDS > 1
void take_group(Segment segment, uint number, bool there, uint group_size, uint rows) {
    if (STORES) take_group_by_rows(segment, output_of(segment, number), group_size, rows);
}

uvec2 group_of(uint vectors) { return vectors <= 4 ? uvec2(1, 4) : uvec2(VKPRIM_TEAM, ((vectors - 1) / RUN_VECTORS + 1) * VKPRIM_ROWS_PER_RUN); }
#else
void store_scanned(Segment segment, uvec2 output_base, uint vector, VKPRIM_VECTOR scanned, VKPRIM_ELEMENT run_before, VKPRIM_ELEMENT before) {
    VKPRIM_VECTOR inner = INCLUSIVE ? scanned : vkprim_vector_shift(scanned);
    store_vector(segment, output_base, vector, vkprim_operate(vkprim_vector_of(vkprim_operate(run_before, before)), inner));
}

// Four rows of vectors at a time. In a whole team, those are rows of a run; in fewer invocations, a half or a quarter of one each.
void take_group_at_once(Segment segment, uvec2 output_base, uint group_size, uint rows) {
    Runs runs = Runs(vkprim_element_identity(), vkprim_element_identity());
    for (uint run = 0; run * VKPRIM_ROWS_PER_RUN < rows && !runs_end(segment, run); ++run) {
        const uint vector = run * VKPRIM_ROWS_PER_RUN * group_size + vkprim_invocation() % group_size;
        VKPRIM_MEMORY t = load_memory(segment, vector), u = load_memory(segment, vector + group_size);
        VKPRIM_MEMORY v = load_memory(segment, vector + 2 * group_size), w = load_memory(segment, vector + 3 * group_size);
        VKPRIM_VECTOR a = vkprim_vector_scan(vkprim_vector_from_memory(t, 0)), b = vkprim_vector_scan(vkprim_vector_from_memory(u, 0));
        VKPRIM_VECTOR c = vkprim_vector_scan(vkprim_vector_from_memory(v, 0)), d = vkprim_vector_scan(vkprim_vector_from_memory(w, 0));
        VKPRIM_ELEMENT4 totals = VKPRIM_ELEMENT4(vkprim_vector_last(a), vkprim_vector_last(b), vkprim_vector_last(c), vkprim_vector_last(d));
        VKPRIM_ELEMENT4 before = vkprim_element4(vkprim_element_identity());
        for (uint bit = 1; bit < group_size; bit <<= 1) {
            VKPRIM_ELEMENT4 sibling = vkprim_team_exchange(totals, bit);
            if ((vkprim_invocation() & bit) != 0) before = vkprim_operate(sibling, before);
            totals = vkprim_operate_pair(totals, sibling, bit);
        }
        const VKPRIM_ELEMENT two_rows = vkprim_operate(totals.x, totals.y), three_rows = vkprim_operate(two_rows, totals.z);
        const VKPRIM_ELEMENT run_before = before_run(runs, run);
        before.y = vkprim_operate(totals.x, before.y);
        before.z = vkprim_operate(two_rows, before.z);
        if (group_size == VKPRIM_TEAM) before.w = vkprim_operate(three_rows, before.w);
        else before.w = vkprim_operate(two_rows, vkprim_operate(totals.z, before.w));
        store_scanned(segment, output_base, vector, a, run_before, before.x);
        store_scanned(segment, output_base, vector + group_size, b, run_before, before.y);
        store_scanned(segment, output_base, vector + 2 * group_size, c, run_before, before.z);
        store_scanned(segment, output_base, vector + 3 * group_size, d, run_before, before.w);
        add_run(runs, run, vkprim_operate(three_rows, totals.w));
    }
}

void take_group(Segment segment, uint number, bool there, uint group_size, uint rows) {
    if (!STORES) return;
    const uvec2 output_base = output_of(segment, number);
    if (VKPRIM_FEW_REGISTERS) take_group_by_rows(segment, output_base, group_size, rows);
    else take_group_at_once(segment, output_base, group_size, rows);
}

uvec2 group_of(uint vectors) {
    if (vectors <= RUN_VECTORS) return uvec2(vectors <= 4 ? 1 : vectors <= 32 ? 8 : vectors <= 64 ? 16 : 32, 4);
    return uvec2(VKPRIM_TEAM, ((vectors - 1) / RUN_VECTORS + 1) * VKPRIM_ROWS_PER_RUN);
}
#endif

// The segment whose tiles are scanned, and where its output is: in shared memory, which takes less than registers.
shared Segment tiled;
shared uvec2 tiled_output;

Segment tile_of(uint tile) {
    const uvec2 base = vkprim_address_of(tiled.base, tile, TILE * VKPRIM_INPUT_BYTES);
    return Segment(base, tiled.first + tile * TILE, min(tiled.count - tile * TILE, TILE), 0);
}

// Row by row, a tile is read twice: when its prefix is known, its elements are no longer in registers.
VKPRIM_ELEMENT scan_team(uint tile, bool stores, VKPRIM_ELEMENT run_before, VKPRIM_ELEMENT prefix) {
    const uvec2 output_base = vkprim_address_of(tiled_output, tile, TILE * VKPRIM_OUTPUT_BYTES);
    return scan_rows(tile_of(tile), output_base, vkprim_invocation() / VKPRIM_TEAM * VKPRIM_ROWS_PER_RUN, VKPRIM_TEAM, VKPRIM_ROWS_PER_RUN, stores, run_before, prefix);
}

void total_tile(uint tile) {
    VKPRIM_ELEMENT total = scan_team(tile, false, vkprim_element_identity(), vkprim_element_identity());
    if (vkprim_invocation() % VKPRIM_TEAM == 0) run_totals[vkprim_invocation() / VKPRIM_TEAM] = total;
}

#if VKPRIM_REGISTER_WORDS == 1
// The vector of a tile that this invocation has in a row of its team's run.
uint vector_of_tile(uint row) { return (vkprim_invocation() / VKPRIM_TEAM * VKPRIM_ROWS_PER_RUN + row) * VKPRIM_TEAM + vkprim_invocation() % VKPRIM_TEAM; }

// Loads a tile's vectors and scans its runs, each on its own.
void load_tile(Segment tile, out VKPRIM_VECTOR rows[VKPRIM_ROWS_PER_RUN], out VKPRIM_ELEMENT4 before) {
    VKPRIM_MEMORY memory[VKPRIM_ROWS_PER_RUN];
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) memory[row] = load_memory(tile, vector_of_tile(row));
    VKPRIM_ELEMENT total = scan_run(memory, rows, before);
    if (vkprim_invocation() % VKPRIM_TEAM == 0) run_totals[vkprim_invocation() / VKPRIM_TEAM] = total;
}

void store_tile(Segment tile, uvec2 output_base, VKPRIM_VECTOR rows[VKPRIM_ROWS_PER_RUN], VKPRIM_ELEMENT prefix) {
    [[unroll]] for (uint row = 0; row < VKPRIM_ROWS_PER_RUN; ++row) {
        store_vector(tile, output_base, vector_of_tile(row), vkprim_operate(vkprim_vector_of(prefix), rows[row]));
    }
}
#endif

void scan_tile(vkprim_Lookback lookback, uint tiles, uint own, uint last) {
    VKPRIM_ELEMENT run_before[VKPRIM_RUNS], first_block;
#if VKPRIM_REGISTER_WORDS > 1
#define VKPRIM_HOOK_LOAD(tile) total_tile(tile)
#define VKPRIM_HOOK_PLACE(tile)
#define VKPRIM_HOOK_STORE(tile, prefix) scan_team(tile, true, run_before[0], prefix)
#else
    VKPRIM_VECTOR rows[VKPRIM_ROWS_PER_RUN];
    VKPRIM_ELEMENT4 before;
#define VKPRIM_HOOK_LOAD(tile) if (VKPRIM_FEW_REGISTERS) total_tile(tile); else load_tile(tile_of(tile), rows, before)
#define VKPRIM_HOOK_PLACE(tile) if (!VKPRIM_FEW_REGISTERS) place_run(rows, run_before[0], before)
#define VKPRIM_HOOK_STORE(tile, prefix) \
    if (VKPRIM_FEW_REGISTERS) scan_team(tile, true, run_before[0], prefix); \
    else store_tile(tile_of(tile), vkprim_address_of(tiled_output, tile, TILE * VKPRIM_OUTPUT_BYTES), rows, prefix)
#endif
#define VKPRIM_HOOK_AGGREGATE(tile) scan_runs(first_block, run_before)
#define VKPRIM_HOOK_FETCH(tile)
#define VKPRIM_HOOK_TOUCH(tile) 0
#include <vkprim/glsl/detail/tile_loop.glsl>
}

void take_tiles(uint number, uint begin, uint end) {
    const Segment segment = segment_at(number);
    const uint tiles = (segment.count - 1) / TILE + 1;
    if (tiles == 1 && !STORES) return;
    const uint first = segment.place >= begin ? 0 : (begin - segment.place - 1) / TILE + 1;
    const uint behind = segment.place >= end ? 0 : min((end - segment.place - 1) / TILE + 1, tiles);
    // Its words lie after those of the segments before it: a segment has more than tiles - 1 times as many places as a tile has elements.
    chain_word = SEGMENTED_SCAN_TILE_WORDS * (segment.place / TILE);
    vkprim_Lookback lookback = vkprim_Lookback(push.scratch, tiles, 0, 0, uvec2(0));
    if (vkprim_invocation() == 0) {
        tiled = segment;
        tiled_output = output_of(segment, number);
    }
    barrier();
    for (uint tile = first; tile < behind; ++tile) {
        if (VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_GROUPS || VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_SUPERGROUPS) {
            // The last tile of a group publishes the group's total, if there are tiles after the group.
            const uint size = VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_GROUPS ? VKPRIM_LOOKBACK_GROUP : VKPRIM_LOOKBACK_GROUP * VKPRIM_LOOKBACK_FAN;
            if (tile % size == size - 1 && tile + 1 < tiles) vkprim_lookback_close(lookback, VKPRIM_LOOKBACK_STAGE - 1, tile / size);
        } else {
            scan_tile(lookback, tiles, tile, VKPRIM_LOOKBACK_STAGE == VKPRIM_STAGE_ALL && tile == first ? behind - 1 : tile);
        }
        barrier();
    }
}

void main() {
    element_count = vkprim_count_of(push.count, push.count_address, 0);
    segment_count = vkprim_count_of(push.segments, push.segments_address, 0);
    uint workgroup = push.first + vkprim_workgroup_number();
    if (workgroup >= push.workgroups) return;
    if (push.count > TILE) { // else no segment has several tiles
        words_left = VKPRIM_SLOTS_OF(SEGMENTED_SCAN_TILE_WORDS * (push.workgroups * (push.share / VKPRIM_VECTOR_WIDTH) / (TILE / VKPRIM_VECTOR_WIDTH)));
        vkprim_Lookback lookback = vkprim_lookback_begin(push.scratch, push.workgroups, workgroup);
        workgroup = vkprim_lookback_tile(lookback);
        vkprim_lookback_arrived(lookback, workgroup, true);
        barrier();
        if (STORES) vkprim_clear_left(lookback, workgroup);
    }
    take_share(workgroup);
}
