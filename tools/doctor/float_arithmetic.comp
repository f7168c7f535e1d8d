#version 460
// variants: any
//
// What single precision makes of three operands a, b, c; the order of FLOAT_RESULTS.
#extension GL_GOOGLE_include_directive : require
#include "doctor.glsl"

layout(push_constant) uniform Push { DoctorPush push; };

void main() {
    uint number = vkprim_workgroup_number() * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex;
    if (number >= push.count) return;
    vkprim_Words operands = vkprim_Words(vkprim_address_of(push.memory, 3 * number, 4));
    float a = uintBitsToFloat(operands.at[0]), b = uintBitsToFloat(operands.at[1]), c = uintBitsToFloat(operands.at[2]);

    precise float sum = a + b;
    precise float product = a * b;
    precise float sum_of_product = product + c; // as an edge of a histogram of floats
    precise float difference = a - b;
    precise float product_of_difference = difference * c;
    float free = a * b + c;

    vkprim_Words results = vkprim_Words(vkprim_address_of(push.results, FLOAT_RESULTS * number, 4));
    results.at[0] = floatBitsToUint(sum);
    results.at[1] = floatBitsToUint(product);
    results.at[2] = floatBitsToUint(sum_of_product);
    results.at[3] = floatBitsToUint(product_of_difference);
    results.at[4] = floatBitsToUint(free);
}
