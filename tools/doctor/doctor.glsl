// What all probes' shaders begin with.
#ifndef DOCTOR_GLSL
#define DOCTOR_GLSL
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#include <vkprim/glsl/detail/address.glsl>
#include <vkprim/glsl/detail/constants.glsl>
#include "doctor_push.h"

layout(constant_id = VKPRIM_OWN_ID + 0) const uint ROUNDS = 64;
layout(constant_id = VKPRIM_OWN_ID + 1) const bool SLOW_POLLS = false;

#define RELAXED gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed

shared uint pause_word;

// Between polls. A CPU polls so fast that all polls would be over before another thread gets its turn. A loop here would use
// up the rounds that Mesa's driver has for loops.
void pause() {
    if (!SLOW_POLLS) return;
#define PAUSE_4 atomicAdd(pause_word, 1); atomicAdd(pause_word, 1); atomicAdd(pause_word, 1); atomicAdd(pause_word, 1);
    PAUSE_4 PAUSE_4 PAUSE_4 PAUSE_4
}

#endif
