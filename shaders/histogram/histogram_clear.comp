#version 460
// variants: any
//
// Zeroes the output ahead of histogram_global.comp and histogram_ranges.comp.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/address.glsl>
#include <vkprim/glsl/detail/constants.glsl>
#include "histogram_push.h"

layout(constant_id = HISTOGRAM_BINS_ID) const uint BINS = 256; // words of the output

layout(push_constant) uniform Push { HistogramPush push; };

void main() {
    uint bin = vkprim_workgroup_number() * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex;
    if (bin < BINS) vkprim_Words(push.counts_address).at[bin] = 0;
}
