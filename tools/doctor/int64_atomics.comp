#version 460
// variants: any
//
// Arrivals and a sum in one 64-bit word, as reduce has them for integers: what each invocation found there.
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#include "doctor.glsl"

layout(push_constant) uniform Push { DoctorPush push; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer vkprim_Words64 { uint64_t at[]; };

void main() {
    uint number = vkprim_workgroup_number() * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex;
    uint64_t found = atomicAdd(vkprim_Words64(push.memory).at[0], packUint2x32(uvec2(1, push.salt)), gl_ScopeQueueFamily, 0,
                               gl_SemanticsRelaxed);
    vkprim_Words2(vkprim_address_of(push.results, number, 8)).at[0] = unpackUint2x32(found);
}
