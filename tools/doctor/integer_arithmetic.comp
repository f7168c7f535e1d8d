#version 460
// variants: any
//
// The integer operations of addresses and bins, for two operands a, b; the order of INTEGER_RESULTS.
#extension GL_GOOGLE_include_directive : require
#include "doctor.glsl"

layout(push_constant) uniform Push { DoctorPush push; };

void main() {
    uint number = vkprim_workgroup_number() * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex;
    if (number >= push.count) return;
    uvec2 operands = vkprim_Words2(vkprim_address_of(push.memory, number, 8)).at[0];
    uint a = operands.x, b = operands.y, high, low, carry;

    vkprim_Words results = vkprim_Words(vkprim_address_of(push.results, INTEGER_RESULTS * number, 4));
    umulExtended(a, b, high, low);
    results.at[0] = high;
    results.at[1] = low;
    results.at[2] = uaddCarry(a, b, carry);
    results.at[3] = carry;
    results.at[4] = a << (b % 32);
    results.at[5] = a >> (b % 32);
    results.at[6] = uint(int(a) >> (b % 32));
    results.at[7] = bitfieldExtract(a, int(b % 4 * 8), 8);
}
