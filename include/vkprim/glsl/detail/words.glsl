// How a workgroup hands an element to another: the element and the flag that it is there share one 64-bit word, so that no
// other memory needs ordering. Devices without 64-bit atomics use two words of 32 bits, each with a flag and half of the value.
#ifndef VKPRIM_WORDS_GLSL
#define VKPRIM_WORDS_GLSL
#include "element.glsl"

#define VKPRIM_DEVICE_RELAXED gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed

#ifdef VKPRIM_WORD64
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(buffer_reference, std430, buffer_reference_align = 8) buffer vkprim_Words64 { uint64_t at[]; };

void vkprim_word_publish(uvec2 address, VKPRIM_ELEMENT value) {
    atomicStore(vkprim_Words64(address).at[0], packUint2x32(uvec2(VKPRIM_ELEMENT_BITS(value), 1)), VKPRIM_DEVICE_RELAXED);
}

void vkprim_word_clear(uvec2 address) { atomicStore(vkprim_Words64(address).at[0], uint64_t(0), VKPRIM_DEVICE_RELAXED); }

bool vkprim_word_poll(uvec2 address, out VKPRIM_ELEMENT value) {
    uvec2 word = unpackUint2x32(atomicLoad(vkprim_Words64(address).at[0], VKPRIM_DEVICE_RELAXED));
    value = VKPRIM_ELEMENT_FROM_BITS(word.x);
    return word.y != 0;
}
#else
const uint VKPRIM_HALF_IS_THERE = 0x10000;

void vkprim_word_publish(uvec2 address, VKPRIM_ELEMENT value) {
    uint bits = VKPRIM_ELEMENT_BITS(value);
    atomicStore(vkprim_Words(address).at[0], VKPRIM_HALF_IS_THERE | (bits & 0xffff), VKPRIM_DEVICE_RELAXED);
    atomicStore(vkprim_Words(address).at[1], VKPRIM_HALF_IS_THERE | (bits >> 16), VKPRIM_DEVICE_RELAXED);
}

void vkprim_word_clear(uvec2 address) {
    atomicStore(vkprim_Words(address).at[0], 0u, VKPRIM_DEVICE_RELAXED);
    atomicStore(vkprim_Words(address).at[1], 0u, VKPRIM_DEVICE_RELAXED);
}

bool vkprim_word_poll(uvec2 address, out VKPRIM_ELEMENT value) {
    uint low = atomicLoad(vkprim_Words(address).at[0], VKPRIM_DEVICE_RELAXED);
    uint high = atomicLoad(vkprim_Words(address).at[1], VKPRIM_DEVICE_RELAXED);
    value = VKPRIM_ELEMENT_FROM_BITS((low & 0xffff) | (high << 16));
    return min(low, high) >= VKPRIM_HALF_IS_THERE;
}
#endif

struct vkprim_WordPoll {
    uvec2 address;
    bool there;
    VKPRIM_ELEMENT word;
};

void vkprim_poll_once(inout vkprim_WordPoll poll) {
    if (!poll.there) poll.there = vkprim_word_poll(poll.address, poll.word);
}

#endif
