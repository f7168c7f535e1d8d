#version 460
// variants: any | rows VKPRIM_ROWS | offsets VKPRIM_OFFSETS
//
// Zeroes the output before histogram_global.comp, histogram_ranges.comp and histogram_offsets.comp.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/count.glsl>
#include "histogram_push.h"

layout(constant_id = HISTOGRAM_BINS_ID) const uint BINS = 256; // words of the output, or of a row's

#if defined(VKPRIM_ROWS)
#include "row.glsl"

void main() {
    if (!find_row((BINS - 1) / VKPRIM_WORKGROUP_SIZE + 1, BINS * 4)) return;
    uint bin = row_workgroup * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex;
    if (bin < BINS) vkprim_Words(row_counts).at[bin] = 0;
}
#elif defined(VKPRIM_OFFSETS)
#include "piece.glsl"

const uint EACH = VKPRIM_WORKGROUP_SIZE * HISTOGRAM_CLEARED; // words of a workgroup, a power of two

void main() {
    const uint segments = vkprim_count_of(push.segments, push.segments_address, 0), workgroup = vkprim_workgroup_number();
    uint high, low;
    umulExtended(segments, BINS, high, low);
    const uint whole = high * (0x80000000u / EACH * 2) + low / EACH; // workgroups that zero as much as they can
    if (workgroup > whole) return;
    const uint words = workgroup < whole ? EACH : low % EACH;
    const uvec2 counts = vkprim_address_of(push.counts_address, workgroup, EACH * 4);
    [[unroll]] for (uint i = 0; i < HISTOGRAM_CLEARED; ++i) {
        const uint word = i * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex;
        if (word < words) vkprim_Words(counts).at[word] = 0;
    }
}
#else
layout(push_constant) uniform Push { HistogramPush push; };

void main() {
    uint bin = vkprim_workgroup_number() * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex;
    if (bin < BINS) vkprim_Words(push.counts_address).at[bin] = 0;
}
#endif
