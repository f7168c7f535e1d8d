#version 460
// variants: any
//
// The yardstick: what this device's memory can do when nothing is computed. One vector of 16 bytes per invocation and load.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/address.glsl>
#include <vkprim/glsl/detail/constants.glsl>
#include "copy_push.h"

layout(push_constant) uniform Push { CopyPush push; };

void main() {
    uint first = vkprim_workgroup_number() * VKPRIM_WORKGROUP_SIZE * COPY_VECTORS + gl_LocalInvocationIndex;
    uvec4 vectors[COPY_VECTORS];
    if (first + (COPY_VECTORS - 1) * VKPRIM_WORKGROUP_SIZE < push.vectors) {
        for (uint v = 0; v < COPY_VECTORS; ++v) {
            vectors[v] = vkprim_Words4(vkprim_address_of(push.source, first + v * VKPRIM_WORKGROUP_SIZE, 16)).at[0];
        }
        for (uint v = 0; v < COPY_VECTORS; ++v) {
            vkprim_Words4(vkprim_address_of(push.target, first + v * VKPRIM_WORKGROUP_SIZE, 16)).at[0] = vectors[v];
        }
    } else {
        for (uint i = first; i < push.vectors; i += VKPRIM_WORKGROUP_SIZE) {
            vkprim_Words4(vkprim_address_of(push.target, i, 16)).at[0] = vkprim_Words4(vkprim_address_of(push.source, i, 16)).at[0];
        }
    }
}
