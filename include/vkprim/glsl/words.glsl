// How a workgroup hands an element to another: the element and the flag that it is there share one 64-bit word, so that no
// other memory needs ordering. Devices without 64-bit atomics use two words of 32 bits, each with a flag and half of the value.
#ifndef WORDS_GLSL
#define WORDS_GLSL
#include "element.glsl"

#define DEVICE_RELAXED gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed

#ifdef WORD64
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Words64 { uint64_t at[]; };

void word_publish(uvec2 address, ELEMENT value) {
    atomicStore(Words64(address).at[0], packUint2x32(uvec2(ELEMENT_BITS(value), 1)), DEVICE_RELAXED);
}

void word_clear(uvec2 address) { atomicStore(Words64(address).at[0], uint64_t(0), DEVICE_RELAXED); }

bool word_poll(uvec2 address, out ELEMENT value) {
    uvec2 word = unpackUint2x32(atomicLoad(Words64(address).at[0], DEVICE_RELAXED));
    value = ELEMENT_FROM_BITS(word.x);
    return word.y != 0;
}
#else
const uint HALF_IS_THERE = 0x10000;

void word_publish(uvec2 address, ELEMENT value) {
    uint bits = ELEMENT_BITS(value);
    atomicStore(Words(address).at[0], HALF_IS_THERE | (bits & 0xffff), DEVICE_RELAXED);
    atomicStore(Words(address).at[1], HALF_IS_THERE | (bits >> 16), DEVICE_RELAXED);
}

void word_clear(uvec2 address) {
    atomicStore(Words(address).at[0], 0u, DEVICE_RELAXED);
    atomicStore(Words(address).at[1], 0u, DEVICE_RELAXED);
}

bool word_poll(uvec2 address, out ELEMENT value) {
    uint low = atomicLoad(Words(address).at[0], DEVICE_RELAXED);
    uint high = atomicLoad(Words(address).at[1], DEVICE_RELAXED);
    value = ELEMENT_FROM_BITS((low & 0xffff) | (high << 16));
    return min(low, high) >= HALF_IS_THERE;
}
#endif

struct WordPoll {
    uvec2 address;
    bool there;
    ELEMENT word;
};

void poll_once(inout WordPoll poll) {
    if (!poll.there) poll.there = word_poll(poll.address, poll.word);
}

#endif
