#version 460
// variants: one | several VKPRIM_SEVERAL | long VKPRIM_SEVERAL LONG_KEYS | segments VKPRIM_SEVERAL SEGMENTS | three VKPRIM_SEVERAL THREE
//
// Stream compaction in one dispatch: a scan of the numbers of kept elements (Billeter, Olsson, Assarsson, "Efficient Stream Compaction on
// Wide SIMD Many-Core Architectures", HPG 2009), with the look-back of scan.comp. A workgroup counts the kept elements of a tile, gets the
// number of kept elements before the tile by look-back, and packs the kept ones in shared memory, a few rows of each team at a time, so
// that it stores whole rows.
//
// A team of 32 invocations has RUNS consecutive runs; a run is four rows of 32 vectors of four elements, or of two with LONG_KEYS.
//
// With VKPRIM_SEVERAL, rejected elements and indices may go to outputs of their own. The outputs are packed one after the other. With
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
#define VKPRIM_SEVERAL
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
#ifdef VKPRIM_SEVERAL
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
layout(constant_id = COMPACT_RUNS_ID) const uint RUNS = 2;           // of a team: 1 or 2
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

layout(push_constant) uniform Push {
    CompactPush push;
#ifdef VKPRIM_SEVERAL
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
#define segments_push CompactSegmentsPush(push.keys_address, uvec2(VKPRIM_COUNT_ON_HOST, 0), push.lower, push.upper) // there are no keys
#endif
#ifdef VKPRIM_SEVERAL
uvec2 output_address; // the one that is being stored
#else
#define output_address push.output_address
#endif

#ifdef LONG_KEYS
const uint VECTOR_WIDTH = 2, KEY_SIZE = 8;
uint copy_words; // of each copy that is being stored: 1 or 2
#else
const uint VECTOR_WIDTH = 4; // elements
const uint KEY_SIZE = KEY == KEY_U8 ? 1 : 4;
#endif
const uint ROWS_PER_RUN = VKPRIM_TILE_ROWS(1);
const uint MASK_BITS = 4; // of a vector: which of its elements are kept
const uint TILE = VKPRIM_TILE_BLOCK / VKPRIM_VECTOR_WORDS * VECTOR_WIDTH * RUNS, ROW = VECTOR_WIDTH * VKPRIM_TEAM, ROW_WORDS = VKPRIM_VECTOR_WORDS * VKPRIM_TEAM;
const uint FEW = 16; // one of so many, at random, is in 40 % of the elements' sectors of 32 bytes

shared COUNTS run_totals[VKPRIM_TEAMS * RUNS];
#ifdef SEGMENTS
// If a tile has more rows than are packed at a time, a word for each vector needs more memory than packing. (Not with &&: glslang defines that too late.)
const uint PACKED_WORDS = VKPRIM_TEAMS * ROWS_AT_ONCE * ROW_WORDS, STAGED_VECTORS = HAS_SEGMENTS ? TILE / VECTOR_WIDTH : 0;
shared uint staged[STAGED_VECTORS > PACKED_WORDS ? STAGED_VECTORS : PACKED_WORDS];
shared uint probed[2];        // by the search for segments
shared uvec2 segments_of_tile; // in shared memory while outputs are stored: Adreno's compiler spilled
uint segment_count; // of this operation
#else
shared uint staged[VKPRIM_TEAMS * ROWS_AT_ONCE * ROW_WORDS];
#endif

uint element_count; // of this operation

uint count_of_tile(uint tile) { return min(TILE, element_count - tile * TILE); }

// Where in the tile this invocation's vector of a row of a run begins.
uint element_index(uint run, uint row) {
    return (vkprim_invocation() / VKPRIM_TEAM * RUNS + run) * (VKPRIM_TILE_RUN / VKPRIM_VECTOR_WORDS * VECTOR_WIDTH) + row * ROW + vkprim_invocation() % VKPRIM_TEAM * VECTOR_WIDTH;
}

#ifdef LONG_KEYS
// Two keys; those from `count` on are not used.
uvec4 load_long_keys(uvec2 source, uint index, uint count) {
    if (ALIGNED && index + 2 <= count) return vkprim_Words4(source).at[index / 2];
    uvec4 keys = uvec4(0);
    if (index + 0 < count) keys.xy = vkprim_Words2(source).at[index];
    if (index + 1 < count) keys.zw = vkprim_Words2(source).at[index + 1];
    return keys;
}

// The elements of two keys; those from `count` on, and the last two words, are not used.
uvec4 load_words(uvec2 source, uint index, uint count) {
    uvec4 words = uvec4(0);
    if (ALIGNED && index + 2 <= count) {
        words.xy = vkprim_Words2(source).at[index / 2];
        return words;
    }
    if (index + 0 < count) words.x = vkprim_Words(source).at[index];
    if (index + 1 < count) words.y = vkprim_Words(source).at[index + 1];
    return words;
}

// Of a tile: this invocation's keys, a vector of each row.
void load_keys(uint tile, out uvec4 keys[RUNS][ROWS_PER_RUN]) {
    uvec2 source = vkprim_address_of(push.keys_address, tile, TILE * KEY_SIZE);
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) keys[run][row] = load_long_keys(source, element_index(run, row), count_of_tile(tile));
    }
}

// Which of a vector of keys are kept, as bits: those that differ from the key before them, so that a run begins there.
uint kept_of(uint tile, uvec4 keys, uint index, uint count) {
    uint element = tile * TILE + index;
    uvec2 before = ~keys.xy; // nothing comes before the first
    if (element > 0 && index < count) before = vkprim_Words2(vkprim_address_of(push.keys_address, element - 1, KEY_SIZE)).at[0];
    uint first = uint(index + 0 < count && keys.xy != before), second = uint(index + 1 < count && keys.zw != keys.xy);
    return first | second << 1;
}
#else
// Four words; those from `count` on are not used. There is no condition for each word at any address, since AMD's compiler spilled then.
uvec4 load_words(uvec2 source, uint index, uint count) {
    if (ALIGNED && index + VKPRIM_VECTOR_WORDS <= count) return vkprim_Words4(source).at[index / VKPRIM_VECTOR_WORDS];
    if (ALIGNED || count == 0) return vkprim_words_load_partial(source, index, count);
    vkprim_Words words = vkprim_Words(source);
    uvec4 at = min(uvec4(index) + uvec4(0, 1, 2, 3), uvec4(count - 1));
    return uvec4(words.at[at.x], words.at[at.y], words.at[at.z], words.at[at.w]);
}

// Keys of a byte, in the aligned words from a tile's first on. The first word and the last may hold bytes that are no keys, and may
// lie beyond the buffer: keys are put together from their bytes there, once for the tile.
struct ByteKeys {
    uvec2 base;        // of the first word
    uint shift;        // place of the tile's first key in it
    uint begin, end;   // places of keys, from the base on: of the first key, and after the last
    uint first, last;  // these two words, if they are not whole
};

uint word_of_bytes(ByteKeys keys, uint word) {
    const uint last = max(keys.end, keys.begin + 1) - 1; // the loop's load is of a key in any round (address.glsl)
    uint bytes = 0;
    for (uint place = max(4 * word, keys.begin); place < min(4 * word + 4, keys.end); ++place) {
        bytes |= vkprim_byte_at(vkprim_address_add(keys.base, min(place, last))) << 8 * (place - 4 * word);
    }
    return bytes;
}

ByteKeys byte_keys_of(uint tile) {
    ByteKeys keys;
    keys.base = vkprim_address_of(push.keys_address, tile, TILE);
    keys.shift = keys.base.x & 3;
    keys.base.x -= keys.shift;
    keys.begin = tile == 0 ? keys.shift : 0;
    keys.end = keys.shift + min(element_count - tile * TILE, TILE + 4);
    keys.first = keys.last = 0;
    if (keys.begin > 0) keys.first = word_of_bytes(keys, 0);
    if (keys.end % 4 > 0) keys.last = word_of_bytes(keys, keys.end / 4);
    return keys;
}

// After the last word, any value: kept_of() does not use it.
uint key_word(ByteKeys keys, uint word) {
    uint bytes = 4 * word < keys.begin ? keys.first : keys.last;
    if (4 * word >= keys.begin && 4 * word + 4 <= keys.end) bytes = vkprim_Words(keys.base).at[word];
    return bytes;
}

uvec4 bytes_of(uint word) { return uvec4(word, word >> 8, word >> 16, word >> 24) & 0xff; }

uvec4 load_bytes(ByteKeys keys, uint index) {
    uint word = key_word(keys, index / 4) >> 8 * keys.shift;
    if (keys.shift > 0) word |= key_word(keys, index / 4 + 1) << 32 - 8 * keys.shift;
    return bytes_of(word);
}

// The same if the tile begins with a whole word: only the last one may not be whole, and is loaded after the others.
void load_aligned_bytes(uint tile, out uvec4 keys[RUNS][ROWS_PER_RUN]) {
    uvec2 source = vkprim_address_of(push.keys_address, tile, TILE);
    uint count = count_of_tile(tile), last = count - count % 4, rest = 0;
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) {
            uint index = element_index(run, row), word = 0;
            if (index < last) word = vkprim_Words(source).at[index / 4];
            keys[run][row] = bytes_of(word);
        }
    }
    if (last == count) return;
    for (uint i = last; i < count; ++i) rest |= vkprim_byte_at(vkprim_address_add(source, min(i, count - 1))) << 8 * (i - last);
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) {
            if (element_index(run, row) == last) keys[run][row] = bytes_of(rest);
        }
    }
}

// Of a tile: this invocation's keys, a vector of each row.
void load_keys(uint tile, out uvec4 keys[RUNS][ROWS_PER_RUN]) {
    if (KEY == KEY_U8 && ALIGNED) {
        load_aligned_bytes(tile, keys);
        return;
    }
    uvec2 source = vkprim_address_of(push.keys_address, tile, TILE * 4);
    ByteKeys byte_keys;
    if (KEY == KEY_U8) byte_keys = byte_keys_of(tile);
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) {
            uint index = element_index(run, row);
            keys[run][row] = KEY == KEY_U8 ? load_bytes(byte_keys, index) : load_words(source, index, count_of_tile(tile));
        }
    }
}

// The place of a key in the order of its type; that of +0 for both zeros.
uvec4 order_of(uvec4 bits) {
    if (KEY == KEY_I32) return bits ^ 0x80000000u;
    if (KEY != KEY_F32) return bits;
    uvec4 negative = uvec4(ivec4(bits) >> 31);
    return mix(bits ^ (negative | 0x80000000u), uvec4(0x80000000u), equal(bits << 1, uvec4(0)));
}

// For each key of the vector that begins at `index`: 1 if it differs from the key before it, so that a run begins there; else 0.
uvec4 run_heads_of(uint tile, uvec4 keys, uint index, uint count) {
    uint element = tile * TILE + index, before = ~keys.x; // nothing comes before the first
    if (element > 0 && index < count) before = vkprim_Words(vkprim_address_of(push.keys_address, element - 1, 4)).at[0];
    return uvec4(notEqual(keys, uvec4(before, keys.xyz)));
}

// Which of a vector of keys are kept, as bits; with THREE, in the upper half which are below.
uint kept_of(uint tile, uvec4 keys, uint index, uint count) {
    uvec4 order = order_of(keys), place = uvec4(index) + uvec4(0, 1, 2, 3), kept;
    uvec4 inside = uvec4(greaterThanEqual(order, uvec4(push.lower))) & uvec4(lessThanEqual(order, uvec4(push.upper)));
    kept = RUN_HEADS ? run_heads_of(tile, keys, index, count) : INSIDE ? inside : 1 - inside;
    kept &= uvec4(lessThan(place, uvec4(count)));
#ifdef THREE
    uvec4 below = uvec4(greaterThanEqual(order, uvec4(three.below_lower))) & uvec4(lessThanEqual(order, uvec4(three.below_upper)));
    kept |= (below & uvec4(lessThan(place, uvec4(count)))) << 16;
#endif
    return kept.x | kept.y << 1 | kept.z << 2 | kept.w << 3;
}
#endif

// What goes to an output, COPY_..., for a vector with kept elements.
uvec4 load_copies(uint copy, uint tile, uint run, uint row, uvec4 keys, bool any) {
    uint index = element_index(run, row);
    if (copy == COPY_KEYS) return keys;
    if (copy == COPY_INDICES) return tile * TILE + index + uvec4(0, 1, 2, 3);
    if (!any) return uvec4(0);
    return load_words(vkprim_address_of(push.elements_address, tile, TILE * 4), index, count_of_tile(tile));
}

// Keys that go to an output, once more.
uvec4 load_keys_again(uint tile, uint run, uint row) {
    uvec2 source = vkprim_address_of(push.keys_address, tile, TILE * KEY_SIZE);
#ifdef LONG_KEYS
    return load_long_keys(source, element_index(run, row), count_of_tile(tile));
#else
    return load_words(source, element_index(run, row), count_of_tile(tile));
#endif
}

// From how many this invocation keeps in each row of a run, a byte each: how many are kept in the row before it; and in the rows.
COUNTS scan_rows(COUNTS counts, out COUNTS totals) {
    COUNTS before = COUNTS(0);
    totals = counts;
    [[unroll]] for (uint bit = 1; bit < VKPRIM_TEAM; bit <<= 1) {
        COUNTS sibling = vkprim_team_exchange(totals, bit);
        if ((vkprim_invocation() & bit) != 0) before += sibling;
        totals += sibling;
    }
    return before;
}

COUNTS sum_of_bytes(COUNTS bytes) {
    bytes = (bytes & 0xff00ff) + (bytes >> 8 & 0xff00ff);
    return (bytes & 0xffff) + (bytes >> 16);
}

// From the totals of a tile's runs: the tile's total, and the number of kept elements before each of this team's runs. Invocations 0 to 15 of
// every team hold a run each.
COUNTS scan_runs(out COUNTS run_before[RUNS]) {
    COUNTS before = COUNTS(0), total = run_totals[vkprim_invocation() % (VKPRIM_TEAMS * RUNS)];
    [[unroll]] for (uint bit = 1; bit < VKPRIM_TEAMS * RUNS; bit <<= 1) {
        COUNTS sibling = vkprim_team_exchange(total, bit);
        if ((vkprim_invocation() & bit) != 0) before += sibling;
        total += sibling;
    }
    [[unroll]] for (uint run = 0; run < RUNS; ++run) run_before[run] = vkprim_team_shuffle(before, vkprim_invocation() / VKPRIM_TEAM * RUNS + run);
    return total;
}

// Stores the kept elements of `rows` rows of this team, from `first_row` on. The first kept element goes to output[target]. At most ROWS_AT_ONCE * ROW may
// be kept.
void store_rows(uint copy, uint tile, uint run, uint target, uint totals, uint befores, uint kept, uvec4 copies[ROWS_PER_RUN], uint first_row,
                uint rows) {
    const uint base = vkprim_invocation() / VKPRIM_TEAM * (ROWS_AT_ONCE * ROW_WORDS);
    uint total = 0;
    [[unroll]] for (uint i = 0; i < rows; ++i) {
        uint row = first_row + i, mask = kept >> MASK_BITS * row, at = base + total + (befores >> 8 * row & 0xff);
        if (VKPRIM_FEW_REGISTERS) {
            copies[row] = copy == COPY_KEYS ? load_keys_again(tile, run, row) : load_copies(copy, tile, run, row, copies[row], (mask & 15) != 0);
        }
#ifdef LONG_KEYS
        at = base + (at - base) * copy_words;
        [[unroll]] for (uint i = 0; i < VECTOR_WIDTH; ++i) {
            if ((mask >> i & 1) != 0) {
                staged[at] = copy_words == 2 ? copies[row][2 * i] : copies[row][i];
                if (copy_words == 2) staged[at + 1] = copies[row][2 * i + 1];
                at += copy_words;
            }
        }
#else
        [[unroll]] for (uint i = 0; i < VECTOR_WIDTH; ++i) {
            if ((mask >> i & 1) != 0) staged[at++] = copies[row][i];
        }
#endif
        total += totals >> 8 * row & 0xff;
    }
    vkprim_team_barrier();
#ifdef LONG_KEYS
    vkprim_Words output_words = vkprim_Words(vkprim_address_of(output_address, target, 4 * copy_words));
    total *= copy_words;
#else
    vkprim_Words output_words = vkprim_Words(vkprim_address_of(output_address, target, 4));
#endif
    [[unroll]] for (uint first = 0; first < ROWS_AT_ONCE * ROW_WORDS; first += VKPRIM_TEAM) {
        uint i = first + vkprim_invocation() % VKPRIM_TEAM;
        if (i < total) output_words.at[i] = staged[base + i];
    }
    vkprim_team_barrier();
}

// Stores the kept elements of a run. There are mostly few heads: if those of all four rows fit into the staging memory, for every run of the subgroup,
// they are stored at once. For other predicates that is slower (bench/NOTES.md).
void store_run(uint copy, uint tile, uint run, uint target, uint totals, uint befores, uint kept, uvec4 copies[ROWS_PER_RUN]) {
#ifndef THREE
    if (RUN_HEADS && VKPRIM_SUBGROUP_SIZE >= VKPRIM_TEAM && ROWS_AT_ONCE < ROWS_PER_RUN) {
        if (vkprim_subgroup_all(sum_of_bytes(totals) <= ROWS_AT_ONCE * ROW)) {
            store_rows(copy, tile, run, target, totals, befores, kept, copies, 0, ROWS_PER_RUN);
            return;
        }
    }
#endif
    [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; row += ROWS_AT_ONCE) {
        store_rows(copy, tile, run, target, totals, befores, kept, copies, row, ROWS_AT_ONCE);
        [[unroll]] for (uint i = row; i < row + ROWS_AT_ONCE; ++i) target += totals >> 8 * i & 0xff;
    }
}

#ifdef VKPRIM_PREDICATE_OWN
// Calls keep() for the elements of a tile. The loop over rows is not unrolled: each copy of the call would compile the user's code again.
void load_tile(uint tile, out uvec4 keys[RUNS][ROWS_PER_RUN], out uint kept[RUNS], out uint befores[RUNS], out uint totals[RUNS]) {
    const uint count = count_of_tile(tile);
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        uint counts = 0;
        kept[run] = 0;
        for (uint row = 0; row < ROWS_PER_RUN; ++row) {
            uint index = element_index(run, row), mask = 0;
            [[unroll]] for (uint i = 0; i < VECTOR_WIDTH; ++i) {
                if (index + i < count) mask |= uint(keep(tile * TILE + index + i)) << i;
            }
            kept[run] |= mask << MASK_BITS * row;
            counts |= bitCount(mask) << 8 * row;
        }
        befores[run] = scan_rows(counts, totals[run]);
        if (vkprim_invocation() % VKPRIM_TEAM == run) run_totals[vkprim_invocation() / VKPRIM_TEAM * RUNS + run] = sum_of_bytes(totals[run]);
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) keys[run][row] = uvec4(0);
    }
}
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
        if (vkprim_invocation() % VKPRIM_TEAM == run) run_totals[vkprim_invocation() / VKPRIM_TEAM * RUNS + run] = sum_of_bytes(totals[run]);
    }
}
#endif

void fetch_tile(uint tile, inout uvec4 copies[RUNS][ROWS_PER_RUN], uint kept[RUNS]) {
    if (VKPRIM_FEW_REGISTERS) return;
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
    if (COPY != COPY_ELEMENTS || kept < TILE / FEW) return 0;
    return vkprim_touch(vkprim_address_of(push.elements_address, tile, TILE * 4), TILE);
}
#else
uint touch_tile(uint tile, uint kept) {
    uint touched = vkprim_touch(vkprim_address_of(push.keys_address & uvec2(~3u, ~0u), tile, TILE * KEY_SIZE), TILE * KEY_SIZE / 4);
    if (COPY == COPY_ELEMENTS && kept >= TILE / FEW) touched |= vkprim_touch(vkprim_address_of(push.elements_address, tile, TILE * 4), TILE);
    return touched;
}
#endif

#ifdef VKPRIM_SEVERAL
void store_output(uint copy, uint tile, uint prefix, uvec4 copies[RUNS][ROWS_PER_RUN], uint kept[RUNS], uint befores[RUNS], uint totals[RUNS], uint run_before[RUNS]) {
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        store_run(copy, tile, run, prefix + run_before[run], totals[run], befores[run], kept[run], copies[run]);
    }
}

// Stores the rejected elements. The number of rejected elements before a place is the number of all elements before it, less the kept ones.
void store_rejected(uint tile, uint prefix, uvec4 copies[RUNS][ROWS_PER_RUN], uint kept[RUNS], uint befores[RUNS], uint totals[RUNS],
                    uint run_before[RUNS]) {
    const uint count = count_of_tile(tile);
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        uint begin = element_index(run, 0) - vkprim_invocation() % VKPRIM_TEAM * VECTOR_WIDTH, all = 0, all_before = 0, all_in_rows = 0;
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) {
            uint in_row = min(count - min(count, begin + row * ROW), ROW), before = min(vkprim_invocation() % VKPRIM_TEAM * VECTOR_WIDTH, in_row);
            all |= (1u << min(in_row - before, VECTOR_WIDTH)) - 1 << MASK_BITS * row;
            all_before |= before << 8 * row;
            all_in_rows |= in_row << 8 * row;
        }
        kept[run] ^= all;
        befores[run] = all_before - befores[run];
        totals[run] = all_in_rows - totals[run];
        run_before[run] = min(begin, count) - run_before[run];
    }
#ifdef THREE
    output_address = three.above_output;
#else
    output_address = several.rejected_output;
#endif
    store_output(COPY, tile, tile * TILE - prefix, copies, kept, befores, totals, run_before);
}

#ifndef THREE
void store_outputs(uint tile, uint prefix, uvec4 copies[RUNS][ROWS_PER_RUN], uint kept[RUNS], uint befores[RUNS], uint totals[RUNS],
                   uint run_before[RUNS]) {
    output_address = push.output_address;
#ifdef LONG_KEYS
    copy_words = COPY == COPY_KEYS ? 2 : 1;
#endif
    store_output(COPY, tile, prefix, copies, kept, befores, totals, run_before);
    if (ALSO_REJECTED) store_rejected(tile, prefix, copies, kept, befores, totals, run_before);
    if (!ALSO_INDICES) return;
    output_address = several.indices_output;
#ifdef LONG_KEYS
    copy_words = 1;
#endif
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) copies[run][row] = tile * TILE + element_index(run, row) + uvec4(0, 1, 2, 3);
    }
    store_output(COPY_INDICES, tile, prefix, copies, kept, befores, totals, run_before);
}
#else
// Stores the elements below, the kept ones, and those above, which are all others.
void store_three(uint tile, uvec2 prefix, uvec4 copies[RUNS][ROWS_PER_RUN], uint kept[RUNS], uvec2 befores[RUNS], uvec2 totals[RUNS],
                 uvec2 run_before[RUNS]) {
    uint masks[RUNS], mask_befores[RUNS], mask_totals[RUNS], mask_run_before[RUNS];
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        masks[run] = kept[run] >> 16;
        mask_befores[run] = befores[run].y;
        mask_totals[run] = totals[run].y;
        mask_run_before[run] = run_before[run].y;
    }
    output_address = several.rejected_output;
    store_output(COPY, tile, prefix.y, copies, masks, mask_befores, mask_totals, mask_run_before);
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        masks[run] |= kept[run] & 0xffff;
        mask_befores[run] += befores[run].x;
        mask_totals[run] += totals[run].x;
        mask_run_before[run] += run_before[run].x;
    }
    store_rejected(tile, prefix.x + prefix.y, copies, masks, mask_befores, mask_totals, mask_run_before);
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        masks[run] = kept[run] & 0xffff;
        mask_befores[run] = befores[run].x;
        mask_totals[run] = totals[run].x;
        mask_run_before[run] = run_before[run].x;
    }
    output_address = push.output_address;
    store_output(COPY, tile, prefix.x, copies, masks, mask_befores, mask_totals, mask_run_before);
}
#endif
#endif

#ifdef SEGMENTS
// Where a segment begins.
uint begin_of(uint segment) {
    uint begin, high = 0;
    if (SEGMENTS_ROWS) {
        umulExtended(segment, segments_push.size, high, begin);
    } else {
        uvec2 address = vkprim_address_of(segments_push.offsets_address, segment, segments_push.size);
        begin = vkprim_Words(address).at[0];
        if (segments_push.size == 8) high = vkprim_Words(address).at[1];
    }
    return high != 0 ? element_count : min(begin, element_count);
}

// How many rows begin before a place.
uint rows_ahead(uint place) {
    if (place == 0) return 0;
    if (segments_push.size == 0) return segment_count;
    return min((place - 1) / segments_push.size + 1, segment_count);
}

// The first segment that begins in a tile, and the one after the last that does. Segments that begin at the count are in the last tile. One
// half of the workgroup searches for the first, and the other half for the one after the last, with a branch for each invocation.
uvec2 segments_in(uint tile, uint tiles) {
    const bool is_last = tile == tiles - 1;
    const uvec2 ends = uvec2(tile * TILE, tile * TILE + TILE);
    if (SEGMENTS_ROWS) return uvec2(rows_ahead(ends.x), is_last ? segment_count : rows_ahead(ends.y));
    const uint branches = VKPRIM_WORKGROUP_SIZE / 2, half_number = vkprim_invocation() / branches, branch = vkprim_invocation() % branches;
    uvec2 least = uvec2(0, is_last ? segment_count : 0), most = uvec2(tile == 0 ? 0 : segment_count, segment_count);
    while (any(lessThan(least, most))) {
        const uvec2 sizes = most - least, each = (sizes - 1) / branches + 1;
        const uint probe = branch * (half_number == 0 ? each.x : each.y);
        if (vkprim_invocation() < 2) probed[vkprim_invocation()] = 0;
        barrier();
        if (probe < (half_number == 0 ? sizes.x : sizes.y) &&
            begin_of((half_number == 0 ? least.x : least.y) + probe) < (half_number == 0 ? ends.x : ends.y)) {
            atomicMax(probed[half_number], branch + 1);
        }
        barrier();
        const uvec2 ahead = uvec2(probed[0], probed[1]), last = least + each * (ahead - 1);
        barrier();
        most = mix(last + min(each, most - last), least, equal(ahead, uvec2(0)));
        least = mix(last + 1, least, equal(ahead, uvec2(0)));
    }
    return uvec2(least.x, max(least.x, least.y)); // of offsets that descend, none
}

void find_segments(uint tile, uint tiles) {
    uvec2 segments = segments_in(tile, tiles);
    if (vkprim_invocation() == 0) segments_of_tile = segments;
}

// Stores how many elements are kept before each of these segments.
void store_segments(uint tile, uint prefix, uint kept[RUNS], uint befores[RUNS], uint totals[RUNS], uint run_before[RUNS]) {
    barrier(); // all outputs have been packed
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        uint row_before = run_before[run];
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) {
            staged[element_index(run, row) / VECTOR_WIDTH] = row_before + (befores[run] >> 8 * row & 0xff) << 4 | kept[run] >> MASK_BITS * row & 15;
            row_before += totals[run] >> 8 * row & 0xff;
        }
    }
    barrier();
    const uvec2 segments = segments_of_tile;
    for (uint first = 0; first < segments.y - segments.x; first += VKPRIM_WORKGROUP_SIZE) {
        uint segment = segments.x + first + vkprim_invocation();
        if (segment < segments.y) {
            uint place = begin_of(segment) - tile * TILE, vector = staged[min(place, TILE - 1) / VECTOR_WIDTH];
            uint ahead = place < TILE ? (1u << place % VECTOR_WIDTH) - 1 : 15; // of the vector; all of the last one if the segment begins after the tile
            vkprim_Words(vkprim_address_of(push.kept_address, segment, 4)).at[0] = prefix + (vector >> 4) + bitCount(vector & ahead);
        }
    }
}
#endif

#ifdef VKPRIM_SEVERAL
void store_ends(uint kept) {
#ifdef SEGMENTS
    vkprim_Words(vkprim_address_of(push.kept_address, HAS_SEGMENTS ? segment_count : 0, 4)).at[0] = kept;
#else
    vkprim_Words(push.kept_address).at[0] = kept;
#endif
    uvec2 indices = ALSO_INDICES ? several.indices_output : push.output_address;
    if (INDICES_END) vkprim_Words(vkprim_address_of(indices, kept, 4)).at[0] = element_count;
}
#endif

void main() {
    element_count = vkprim_count_of(push.count, push.count_address, 0);
    const uint tiles = max(element_count / TILE + uint(element_count % TILE != 0), 1); // with a count of 0, one empty tile writes the outputs
    const uint workgroup = push.first + vkprim_workgroup_number();
    const uvec2 scratch = push.scratch;
    uvec4 copies[RUNS][ROWS_PER_RUN]; // of this invocation: its keys, and then what goes to the output
    uint kept[RUNS];       // of each run, which of them are kept, a bit each
    COUNTS befores[RUNS];    // how many are kept before them in each row, a byte each
    COUNTS totals[RUNS];     // and in each row
    COUNTS run_before[RUNS]; // and before the run
    COUNTS total;            // and in the tile
#define VKPRIM_HOOK_LOAD(tile) load_tile(tile, copies, kept, befores, totals)
#define VKPRIM_HOOK_AGGREGATE(tile) (total = scan_runs(run_before))
#define VKPRIM_HOOK_FETCH(tile) fetch_tile(tile, copies, kept)
#ifdef THREE
#define VKPRIM_HOOK_TOUCH(tile) touch_tile(tile, TILE) // all elements are read
#else
#define VKPRIM_HOOK_TOUCH(tile) touch_tile(tile, total)
#endif
#ifdef SEGMENTS
    if (HAS_SEGMENTS) segment_count = vkprim_count_of(segments_push.segments, segments_push.segments_address, 0);
#define VKPRIM_HOOK_PLACE(tile) if (HAS_SEGMENTS) find_segments(tile, tiles)
#define STORE_SEGMENTS(tile, prefix) if (HAS_SEGMENTS) store_segments(tile, prefix, kept, befores, totals, run_before)
#else
#define VKPRIM_HOOK_PLACE(tile)
#define STORE_SEGMENTS(tile, prefix)
#endif
#ifdef THREE
#define VKPRIM_HOOK_STORE(tile, prefix) \
    prefix.x = min(prefix.x, tile * TILE); /* as below */ \
    prefix.y = min(prefix.y, tile * TILE - prefix.x); \
    if (tile == tiles - 1 && vkprim_invocation() == 0) { \
        store_ends(prefix.x + total.x); \
        vkprim_Words(push.kept_address).at[1] = prefix.y + total.y; \
    } \
    store_three(tile, prefix, copies, kept, befores, totals, run_before)
#elif defined(VKPRIM_SEVERAL)
#define VKPRIM_HOOK_STORE(tile, prefix) \
    prefix = min(prefix, tile * TILE); /* as below */ \
    if (tile == tiles - 1 && vkprim_invocation() == 0) store_ends(prefix + total); \
    store_outputs(tile, prefix, copies, kept, befores, totals, run_before); \
    STORE_SEGMENTS(tile, prefix)
#else
#define VKPRIM_HOOK_STORE(tile, prefix) \
    /* Scratch that was never zero-filled may hold any prefix; what is stored must still lie in the output. */ \
    prefix = min(prefix, tile * TILE); \
    if (tile == tiles - 1 && vkprim_invocation() == 0) vkprim_Words(push.kept_address).at[0] = prefix + total; \
    [[unroll]] for (uint run = 0; run < RUNS; ++run) store_run(COPY, tile, run, prefix + run_before[run], totals[run], befores[run], kept[run], copies[run])
#endif
#include <vkprim/glsl/detail/tile_loop.glsl>
}
