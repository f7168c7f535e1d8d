#version 460
// variants: u32 | i32 ELEMENT_INT | f32 ELEMENT_FLOAT | f32_ordered ELEMENT_INT ORDERED_FLOAT x word32 | word64 WORD64 | plain NO_SUBGROUPS
//
// Reduction in one dispatch: every workgroup folds one tile, and the last one to arrive folds what all have (the threadfence
// reduction of the CUDA samples, with a fixed order in both steps, and no fence: a total says itself whether it is there). Sums
// of integers, whose order is free, are added up by the arrivals.
//
// A tile is a matrix of 1024 columns. Columns are folded from top to bottom, then the 1024 totals in pairs (i, i xor 1),
// (i, i xor 2) ... Invocation i holds columns 4 i to 4 i + 3. Tiles are folded in pairs, too, in groups of 256, and then those.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/scratch.h>
#include <vkprim/glsl/words.glsl>
#include <vkprim/glsl/workgroup.glsl>
#include "reduce_push.h"

layout(constant_id = 8) const bool ALIGNED = false; // input, to 16 bytes
layout(constant_id = 9) const uint BATCH = 4;       // rows

layout(push_constant) uniform Push { ReducePush push; };

const uint ROW = REDUCE_COLUMNS;

// The first `count` elements of a tile, BATCH rows at a time: all their loads are issued before the first is used.
ELEMENT fold_tile(uvec2 base, uint count) {
    ELEMENT4 columns = ELEMENT4(element_identity());
    uint row = 0;
    if (ALIGNED && BATCH * ROW <= count) {
        // While a batch is folded, the next one is on its way.
        uvec4 bits[BATCH], coming[BATCH];
        [[unroll]] for (uint r = 0; r < BATCH; ++r) bits[r] = Words4(base).at[r * (ROW / 4) + invocation()];
        for (row = BATCH; (row + BATCH) * ROW <= count; row += BATCH) {
            [[unroll]] for (uint r = 0; r < BATCH; ++r) coming[r] = Words4(base).at[(row + r) * (ROW / 4) + invocation()];
            [[unroll]] for (uint r = 0; r < BATCH; ++r) columns = operate(columns, element_from_memory(bits[r]));
            [[unroll]] for (uint r = 0; r < BATCH; ++r) bits[r] = coming[r];
        }
        [[unroll]] for (uint r = 0; r < BATCH; ++r) columns = operate(columns, element_from_memory(bits[r]));
    }
    for (; row * ROW < count; row += BATCH) {
        uvec4 bits[BATCH];
        [[unroll]] for (uint r = 0; r < BATCH; ++r) {
            uint index = (row + r) * ROW + 4 * invocation();
            bits[r] = uvec4(element_to_memory(element_identity()));
            if (!ALIGNED) {
                bits[r] = elements_load_partial(base, index, count);
            } else if (index + 4 <= count) {
                bits[r] = Words4(base).at[index / 4];
            }
        }
        [[unroll]] for (uint r = 0; r < BATCH; ++r) columns = operate(columns, element_from_memory(bits[r]));
    }
    uint rest = ALIGNED ? count % 4 : 0; // elements of a vector that is not whole
    if (rest > 0 && (count - rest) % ROW == 4 * invocation()) {
        columns = operate(columns, element_from_memory(elements_load_partial(base, count - rest, count)));
    }
    return workgroup_reduce(operate(operate(columns.x, columns.y), operate(columns.z, columns.w)));
}

// Word 0 counts arrivals, and for integers adds them up. Behind it, for others, the members' totals.
uvec2 word_address(uint fold, uint word) {
    return address_add(push.scratch, scratch_offset(SCRATCH_ZERO_LANE, fold * (1 + REDUCE_FAN) + word));
}

// Hands in the total of one member of a fold. True for the last of all to do so: `total` is then that of all of them, and the
// fold's words are zero again.
bool fold_in(uint fold, uint member, uint members, inout ELEMENT total) {
    uint arrived = 0;
    if (invocation() == 0) {
        word_publish(word_address(fold, 1 + member), total);
        arrived = atomicAdd(Words(word_address(fold, 0)).at[0], 1, DEVICE_RELAXED);
    }
    if (workgroup_broadcast(arrived) != members - 1) return false;
    WordPoll poll = WordPoll(word_address(fold, 1 + invocation()), invocation() >= members, element_identity());
    // All have been published, by workgroups that have arrived since: this waits for memory and for nobody.
    while (!subgroup_all(poll.there)) poll_once(poll);
    if (invocation() < members) word_clear(poll.address);
    if (invocation() == 0) word_clear(word_address(fold, 0));
    total = workgroup_reduce(poll.word);
    return true;
}

void output_total(ELEMENT total) { Words(push.output_address).at[0] = element_to_memory(total); }

#if defined(WORD64) && !defined(ELEMENT_FLOAT)
const bool ADDS_UP = OPERATION == ADD;

// Arrivals in the low half, their sum in the high half.
void add_up(ELEMENT partial, uint tiles) {
    if (invocation() != 0) return;
    uint64_t mine = packUint2x32(uvec2(1, ELEMENT_BITS(partial)));
    uint64_t all = mine + atomicAdd(Words64(word_address(0, 0)).at[0], mine, DEVICE_RELAXED);
    uvec2 halves = unpackUint2x32(all);
    if (halves.x != tiles) return;
    output_total(ELEMENT_FROM_BITS(halves.y));
    word_clear(word_address(0, 0));
}
#else
const bool ADDS_UP = false;
void add_up(ELEMENT partial, uint tiles) {}
#endif

void main() {
    uint count = count_of(push.count, push.count_address, 0);
    uint log2_tile = reduce_log2_tile(max(count, 1));
    uint tiles = ((max(count, 1) - 1) >> log2_tile) + 1, tile = push.first + workgroup_number();
    if (tile >= tiles) return;

    uvec2 base = address_of(push.input_address, tile, 4 << log2_tile);
    ELEMENT total = fold_tile(base, min(count - (tile << log2_tile), 1 << log2_tile));
    if (ADDS_UP && tiles > 1) {
        add_up(total, tiles);
        return;
    }
    // Groups of REDUCE_FAN tiles, and then those groups.
    for (uint members = tiles, member = tile; members > 1; members = reduce_groups(members), member /= REDUCE_FAN) {
        uint first = member & ~(REDUCE_FAN - 1);
        uint fold = members > REDUCE_FAN ? 1 + first / REDUCE_FAN : 0;
        if (!fold_in(fold, member - first, min(members - first, REDUCE_FAN), total)) return;
    }
    if (invocation() == 0) output_total(total);
}
