#version 460
// variants: word(u32,i32,f32) | long(u64,i64,f64) LONG_KEYS | narrow(u8,i8,u16,i16,f16) NARROW_KEYS
//
// Counts the keys of each chunk that order before the k-th key, and those equal to it.
#extension GL_GOOGLE_include_directive : require
#include "top.glsl"

const uint LOADS = 8; // of an invocation at a time
const uint ROUND = LOADS * WORKGROUP_SIZE;

shared uint before_count, equal_count;

void main() {
    if (!find_chunk()) return;
    if (invocation == 0) before_count = equal_count = 0;
    const Key last = begin_pass().known; // after barriers
    // Load: the keys of a chunk, compared with the last key.
    const uvec2 source = chunk_address();
    uint befores = 0, equals = 0;
    for (uint first = 0; first < chunk_count; first += ROUND) {
        Key keys[LOADS];
        const uint begin = first + invocation;
        [[unroll]] for (uint i = 0; i < LOADS; ++i) {
            keys[i] = load_key(source, min(begin + i * WORKGROUP_SIZE, chunk_count - 1));
        }
        [[unroll]] for (uint i = 0; i < LOADS; ++i) {
            const Key key = encode(keys[i]);
            const bool is_there = begin + i * WORKGROUP_SIZE < chunk_count;
            befores += uint(is_there && is_before(key, last));
            equals += uint(is_there && key == last);
        }
    }
    // Combine: the numbers of all invocations.
    if (befores > 0) atomicAdd(before_count, befores);
    if (equals > 0) atomicAdd(equal_count, equals);
    barrier();
    // Store: the tally of the chunk.
    const uint number = row * push.chunks + chunk;
    if (invocation == 0) Words2(address_of(push.tallies, number, 8)).at[0] = uvec2(before_count, equal_count);
}
