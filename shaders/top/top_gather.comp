#version 460
// variants: word(u32,i32,f32) | long(u64,i64,f64) LONG_KEYS | narrow(u8,i8,u16,i16,f16) NARROW_KEYS
//
// Stores the wanted keys and their indices: keys that order before the k-th key, and then as many keys equal to it as are wanted; each in the
// order of their indices. With NTH, only the k-th key.
#extension GL_GOOGLE_include_directive : require
#include "top.glsl"

layout(constant_id = OWN_ID + 4) const bool NTH = false; // only the last one

const uint ITEMS = 4; // consecutive keys of an invocation
const uint TILE = ITEMS * WORKGROUP_SIZE;

shared uint befores_ahead, equals_ahead;

uvec2 tally_of(uint chunk) { return Words2(address_of(push.tallies, row * push.chunks + chunk, 8)).at[0]; }

// What the chunks before this one have.
uvec2 tallies_ahead() {
    if (invocation == 0) befores_ahead = equals_ahead = 0;
    barrier();
    uvec2 ahead = uvec2(0);
    for (uint first = 0; first < chunk; first += WORKGROUP_SIZE) {
        if (first + invocation < chunk) ahead += tally_of(first + invocation);
    }
    if (ahead.x > 0) atomicAdd(befores_ahead, ahead.x);
    if (ahead.y > 0) atomicAdd(equals_ahead, ahead.y);
    barrier();
    return uvec2(befores_ahead, equals_ahead);
}

void store(uint place, Key key, uint index) {
    const uint first = NTH ? row : row * push.wanted;
    store_key(address_of(push.found_keys, first, KEY_BYTES), int(place), key);
    Words(address_of(push.found_indices, first, 4)).at[place] = index;
}

void main() {
    if (!find_chunk()) return;
    const State state = load_state(PASSES);
    const uint befores_of_all = min(push.wanted, element_count) - state.wanted;
    const uvec2 own = tally_of(chunk);
    uvec2 ahead = tallies_ahead();
    if (NTH ? ahead.y >= state.wanted || ahead.y + own.y < state.wanted
            : own.x == 0 && (own.y == 0 || ahead.y >= state.wanted)) return;
    const uvec2 source = chunk_address();
    for (uint first = 0; first < chunk_count; first += TILE) {
        // Load: the keys of a tile.
        Key keys[ITEMS];
        uint begin = first + invocation * ITEMS, mine = 0, total; // numbers of both kinds, 16 bits each
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
            keys[i] = load_key(source, min(begin + i, chunk_count - 1));
            const Key key = encode(keys[i]);
            if (begin + i < chunk_count) mine += is_before(key, state.known) ? 1 : key == state.known ? 0x10000 : 0;
        }
        // Combine: how many of both kinds are before this invocation's.
        const uint sum = exclusive_sum(mine, total);
        uvec2 places = ahead + uvec2(sum & 0xffff, sum >> 16);
        // Store: those that are wanted.
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
            const Key key = encode(keys[i]);
            const bool is_there = begin + i < chunk_count;
            if (!NTH && is_there && is_before(key, state.known)) store(places.x++, keys[i], chunk_begin + begin + i);
            if (is_there && key == state.known) {
                if (NTH ? places.y + 1 == state.wanted : places.y < state.wanted) {
                    store(NTH ? 0 : befores_of_all + places.y, keys[i], chunk_begin + begin + i);
                }
                ++places.y;
            }
        }
        ahead += uvec2(total & 0xffff, total >> 16);
    }
}
