#version 460
// variants: word(u32,i32,f32) | long(u64,i64,f64) LONG_KEYS | narrow(u8,i8,u16,i16,f16) NARROW_KEYS
//
// Counts the next digit of the keys that have the digits known so far.
#extension GL_GOOGLE_include_directive : require
#include "top.glsl"

layout(constant_id = OWN_ID + 3) const uint COPIES = 4; // of the counters, interleaved by invocation, so that equal keys do not meet in a word

const uint LOADS = 8; // of an invocation at a time
const uint ROUND = LOADS * WORKGROUP_SIZE;

shared uint digit_counts[TOP_DIGITS * COPIES];

Key known_mask; // of the known bits

void set_known_mask() {
    const uint bits = TOP_DIGIT_BITS * push.pass;
#ifdef LONG_KEYS
    known_mask.y = bits == 0 ? 0 : bits >= 32 ? ~0u : ~0u << (32 - bits);
    known_mask.x = bits <= 32 ? 0 : ~0u << (64 - bits);
#else
    known_mask = bits == 0 ? 0 : ~0u << (32 - bits);
#endif
}

void count_key(Key key, Key known) {
    if (((encode(key) ^ known) & known_mask) != Key(0)) return;
    atomicAdd(digit_counts[digit_of(encode(key)) * COPIES + invocation % COPIES], 1u);
}

// So that the next pass begins with zeros.
void clear_next() {
    const uint next = push.pass + 1;
    if (chunk != 0 || next >= PASSES) return;
    [[unroll]] for (uint d = 0; d < DIGITS_EACH; ++d) {
        if (invocation * DIGITS_EACH + d < TOP_DIGITS) Words(counters_address(next)).at[invocation * DIGITS_EACH + d] = 0;
    }
}

void main() {
    if (!find_chunk()) return;
    clear_next();
    if (push.pass == TOP_CLEARS) return;
    const State state = begin_pass();
    set_known_mask();
    select_digit(shift_of(push.pass), TOP_DIGIT_BITS);
    for (uint first = 0; first < TOP_DIGITS * COPIES; first += WORKGROUP_SIZE) {
        if (first + invocation < TOP_DIGITS * COPIES) digit_counts[first + invocation] = 0;
    }
    barrier();
    // Load: the keys of a chunk, and count those with the known digits.
    const uvec2 source = chunk_address();
    for (uint first = 0; first < chunk_count; first += ROUND) {
        Key keys[LOADS];
        const uint begin = first + invocation;
        const bool is_whole = first + ROUND <= chunk_count;
        [[unroll]] for (uint i = 0; i < LOADS; ++i) {
            const uint index = begin + i * WORKGROUP_SIZE;
            keys[i] = load_key(source, is_whole ? index : min(index, chunk_count - 1));
        }
        [[unroll]] for (uint i = 0; i < LOADS; ++i) {
            if (begin + i * WORKGROUP_SIZE < chunk_count) count_key(keys[i], state.known);
        }
    }
    barrier();
    // Combine and store: the copies of each counter, added to those of all chunks.
    [[unroll]] for (uint d = 0; d < DIGITS_EACH; ++d) {
        const uint digit = invocation * DIGITS_EACH + d;
        uint count = 0;
        if (digit < TOP_DIGITS) {
            [[unroll]] for (uint c = 0; c < COPIES; ++c) count += digit_counts[digit * COPIES + (c + digit) % COPIES];
            if (count > 0) atomicAdd(Words(counters_address(push.pass)).at[digit], count);
        }
    }
}
