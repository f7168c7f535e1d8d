#version 460
// variants: u32 | i32 ELEMENT_INT | f32 ELEMENT_FLOAT | f32_ordered ELEMENT_INT ORDERED_FLOAT
//
// Reduction in one dispatch: every workgroup folds one tile into a partial, and the last one to arrive folds the partials
// (the threadfence reduction of the CUDA samples, with a fixed order in both steps).
//
// A tile is a matrix of 1024 columns. Columns are folded from top to bottom, then the 1024 totals in pairs (i, i xor 1),
// (i, i xor 2) ... Invocation i holds columns 4 i to 4 i + 3. Partials form a matrix of 256 columns, folded the same way.
#extension GL_GOOGLE_include_directive : require
#include "../include/workgroup.glsl"
#include "reduce_push.h"

layout(push_constant) uniform Push { ReducePush push; };

const uint ROW = REDUCE_COLUMNS;
const uint PARTIALS = 16; // byte offset in scratch

// The rows of one full tile. All loads are issued before the first is used.
#define FOLD_ROWS(ROWS)                                                                                 \
    for (uint first = 0; first < rows; first += ROWS) {                                                 \
        uvec4 bits[ROWS];                                                                               \
        for (uint r = 0; r < ROWS; ++r) bits[r] = words.at[(first + r) * (ROW / 4) + invocation()];     \
        for (uint r = 0; r < ROWS; ++r) columns = operate(columns, element_from_memory(bits[r]));       \
    }

ELEMENT fold_tile(uvec2 base, uint rows, uint count) {
    ELEMENT4 columns = ELEMENT4(element_identity());
    if (count >= rows * ROW && address_is_aligned16(base)) {
        Words4 words = Words4(base);
        if (rows >= 16) {
            FOLD_ROWS(16)
        } else {
            FOLD_ROWS(1)
        }
    } else {
        for (uint r = 0; r < rows; ++r) {
            uvec4 bits = elements_load_partial(base, r * ROW + 4 * invocation(), count);
            columns = operate(columns, element_from_memory(bits));
        }
    }
    return workgroup_reduce(operate(operate(columns.x, columns.y), operate(columns.z, columns.w)));
}

// Leaves the partials zero, as scratch must be.
ELEMENT fold_partials(Words partials, uint tiles) {
    const uint BATCH = 16; // loads in flight
    ELEMENT total = element_identity();
    for (uint first = invocation(); first - invocation() < tiles; first += BATCH * WORKGROUP_SIZE) {
        ELEMENT batch[BATCH];
        for (uint b = 0; b < BATCH; ++b) {
            uint tile = first + b * WORKGROUP_SIZE;
            batch[b] = element_identity();
            if (tile < tiles) {
                batch[b] = ELEMENT_FROM_BITS(
                    atomicLoad(partials.at[tile], gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed));
            }
        }
        for (uint b = 0; b < BATCH; ++b) {
            uint tile = first + b * WORKGROUP_SIZE;
            total = operate(total, batch[b]);
            if (tile < tiles) partials.at[tile] = 0;
        }
    }
    return workgroup_reduce(total);
}

void main() {
    uint count = count_of(push.count, push.count_address);
    uint rows = reduce_rows(max(count, 1));
    uint tile_size = rows * ROW;
    uint tiles = max(count, 1) / tile_size + uint(max(count, 1) % tile_size != 0);
    uint tile = workgroup_number();
    if (tile >= tiles) return;

    ELEMENT total = fold_tile(address_of(push.input_address, tile, tile_size * 4), rows,
                              min(tile_size, count - tile * tile_size));
    if (tiles > 1) {
        Words scratch = Words(push.scratch);
        Words partials = Words(address_add(push.scratch, PARTIALS));
        uint arrived = 0;
        if (invocation() == 0) {
            atomicStore(partials.at[tile], ELEMENT_BITS(total), gl_ScopeQueueFamily, gl_StorageSemanticsBuffer,
                        gl_SemanticsRelaxed);
            // The partial is there before the arrival.
            arrived = atomicAdd(scratch.at[0], 1, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
        }
        if (workgroup_broadcast(arrived) != tiles - 1) return;
        memoryBarrier(gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
        total = fold_partials(partials, tiles);
        if (invocation() == 0) scratch.at[0] = 0;
    }
    if (invocation() == 0) Words(push.output_address).at[0] = element_to_memory(total);
}
