#version 460
// variants: any
//
// Zeroes the output ahead of histogram_global.comp and histogram_ranges.comp.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/address.glsl>
#include <vkprim/glsl/constants.glsl>
#include "histogram_push.h"

layout(constant_id = 8) const uint BINS = 256;

layout(push_constant) uniform Push { HistogramPush push; };

void main() {
    uint bin = workgroup_number() * WORKGROUP_SIZE + gl_LocalInvocationIndex;
    if (bin < BINS) Words(push.counts_address).at[bin] = 0;
}
