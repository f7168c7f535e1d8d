// What the tests of subgroups share. The shader that includes this defines operate(). Round 0 is straight code, the others are
// in a loop.
#extension GL_GOOGLE_include_directive : require
#include "doctor.glsl"

layout(push_constant) uniform Push { DoctorPush push; };

uint invocation() { return gl_SubgroupID * VKPRIM_SUBGROUP_SIZE + gl_SubgroupInvocationID; }

uvec4 operate(uint round, uint value);

void test_round(uint round) {
    uvec4 result = operate(round, doctor_value(invocation(), round + push.salt));
    vkprim_Words4(vkprim_address_of(push.results, round * VKPRIM_WORKGROUP_SIZE + invocation(), 16)).at[0] = result;
}

void main() {
    test_round(0);
    [[dont_unroll]] for (uint round = 1; round < SUBGROUP_ROUNDS; ++round) test_round(round);
}
