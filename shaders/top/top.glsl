// The first k keys in the order of a sort are those before the k-th key, and some of those equal to it. The digits of the k-th key (the "last
// key" below) are found from the highest on, by counting the keys that have the digits found so far (Alabi, Blanchard, Gordon, Steinbach,
// "Fast k-selection algorithms for graphics processing units", 2012). Of equal keys, those with the lowest indices are taken.
#ifndef TOP_GLSL
#define TOP_GLSL
#extension GL_GOOGLE_include_directive : require
#include "../sort/keys.glsl"
#include "top_push.h"

layout(push_constant) uniform Push { TopPush push; };

const uint PASSES = KEY_BYTES;
const uint DIGITS_EACH = WORKGROUP_SIZE < TOP_DIGITS ? TOP_DIGITS / WORKGROUP_SIZE : 1; // of an invocation

#define invocation gl_LocalInvocationIndex
uint element_count, row, chunk; // of this workgroup; the count is of each row
uint chunk_begin, chunk_count;  // keys

// Known bits of the last key, those below being 0, and how many of the keys that have them are wanted.
struct State {
    Key known;
    uint wanted;
};

shared uint sums[WORKGROUP_SIZE];
shared uint next_digit, next_before;

// False if there is nothing to do.
bool find_chunk() {
    element_count = count_of(push.count, push.count_address, 0);
    row = workgroup_number() / push.chunks;
    chunk = workgroup_number() % push.chunks;
    chunk_begin = min(chunk * push.chunk, element_count);
    chunk_count = min(push.chunk, element_count - chunk_begin);
    return row < push.rows && element_count > 0;
}

uvec2 chunk_address() { return address_of(push.keys, row * push.row_stride + chunk_begin, KEY_BYTES); }

uvec2 state_address(uint pass) { return address_of(push.states, row * (PASSES + 1) + pass, TOP_STATE_SIZE); }

uvec2 counters_address(uint pass) { return address_of(push.counters, row * PASSES + pass, 4 * TOP_DIGITS); }

// The sum over the invocations before this one; `total`: over all.
uint exclusive_sum(uint value, out uint total) {
    uint sum = value;
    for (uint step = 1; step < WORKGROUP_SIZE; step *= 2) {
        sums[invocation] = sum;
        barrier();
        if (invocation >= step) sum += sums[invocation - step];
        barrier();
    }
    sums[invocation] = sum;
    barrier();
    total = sums[WORKGROUP_SIZE - 1];
    barrier();
    return sum - value;
}

State load_state(uint pass) {
    if (pass == 0) return State(Key(0), min(push.wanted, element_count));
    uvec4 words = Words4(state_address(pass)).at[0];
#ifdef LONG_KEYS
    return State(words.xy, words.z);
#else
    return State(words.x, words.z);
#endif
}

void store_state(uint pass, State state) {
    if (chunk != 0 || invocation != 0) return;
#ifdef LONG_KEYS
    Words4(state_address(pass)).at[0] = uvec4(state.known, state.wanted, 0);
#else
    Words4(state_address(pass)).at[0] = uvec4(state.known, 0, state.wanted, 0);
#endif
}

uint shift_of(uint pass) { return 32 * KEY_WORDS - TOP_DIGIT_BITS * (pass + 1); }

// What the counters say of one more digit.
State next_state(uint pass) {
    State state = load_state(pass);
    uint counts[DIGITS_EACH], sum = 0, all;
    [[unroll]] for (uint d = 0; d < DIGITS_EACH; ++d) {
        const uint digit = invocation * DIGITS_EACH + d;
        counts[d] = digit < TOP_DIGITS ? Words(counters_address(pass)).at[digit] : 0;
        sum += counts[d];
    }
    uint before = exclusive_sum(sum, all);
    [[unroll]] for (uint d = 0; d < DIGITS_EACH; ++d) {
        if (before < state.wanted && state.wanted <= before + counts[d]) {
            next_digit = invocation * DIGITS_EACH + d;
            next_before = before;
        }
        before += counts[d];
    }
    barrier();
    const uint shift = shift_of(pass);
#ifdef LONG_KEYS
    state.known |= shift < 32 ? uvec2(next_digit << shift, 0) : uvec2(0, next_digit << (shift - 32));
#else
    state.known |= next_digit << shift;
#endif
    state.wanted -= next_before;
    return state;
}

// The state with which this dispatch goes on: written for the next.
State begin_pass() {
    if (push.pass == 0) return load_state(0);
    State state = next_state(push.pass - 1);
    store_state(push.pass, state);
    return state;
}

// Whether a comes before b.
bool is_before(Key a, Key b) {
#ifdef LONG_KEYS
    return a.y < b.y || (a.y == b.y && a.x < b.x);
#else
    return a < b;
#endif
}

#endif
