#version 460
// variants: any
//
// Whether memory holds what it should, for all rounds of a batch but the last, which the host compares.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/address.glsl>
#include <vkprim/glsl/detail/constants.glsl>
#include "compare_push.h"

layout(push_constant) uniform Push { ComparePush push; };

void main() {
    uint first = vkprim_workgroup_number() * VKPRIM_WORKGROUP_SIZE * COMPARE_VECTORS + gl_LocalInvocationIndex;
    uint compared = 0, differing = 0, last = 0; // `last` in the order of inverted bits
    for (uint v = 0; v < COMPARE_VECTORS; ++v) {
        uint i = first + v * VKPRIM_WORKGROUP_SIZE;
        if (i < push.vectors) {
            bvec4 differs = notEqual(vkprim_Words4(vkprim_address_of(push.expected, i, 16)).at[0], vkprim_Words4(vkprim_address_of(push.got, i, 16)).at[0]);
            ++compared;
            for (uint w = 0; w < 4; ++w) {
                if (differs[w]) {
                    ++differing;
                    last = max(last, ~(4 * i + w));
                }
            }
        }
    }
    if (compared > 0) atomicAdd(vkprim_Words(push.verdict).at[COMPARE_COMPARED], compared);
    if (differing > 0) {
        atomicAdd(vkprim_Words(push.verdict).at[COMPARE_DIFFERING], differing);
        atomicMax(vkprim_Words(push.verdict).at[COMPARE_FIRST], last);
    }
}
