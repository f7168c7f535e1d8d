#version 460
// variants: word32 | word64 VKPRIM_WORD64
//
// An element and the flag that it is there, handed over as scan and reduce do (include/vkprim/glsl/detail/words.glsl). Torn: the flag
// without all of the element.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/words.glsl>
#include "litmus.glsl"

void play_a(uint instance) { vkprim_word_publish(vkprim_address_of(push.memory, instance, 8), doctor_value(instance, push.salt)); }

void play_b(uint instance) {
    uint value;
    bool there = vkprim_word_poll(vkprim_address_of(push.memory, instance, 8), value);
    seen(instance, 0, uint(there));
    seen(instance, 1, value);
}
