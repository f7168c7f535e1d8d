#version 460
// variants: one | several SEVERAL | long SEVERAL LONG_KEYS | segments SEVERAL SEGMENTS | three SEVERAL THREE
//
// Stream compaction in one dispatch: a scan of the numbers of kept elements (Billeter, Olsson, Assarsson, "Efficient Stream Compaction on
// Wide SIMD Many-Core Architectures", HPG 2009), with the look-back of scan.comp. A workgroup counts the kept elements of a tile, gets the
// number of kept elements before the tile by look-back, and packs the kept ones in shared memory, a few rows of each team at a time, so
// that it stores whole rows.
//
// A team of 32 invocations has RUNS consecutive runs; a run is four rows of 32 vectors of four elements, or of two with LONG_KEYS.
//
// With SEVERAL, rejected elements and indices may go to outputs of their own. The outputs are packed one after the other. With
// VKPRIM_PREDICATE_OWN, a user's file says what is kept (vkprim/glsl/predicate.glsl), and there are no keys. With LONG_KEYS, keys have two
// words, and the heads of runs are kept; a vector of 16 bytes has two of them, so registers and shared memory are the same.
//
// With SEGMENTS, the input is divided into segments. For each segment that begins in a tile, the tile's workgroup writes how many elements
// are kept before it. It searches for these segments before it waits. The places of kept elements follow from a word for each vector, in the
// shared memory in which the outputs were packed.
//
// With THREE, rejected elements go to two outputs: one for keys below the range, one for others. Then all counts are pairs: of kept
// elements, and of elements below the range. The elements of look-back are 64-bit integers: the low word counts kept elements, the high
// word those below. The low word never carries.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/tile.h>
#include "compact_push.h"
#ifdef VKPRIM_PREDICATE_OWN
#define SEVERAL
#include <vkprim_operation_file.glsl>
#ifndef VKPRIM_PREDICATE_GLSL
#error the file of a predicate has to #include <vkprim/glsl/predicate.glsl>
#endif
#include <vkprim/glsl/detail/facts.h>
layout(constant_id = VKPRIM_FACTS_ID) const uint VKPRIM_FACTS = VKPRIM_FACTS_KEEP | VKPRIM_FACTS_VERSION;
#define SEGMENTS
#endif
#ifdef THREE
#define VKPRIM_ELEMENT_LONG
#define VKPRIM_EXCHANGES_ELEMENTS
#define COUNTS uvec2 // of kept elements, and of those below
#define COUNTS_OF(mask) uvec2(bitCount(mask & 15), bitCount(mask >> 16))
#else
#define COUNTS uint // of kept elements
#define COUNTS_OF(mask) bitCount(mask)
#endif
#ifndef LONG_KEYS
layout(constant_id = COMPACT_KEY_ID) const uint KEY = 0;             // vkprim::KeyType
#endif
#ifdef SEVERAL
layout(constant_id = COMPACT_COPY_ID) const uint OUTPUTS = 0;        // vkprim::Compact::Copy, and COMPACT_ALSO_INDICES ...
const uint COPY = OUTPUTS % COMPACT_ALSO_INDICES;
const bool ALSO_INDICES = (OUTPUTS & COMPACT_ALSO_INDICES) != 0, ALSO_REJECTED = (OUTPUTS & COMPACT_ALSO_REJECTED) != 0;
const bool INDICES_END = (OUTPUTS & COMPACT_INDICES_END) != 0;
#ifdef SEGMENTS
const bool HAS_SEGMENTS = (OUTPUTS & (COMPACT_SEGMENTS_OFFSETS | COMPACT_SEGMENTS_ROWS)) != 0, SEGMENTS_ROWS = (OUTPUTS & COMPACT_SEGMENTS_ROWS) != 0;
#endif
#else
layout(constant_id = COMPACT_COPY_ID) const uint COPY = 0;           // vkprim::Compact::Copy
const bool ALSO_REJECTED = false;
#endif
#ifdef LONG_KEYS
const bool RUN_HEADS = true;
#else
layout(constant_id = COMPACT_INSIDE_ID) const bool INSIDE = false;   // keep what lies in the range, or the others
layout(constant_id = COMPACT_RUN_HEADS_ID) const bool RUN_HEADS = false; // instead: keep keys that differ from the one before
#endif
layout(constant_id = COMPACT_BLOCKS_ID) const uint RUNS = 2;         // of a team, as many as a tile has blocks: 1 or 2
layout(constant_id = COMPACT_ALIGNED_ID) const bool ALIGNED = false; // elements, and keys of 4 and 8 bytes, to 16 bytes; others to 4
layout(constant_id = COMPACT_PREFETCH_DISTANCE_ID) const uint VKPRIM_LOOP_PREFETCH_DISTANCE = 0;
layout(constant_id = COMPACT_FIRST_WAVE_TILES_ID) const uint VKPRIM_LOOP_FIRST_WAVE_TILES = 0;
layout(constant_id = COMPACT_STAGE_ID) const uint VKPRIM_LOOKBACK_STAGE = 0;
layout(constant_id = COMPACT_ONE_GROUP_ID) const bool VKPRIM_LOOKBACK_ONE_GROUP = false;
const uint ROWS_AT_ONCE = 2; // of a team, that are packed at a time
const bool VKPRIM_LOOKBACK_HALVES = RUNS == 1;
const uint VKPRIM_LOOKBACK_GROUP = VKPRIM_TILE_FAN / RUNS, VKPRIM_LOOKBACK_FAN = VKPRIM_TILE_FAN;
const bool VKPRIM_LOOP_CROSSES = false; // it does not work in place
#include <vkprim/glsl/detail/lookback.glsl>
#include "../names.glsl"

layout(push_constant) uniform Push {
    CompactPush push;
#ifdef SEVERAL
    CompactSeveralPush several;
#endif
#ifdef VKPRIM_PREDICATE_OWN
    vkprim_ParametersPush vkprim_parameters;
#elif defined(SEGMENTS)
    CompactSegmentsPush segments_push;
#elif defined(THREE)
    CompactThreePush three;
#endif
};

#ifdef VKPRIM_PREDICATE_OWN
uint vkprim_parameter(uint i) { return vkprim_parameters.words[i]; }
uvec2 vkprim_parameter_address(uint i) { return vkprim_parameters.addresses[i]; }
#define segments_push CompactSegmentsPush(push.keys_address, uvec2(COUNT_ON_HOST, 0), push.lower, push.upper) // there are no keys
#endif
#ifdef SEVERAL
uvec2 output_address; // the one that is being stored
#else
#define output_address push.output_address
#endif

#ifdef LONG_KEYS
const uint PER_VECTOR = 2, KEY_SIZE = 8;
uint copy_words; // of each copy that is being stored: 1 or 2
#else
const uint PER_VECTOR = 4; // elements
const uint KEY_SIZE = KEY == KEY_U8 ? 1 : 4;
#endif
const uint ROWS_PER_RUN = TILE_ROWS(1);
const uint MASK_BITS = 4; // of a vector: which of its elements are kept
const uint TILE = TILE_BLOCK / VECTOR_WORDS * PER_VECTOR * RUNS, ROW = PER_VECTOR * TEAM, ROW_WORDS = VECTOR_WORDS * TEAM;
const uint PREFETCH_FROM_ONE_IN = 16; // kept elements: one in so many, at random, is in 40 % of the elements' sectors of 32 bytes

shared COUNTS run_totals[TEAMS * RUNS];
#ifdef SEGMENTS
// If a tile has more rows than are packed at a time, a word for each vector needs more memory than packing. (Not with &&: glslang defines that too late.)
const uint PACKED_WORDS = TEAMS * ROWS_AT_ONCE * ROW_WORDS, STAGED_VECTORS = HAS_SEGMENTS ? TILE / PER_VECTOR : 0;
shared uint staged[STAGED_VECTORS > PACKED_WORDS ? STAGED_VECTORS : PACKED_WORDS];
shared uint probed[2];        // by the search for segments
shared uvec2 segments_of_tile; // in shared memory while outputs are stored: Adreno's compiler spilled
uint segment_count; // of this operation
#else
shared uint staged[TEAMS * ROWS_AT_ONCE * ROW_WORDS];
#endif

uint element_count; // of this operation

uint count_of_tile(uint tile) { return min(TILE, element_count - tile * TILE); }

// Where in the tile this invocation's vector of a row of a run begins.
uint element_index(uint run, uint row) {
    return (invocation() / TEAM * RUNS + run) * (TILE_RUN / VECTOR_WORDS * PER_VECTOR) + row * ROW + invocation() % TEAM * PER_VECTOR;
}

#ifdef LONG_KEYS
#include "keys_long.glsl"
#else
#include "keys.glsl"
#endif
#include "pack.glsl"

#ifdef VKPRIM_PREDICATE_OWN
#include "predicate.glsl"
#else
// Loads a tile's keys, and finds which of them are kept.
void load_tile(uint tile, out uvec4 keys[RUNS][ROWS_PER_RUN], out uint kept[RUNS], out COUNTS befores[RUNS], out COUNTS totals[RUNS]) {
    load_keys(tile, keys);
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        COUNTS counts = COUNTS(0);
        kept[run] = 0;
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) {
            uint mask = kept_of(tile, keys[run][row], element_index(run, row), count_of_tile(tile));
            kept[run] |= mask << MASK_BITS * row;
            counts |= COUNTS_OF(mask) << 8 * row;
        }
        befores[run] = scan_rows(counts, totals[run]);
        if (invocation() % TEAM == run) run_totals[invocation() / TEAM * RUNS + run] = sum_of_bytes(totals[run]);
    }
}
#endif

void fetch_tile(uint tile, inout uvec4 copies[RUNS][ROWS_PER_RUN], uint kept[RUNS]) {
    if (FEW_REGISTERS) return;
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) {
            copies[run][row] = load_copies(COPY, tile, run, row, copies[run][row], ALSO_REJECTED || (kept[run] >> MASK_BITS * row & 15) != 0);
        }
    }
}

// Prefetches a tile. `kept`: how many elements of this workgroup's own tile are kept. If these are few, elements are not prefetched: few of them will
// be read, except with ALSO_REJECTED.
#ifdef VKPRIM_PREDICATE_OWN
uint touch_tile(uint tile, uint kept) {
    if (COPY != COPY_ELEMENTS || kept < TILE / PREFETCH_FROM_ONE_IN) return 0;
    return touch(address_of(push.elements_address, tile, TILE * 4), TILE);
}
#else
uint touch_tile(uint tile, uint kept) {
    uint touched = touch(address_of(push.keys_address & uvec2(~3u, ~0u), tile, TILE * KEY_SIZE), TILE * KEY_SIZE / 4);
    if (COPY == COPY_ELEMENTS && kept >= TILE / PREFETCH_FROM_ONE_IN) touched |= touch(address_of(push.elements_address, tile, TILE * 4), TILE);
    return touched;
}
#endif

#ifdef SEVERAL
#include "several.glsl"
#endif
#ifdef SEGMENTS
#include "segments.glsl"
#endif
#ifdef SEVERAL
void store_ends(uint kept) {
#ifdef SEGMENTS
    Words(address_of(push.kept_address, HAS_SEGMENTS ? segment_count : 0, 4)).at[0] = kept;
#else
    Words(push.kept_address).at[0] = kept;
#endif
    uvec2 indices = ALSO_INDICES ? several.indices_output : push.output_address;
    if (INDICES_END) Words(address_of(indices, kept, 4)).at[0] = element_count;
}
#endif

void main() {
    element_count = count_of(push.count, push.count_address, 0);
    const uint tiles = max(element_count / TILE + uint(element_count % TILE != 0), 1); // with a count of 0, one empty tile writes the outputs
    const uint workgroup = push.first + workgroup_number();
    const uvec2 scratch = push.scratch;
    uvec4 copies[RUNS][ROWS_PER_RUN]; // of this invocation: its keys, and then what goes to the output
    uint kept[RUNS];       // of each run, which of them are kept, a bit each
    COUNTS befores[RUNS];    // how many are kept before them in each row, a byte each
    COUNTS totals[RUNS];     // and in each row
    COUNTS run_before[RUNS]; // and before the run
    COUNTS total;            // and in the tile
    // Load: the keys of a tile, and which of them are kept.
#define VKPRIM_HOOK_LOAD(tile) load_tile(tile, copies, kept, befores, totals)
    // Combine: how many are kept, in the tile and before each run; while others publish, what else the outputs need.
#define VKPRIM_HOOK_AGGREGATE(tile) (total = scan_runs(run_before))
#define VKPRIM_HOOK_FETCH(tile) fetch_tile(tile, copies, kept)
#ifdef THREE
#define VKPRIM_HOOK_TOUCH(tile) touch_tile(tile, TILE) // all elements are read
#else
#define VKPRIM_HOOK_TOUCH(tile) touch_tile(tile, total)
#endif
#ifdef SEGMENTS
    if (HAS_SEGMENTS) segment_count = count_of(segments_push.segments, segments_push.segments_address, 0);
#define VKPRIM_HOOK_PLACE(tile) if (HAS_SEGMENTS) find_segments(tile, tiles)
#define STORE_SEGMENTS(tile, prefix) if (HAS_SEGMENTS) store_segments(tile, prefix, kept, befores, totals, run_before)
#else
#define VKPRIM_HOOK_PLACE(tile)
#define STORE_SEGMENTS(tile, prefix)
#endif
    // Store: the kept elements, packed, behind the `prefix` that are kept before the tile.
#ifdef THREE
#define VKPRIM_HOOK_STORE(tile, prefix) \
    prefix.x = min(prefix.x, tile * TILE); /* as below */ \
    prefix.y = min(prefix.y, tile * TILE - prefix.x); \
    if (tile == tiles - 1 && invocation() == 0) { \
        store_ends(prefix.x + total.x); \
        Words(push.kept_address).at[1] = prefix.y + total.y; \
    } \
    store_three(tile, prefix, copies, kept, befores, totals, run_before)
#elif defined(SEVERAL)
#define VKPRIM_HOOK_STORE(tile, prefix) \
    prefix = min(prefix, tile * TILE); /* as below */ \
    if (tile == tiles - 1 && invocation() == 0) store_ends(prefix + total); \
    store_outputs(tile, prefix, copies, kept, befores, totals, run_before); \
    STORE_SEGMENTS(tile, prefix)
#else
#define VKPRIM_HOOK_STORE(tile, prefix) \
    /* Scratch that was never zero-filled may hold any prefix; what is stored must still lie in the output. */ \
    prefix = min(prefix, tile * TILE); \
    if (tile == tiles - 1 && invocation() == 0) Words(push.kept_address).at[0] = prefix + total; \
    [[unroll]] for (uint run = 0; run < RUNS; ++run) store_run(COPY, tile, run, prefix + run_before[run], totals[run], befores[run], kept[run], copies[run])
#endif
#include <vkprim/glsl/detail/tile_loop.glsl>
}
