// How a workgroup passes an element to another: each of its words shares one 64-bit word with a flag that says that it is there, so that
// no fence is needed. Devices without 64-bit atomics use two words of 32 bits, each with a flag and half of the value.
#ifndef VKPRIM_WORDS_GLSL
#define VKPRIM_WORDS_GLSL
#include "element.glsl"

#define VKPRIM_DEVICE_RELAXED gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed

#ifdef VKPRIM_WORD64
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(buffer_reference, std430, buffer_reference_align = 8) buffer vkprim_Words64 { uint64_t at[]; };
#endif
const uint VKPRIM_HALF_IS_THERE = 0x10000;

void vkprim_slot_publish(uvec2 address, uint bits) {
#ifdef VKPRIM_WORD64
    if (VKPRIM_USES_WORD64) {
        atomicStore(vkprim_Words64(address).at[0], packUint2x32(uvec2(bits, 1)), VKPRIM_DEVICE_RELAXED);
        return;
    }
#endif
    atomicStore(vkprim_Words(address).at[0], VKPRIM_HALF_IS_THERE | (bits & 0xffff), VKPRIM_DEVICE_RELAXED);
    atomicStore(vkprim_Words(address).at[1], VKPRIM_HALF_IS_THERE | (bits >> 16), VKPRIM_DEVICE_RELAXED);
}

void vkprim_slot_clear(uvec2 address) {
#ifdef VKPRIM_WORD64
    if (VKPRIM_USES_WORD64) {
        atomicStore(vkprim_Words64(address).at[0], uint64_t(0), VKPRIM_DEVICE_RELAXED);
        return;
    }
#endif
    atomicStore(vkprim_Words(address).at[0], 0u, VKPRIM_DEVICE_RELAXED);
    atomicStore(vkprim_Words(address).at[1], 0u, VKPRIM_DEVICE_RELAXED);
}

bool vkprim_slot_poll(uvec2 address, out uint bits) {
#ifdef VKPRIM_WORD64
    if (VKPRIM_USES_WORD64) {
        uvec2 word = unpackUint2x32(atomicLoad(vkprim_Words64(address).at[0], VKPRIM_DEVICE_RELAXED));
        bits = word.x;
        return word.y != 0;
    }
#endif
    uint low = atomicLoad(vkprim_Words(address).at[0], VKPRIM_DEVICE_RELAXED);
    uint high = atomicLoad(vkprim_Words(address).at[1], VKPRIM_DEVICE_RELAXED);
    bits = (low & 0xffff) | (high << 16);
    return min(low, high) >= VKPRIM_HALF_IS_THERE;
}

void vkprim_word_publish(uvec2 address, VKPRIM_ELEMENT value) {
    vkprim_slot_publish(address, vkprim_element_word(value, 0));
#if VKPRIM_REGISTER_WORDS > 1
    [[unroll]] for (uint i = 1; i < VKPRIM_REGISTER_WORDS; ++i) {
        vkprim_slot_publish(vkprim_address_add(address, 8 * i), vkprim_element_word(value, i));
    }
#endif
}

void vkprim_word_clear(uvec2 address) {
    vkprim_slot_clear(address);
#if VKPRIM_REGISTER_WORDS > 1
    [[unroll]] for (uint i = 1; i < VKPRIM_REGISTER_WORDS; ++i) vkprim_slot_clear(vkprim_address_add(address, 8 * i));
#endif
}

// Whether all words of the element are there.
bool vkprim_word_poll(uvec2 address, out VKPRIM_ELEMENT value) {
    uint words[VKPRIM_REGISTER_WORDS];
    bool there = vkprim_slot_poll(address, words[0]);
#if VKPRIM_REGISTER_WORDS > 1
    [[unroll]] for (uint i = 1; i < VKPRIM_REGISTER_WORDS; ++i) {
        bool next = vkprim_slot_poll(vkprim_address_add(address, 8 * i), words[i]);
        there = there && next;
    }
#endif
    value = vkprim_element_of(words);
    return there;
}

struct vkprim_WordPoll {
    uvec2 address;
    bool there;
    VKPRIM_ELEMENT word;
};

void vkprim_poll_once(inout vkprim_WordPoll poll) {
    if (!poll.there) poll.there = vkprim_word_poll(poll.address, poll.word);
}

#endif
