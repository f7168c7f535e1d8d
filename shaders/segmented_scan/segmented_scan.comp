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
const uint RUNS = 1, VKPRIM_LOOP_PREFETCH_DISTANCE = 0, VKPRIM_LOOP_FIRST_WAVE_TILES = 0;
const bool VKPRIM_LOOP_CROSSES = false, VKPRIM_LOOKBACK_ONE_GROUP = false;
#define VKPRIM_LOOKBACK_HALVES (VKPRIM_REGISTER_WORDS <= 2) // as in scan.comp
const uint VKPRIM_LOOKBACK_GROUP = VKPRIM_TILE_FAN, VKPRIM_LOOKBACK_FAN = VKPRIM_TILE_FAN;

uint chain_word, words_left; // in scratch: the first of a segment, and how many this operation leaves there
#define VKPRIM_LOOKBACK_CHAINS
#define VKPRIM_LOOKBACK_CHAIN chain_word
#define VKPRIM_LOOKBACK_LEFT words_left
#include <vkprim/glsl/detail/lookback.glsl>
#include "../names.glsl"

layout(push_constant) uniform Push {
    SegmentedScanPush push;
    VKPRIM_PARAMETERS_MEMBER
};
VKPRIM_DEFINE_PARAMETERS

shared Element run_totals[TEAMS];

const uint ROWS_PER_RUN = TILE_ROWS(REGISTER_WORDS);
const uint RUN_VECTORS = TEAM * ROWS_PER_RUN, TILE = TEAMS * RUN_VECTORS * VECTOR_WIDTH; // elements
const uint LONG_VECTORS = 4 * RUN_VECTORS, LONG_ROWS = 4 * ROWS_PER_RUN, MEDIUM_GROUP_SIZE = REGISTER_WORDS > 1 ? TEAM : 8;
const bool STORES = LOOKBACK_STAGE == STAGE_ALL || LOOKBACK_STAGE == STAGE_OUTPUTS;
#include "../scan/scan_tile.glsl"
#include "../scan/scan_rows.glsl"
#include "../segments/segments.glsl"

uvec2 output_of(Segment segment, uint number) {
    if (SEGMENTS_ROWS) return address_of(push.output_address, number, push.output_pitch);
    return address_of(push.output_address, segment.place - number * COST, OUTPUT_BYTES);
}

// The totals of the runs of a segment so far, as far as later runs need them: a tree of pairs over four.
struct Runs { Element one, two; };

Element before_run(Runs runs, uint run) {
    if (run % 2 == 0) return runs.two;
    if (run == 1) return runs.one;
    return operate(runs.two, runs.one);
}

void add_run(inout Runs runs, uint run, Element total) {
    if (run % 2 == 0) runs.one = total;
    else runs.two = operate(runs.one, total);
}

// Whether none of the subgroup's segments has run `run`. Elsewhere invocations wait for each other, whether or not they have.
bool runs_end(Segment segment, uint run) {
    return SUBGROUP_SIZE >= TEAM && subgroup_all(run * RUN_VECTORS >= vectors_in(segment.count));
}

void take_group_by_rows(Segment segment, uvec2 output_base, uint group_size, uint rows) {
    const uint run_rows = group_size == TEAM ? ROWS_PER_RUN : rows;
    Runs runs = Runs(element_identity(), element_identity());
    for (uint run = 0; run * run_rows < rows && !runs_end(segment, run); ++run) {
        const Element run_before = before_run(runs, run);
        add_run(runs, run, scan_rows(segment, output_base, run * run_rows, group_size, run_rows, true, run_before, element_identity()));
    }
}

#if REGISTER_WORDS > 1
void take_group(Segment segment, uint number, bool there, uint group_size, uint rows) {
    if (STORES) take_group_by_rows(segment, output_of(segment, number), group_size, rows);
}

uvec2 group_of(uint vectors) { return vectors <= 4 ? uvec2(1, 4) : uvec2(TEAM, ((vectors - 1) / RUN_VECTORS + 1) * ROWS_PER_RUN); }
#else
void store_scanned(Segment segment, uvec2 output_base, uint vector, Vector scanned, Element run_before, Element before) {
    Vector inner = INCLUSIVE ? scanned : vector_shift(scanned);
    store_vector(segment, output_base, vector, operate(vector_of(operate(run_before, before)), inner));
}

// Four rows of vectors at a time. In a whole team, those are rows of a run; in fewer invocations, a half or a quarter of one each.
void take_group_at_once(Segment segment, uvec2 output_base, uint group_size, uint rows) {
    Runs runs = Runs(element_identity(), element_identity());
    for (uint run = 0; run * ROWS_PER_RUN < rows && !runs_end(segment, run); ++run) {
        const uint vector = run * ROWS_PER_RUN * group_size + invocation() % group_size;
        Memory t = load_memory(segment, vector), u = load_memory(segment, vector + group_size);
        Memory v = load_memory(segment, vector + 2 * group_size), w = load_memory(segment, vector + 3 * group_size);
        Vector a = vector_scan(vector_from_memory(t, 0)), b = vector_scan(vector_from_memory(u, 0));
        Vector c = vector_scan(vector_from_memory(v, 0)), d = vector_scan(vector_from_memory(w, 0));
        Element4 totals = Element4(vector_last(a), vector_last(b), vector_last(c), vector_last(d));
        Element4 before = element4(element_identity());
        for (uint bit = 1; bit < group_size; bit <<= 1) {
            Element4 sibling = team_exchange(totals, bit);
            if ((invocation() & bit) != 0) before = operate(sibling, before);
            totals = operate_pair(totals, sibling, bit);
        }
        const Element two_rows = operate(totals.x, totals.y), three_rows = operate(two_rows, totals.z);
        const Element run_before = before_run(runs, run);
        before.y = operate(totals.x, before.y);
        before.z = operate(two_rows, before.z);
        if (group_size == TEAM) before.w = operate(three_rows, before.w);
        else before.w = operate(two_rows, operate(totals.z, before.w));
        store_scanned(segment, output_base, vector, a, run_before, before.x);
        store_scanned(segment, output_base, vector + group_size, b, run_before, before.y);
        store_scanned(segment, output_base, vector + 2 * group_size, c, run_before, before.z);
        store_scanned(segment, output_base, vector + 3 * group_size, d, run_before, before.w);
        add_run(runs, run, operate(three_rows, totals.w));
    }
}

void take_group(Segment segment, uint number, bool there, uint group_size, uint rows) {
    if (!STORES) return;
    const uvec2 output_base = output_of(segment, number);
    if (FEW_REGISTERS) take_group_by_rows(segment, output_base, group_size, rows);
    else take_group_at_once(segment, output_base, group_size, rows);
}

uvec2 group_of(uint vectors) {
    if (vectors <= RUN_VECTORS) return uvec2(vectors <= 4 ? 1 : vectors <= 32 ? 8 : vectors <= 64 ? 16 : 32, 4);
    return uvec2(TEAM, ((vectors - 1) / RUN_VECTORS + 1) * ROWS_PER_RUN);
}
#endif

// The segment whose tiles are scanned, and where its output is: in shared memory, which takes less than registers.
shared Segment tiled;
shared uvec2 tiled_output;

Segment tile_of(uint tile) {
    const uvec2 base = address_of(tiled.base, tile, TILE * INPUT_BYTES);
    return Segment(base, tiled.first + tile * TILE, min(tiled.count - tile * TILE, TILE), 0);
}

// Row by row, a tile is read twice: when its prefix is known, its elements are no longer in registers.
Element scan_team(uint tile, bool stores, Element run_before, Element prefix) {
    const uvec2 output_base = address_of(tiled_output, tile, TILE * OUTPUT_BYTES);
    return scan_rows(tile_of(tile), output_base, invocation() / TEAM * ROWS_PER_RUN, TEAM, ROWS_PER_RUN, stores, run_before, prefix);
}

void total_tile(uint tile) {
    Element total = scan_team(tile, false, element_identity(), element_identity());
    if (invocation() % TEAM == 0) run_totals[invocation() / TEAM] = total;
}

#if REGISTER_WORDS == 1
// The vector of a tile that this invocation has in a row of its team's run.
uint vector_of_tile(uint row) { return (invocation() / TEAM * ROWS_PER_RUN + row) * TEAM + invocation() % TEAM; }

// Loads a tile's vectors and scans its runs, each on its own.
void load_tile(Segment tile, out Vector rows[ROWS_PER_RUN], out Element4 before) {
    Memory memory[ROWS_PER_RUN];
    [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) memory[row] = load_memory(tile, vector_of_tile(row));
    Element total = scan_run(memory, rows, before);
    if (invocation() % TEAM == 0) run_totals[invocation() / TEAM] = total;
}

void store_tile(Segment tile, uvec2 output_base, Vector rows[ROWS_PER_RUN], Element prefix) {
    [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) {
        store_vector(tile, output_base, vector_of_tile(row), operate(vector_of(prefix), rows[row]));
    }
}
#endif

void scan_tile(Lookback lookback, uint tiles, uint own, uint last) {
    Element run_before[RUNS], first_block;
#if REGISTER_WORDS > 1
#define VKPRIM_HOOK_LOAD(tile) total_tile(tile)
#define VKPRIM_HOOK_PLACE(tile)
#define VKPRIM_HOOK_STORE(tile, prefix) scan_team(tile, true, run_before[0], prefix)
#else
    Vector rows[ROWS_PER_RUN];
    Element4 before;
#define VKPRIM_HOOK_LOAD(tile) if (FEW_REGISTERS) total_tile(tile); else load_tile(tile_of(tile), rows, before)
#define VKPRIM_HOOK_PLACE(tile) if (!FEW_REGISTERS) place_run(rows, run_before[0], before)
#define VKPRIM_HOOK_STORE(tile, prefix) \
    if (FEW_REGISTERS) scan_team(tile, true, run_before[0], prefix); \
    else store_tile(tile_of(tile), address_of(tiled_output, tile, TILE * OUTPUT_BYTES), rows, prefix)
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
    Lookback lookback = Lookback(push.scratch, tiles, 0, 0, uvec2(0));
    if (invocation() == 0) {
        tiled = segment;
        tiled_output = output_of(segment, number);
    }
    barrier();
    for (uint tile = first; tile < behind; ++tile) {
        if (LOOKBACK_STAGE == STAGE_GROUPS || LOOKBACK_STAGE == STAGE_SUPERGROUPS) {
            // The last tile of a group publishes the group's total, if there are tiles after the group.
            const uint size = LOOKBACK_STAGE == STAGE_GROUPS ? LOOKBACK_GROUP : LOOKBACK_GROUP * LOOKBACK_FAN;
            if (tile % size == size - 1 && tile + 1 < tiles) lookback_close(lookback, LOOKBACK_STAGE - 1, tile / size);
        } else {
            scan_tile(lookback, tiles, tile, LOOKBACK_STAGE == STAGE_ALL && tile == first ? behind - 1 : tile);
        }
        barrier();
    }
}

void main() {
    element_count = count_of(push.count, push.count_address, 0);
    segment_count = count_of(push.segments, push.segments_address, 0);
    uint workgroup = push.first + workgroup_number();
    if (workgroup >= push.workgroups) return;
    if (push.count > TILE) { // else no segment has several tiles
        // Clear: what an earlier operation left in scratch, as in every look-back.
        words_left = SLOTS_OF(SEGMENTED_SCAN_TILE_WORDS * (push.workgroups * (push.share / VECTOR_WIDTH) / (TILE / VECTOR_WIDTH)));
        Lookback lookback = lookback_begin(push.scratch, push.workgroups, workgroup);
        workgroup = lookback_tile(lookback);
        lookback_arrived(lookback, workgroup, true);
        barrier();
        if (STORES) clear_left(lookback, workgroup);
    }
    // Load, combine and store: take_group() for each short segment, take_tiles() for each long one.
    take_share(workgroup);
}
