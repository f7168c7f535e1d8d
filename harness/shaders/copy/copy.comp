#version 460
// variants: any
//
// The yardstick: what this device's memory can do when nothing is computed. One vector of 16 bytes per invocation and load.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/address.glsl>
#include <vkprim/glsl/constants.glsl>
#include "copy_push.h"

layout(push_constant) uniform Push { CopyPush push; };

void main() {
    uint first = workgroup_number() * WORKGROUP_SIZE * COPY_VECTORS + gl_LocalInvocationIndex;
    uvec4 vectors[COPY_VECTORS];
    if (first + (COPY_VECTORS - 1) * WORKGROUP_SIZE < push.vectors) {
        for (uint v = 0; v < COPY_VECTORS; ++v) {
            vectors[v] = Words4(address_of(push.source, first + v * WORKGROUP_SIZE, 16)).at[0];
        }
        for (uint v = 0; v < COPY_VECTORS; ++v) {
            Words4(address_of(push.target, first + v * WORKGROUP_SIZE, 16)).at[0] = vectors[v];
        }
    } else {
        for (uint i = first; i < push.vectors; i += WORKGROUP_SIZE) {
            Words4(address_of(push.target, i, 16)).at[0] = Words4(address_of(push.source, i, 16)).at[0];
        }
    }
}
