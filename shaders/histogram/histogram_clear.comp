#version 460
// variants: any | rows VKPRIM_ROWS
//
// Zeroes the output ahead of histogram_global.comp and histogram_ranges.comp.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/address.glsl>
#include <vkprim/glsl/detail/constants.glsl>
#include "histogram_push.h"

layout(constant_id = HISTOGRAM_BINS_ID) const uint BINS = 256; // words of the output, or of a row's

#ifndef VKPRIM_ROWS
layout(push_constant) uniform Push { HistogramPush push; };

void main() {
    uint bin = vkprim_workgroup_number() * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex;
    if (bin < BINS) vkprim_Words(push.counts_address).at[bin] = 0;
}
#else
#include "row.glsl"

void main() {
    if (!find_row((BINS - 1) / VKPRIM_WORKGROUP_SIZE + 1, BINS * 4)) return;
    uint bin = row_workgroup * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex;
    if (bin < BINS) vkprim_Words(row_counts).at[bin] = 0;
}
#endif
