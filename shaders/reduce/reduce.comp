#version 460
// variants: u32 | i32 ELEMENT_INT | f32 ELEMENT_FLOAT | f32_ordered ELEMENT_INT ORDERED_FLOAT x word32 | word64 WORD64
//
// Reduction in one dispatch: every workgroup folds one tile into a partial, and the last one to arrive folds the partials
// (the threadfence reduction of the CUDA samples, with a fixed order in both steps, and no fence: a partial says itself whether
// it is there). Sums of integers, whose order is free, need neither: partials are added up by the arrivals.
//
// A tile is a matrix of 1024 columns. Columns are folded from top to bottom, then the 1024 totals in pairs (i, i xor 1),
// (i, i xor 2) ... Invocation i holds columns 4 i to 4 i + 3. Partials form a matrix of 256 columns, folded the same way.
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_vote : require
#include "../include/words.glsl"
#include "../include/workgroup.glsl"
#include "reduce_push.h"

layout(push_constant) uniform Push { ReducePush push; };

const uint ROW = REDUCE_COLUMNS;

uvec4 load_vector(uvec2 base, uint index) {
    Words words = Words(base);
    return uvec4(words.at[index], words.at[index + 1], words.at[index + 2], words.at[index + 3]);
}

// Folds the rows of one full tile into `columns`. ROWS loads are issued before the first is used.
#define FOLD_ROWS(ROWS, LOAD)                                                                     \
    for (uint first = 0; first < rows; first += ROWS) {                                           \
        uvec4 bits[ROWS];                                                                         \
        for (uint r = 0; r < ROWS; ++r) {                                                         \
            uint index = (first + r) * ROW + 4 * invocation();                                    \
            bits[r] = LOAD;                                                                       \
        }                                                                                         \
        for (uint r = 0; r < ROWS; ++r) columns = operate(columns, element_from_memory(bits[r])); \
    }

ELEMENT fold_tile(uvec2 base, uint rows, uint count) {
    ELEMENT4 columns = ELEMENT4(element_identity());
    bool whole = count >= rows * ROW;
    if (whole && address_is_aligned16(base)) {
        if (rows >= 16) {
            FOLD_ROWS(16, Words4(base).at[index / 4])
        } else if (rows >= 4) {
            FOLD_ROWS(4, Words4(base).at[index / 4])
        } else {
            FOLD_ROWS(1, Words4(base).at[index / 4])
        }
    } else if (whole && rows >= 8) {
        FOLD_ROWS(8, load_vector(base, index))
    } else {
        FOLD_ROWS(1, elements_load_partial(base, index, count))
    }
    return workgroup_reduce(operate(operate(columns.x, columns.y), operate(columns.z, columns.w)));
}

uvec2 partial_address(uint tile) { return address_add(push.scratch, REDUCE_PARTIALS + 8 * tile); }

// Leaves the partials zero, as scratch must be.
ELEMENT fold_partials(uint tiles) {
    const uint BATCH = 8; // loads in flight
    ELEMENT total = element_identity();
    for (uint first = 0; first < tiles; first += BATCH * WORKGROUP_SIZE) {
        WordPoll partials[BATCH];
        for (uint b = 0; b < BATCH; ++b) {
            uint tile = first + b * WORKGROUP_SIZE + invocation();
            partials[b] = WordPoll(partial_address(tile), tile >= tiles, element_identity());
        }
        // All have been published, by workgroups that have arrived since: this waits for memory and for nobody.
        for (bool there = false; !subgroupAll(there);) {
            there = true;
            for (uint b = 0; b < BATCH; ++b) {
                poll_once(partials[b]);
                there = there && partials[b].there;
            }
        }
        for (uint b = 0; b < BATCH; ++b) {
            total = operate(total, partials[b].word);
            if (first + b * WORKGROUP_SIZE + invocation() < tiles) Words2(partials[b].address).at[0] = uvec2(0);
        }
    }
    return workgroup_reduce(total);
}

void output_total(ELEMENT total) { Words(push.output_address).at[0] = element_to_memory(total); }

#if defined(WORD64) && !defined(ELEMENT_FLOAT)
const bool ADDS_UP = OPERATION == ADD;

// Arrivals in the low half, their sum in the high half.
void add_up(ELEMENT partial, uint tiles) {
    if (invocation() != 0) return;
    uint64_t mine = packUint2x32(uvec2(1, ELEMENT_BITS(partial)));
    uint64_t all = mine + atomicAdd(Words64(push.scratch).at[0], mine, DEVICE_RELAXED);
    uvec2 halves = unpackUint2x32(all);
    if (halves.x != tiles) return;
    output_total(ELEMENT_FROM_BITS(halves.y));
    Words64(push.scratch).at[0] = 0;
}
#else
const bool ADDS_UP = false;
void add_up(ELEMENT partial, uint tiles) {}
#endif

void main() {
    uint count = count_of(push.count, push.count_address);
    uint log2_tile = reduce_log2_tile(max(count, 1));
    uint tiles = ((max(count, 1) - 1) >> log2_tile) + 1, tile = workgroup_number();
    if (tile >= tiles) return;

    ELEMENT total = fold_tile(address_of(push.input_address, tile, 4 << log2_tile), 1 << (log2_tile - REDUCE_LOG2_COLUMNS),
                              count - (tile << log2_tile));
    if (ADDS_UP && tiles > 1) {
        add_up(total, tiles);
        return;
    }
    if (tiles > 1) {
        uint arrived = 0;
        if (invocation() == 0) {
            word_publish(partial_address(tile), total);
            arrived = atomicAdd(Words(push.scratch).at[0], 1, DEVICE_RELAXED);
        }
        if (workgroup_broadcast(arrived) != tiles - 1) return;
        total = fold_partials(tiles);
        if (invocation() == 0) Words(push.scratch).at[0] = 0;
    }
    if (invocation() == 0) output_total(total);
}
