#version 460
// variants: any | rows ROWS | offsets OFFSETS
//
// Zeroes the output before histogram_global.comp, histogram_ranges.comp and histogram_offsets.comp.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/count.glsl>
#include "../names.glsl"
#include "histogram_push.h"

layout(constant_id = HISTOGRAM_BINS_ID) const uint BINS = 256; // words of the output, or of a row's

#if defined(ROWS)
#include "row.glsl"

void main() {
    if (!find_row((BINS - 1) / WORKGROUP_SIZE + 1, BINS * 4)) return;
    uint bin = row_workgroup * WORKGROUP_SIZE + gl_LocalInvocationIndex;
    if (bin < BINS) Words(row_counts).at[bin] = 0;
}
#elif defined(OFFSETS)
#include "piece.glsl"

const uint EACH = WORKGROUP_SIZE * HISTOGRAM_CLEARED; // words of a workgroup, a power of two

void main() {
    const uint segments = count_of(push.segments, push.segments_address, 0), workgroup = workgroup_number();
    uint high, low;
    umulExtended(segments, BINS, high, low);
    const uint whole = high * (0x80000000u / EACH * 2) + low / EACH; // workgroups that zero as much as they can
    if (workgroup > whole) return;
    const uint words = workgroup < whole ? EACH : low % EACH;
    const uvec2 counts = address_of(push.counts_address, workgroup, EACH * 4);
    [[unroll]] for (uint i = 0; i < HISTOGRAM_CLEARED; ++i) {
        const uint word = i * WORKGROUP_SIZE + gl_LocalInvocationIndex;
        if (word < words) Words(counts).at[word] = 0;
    }
}
#else
layout(push_constant) uniform Push { HistogramPush push; };

void main() {
    uint bin = workgroup_number() * WORKGROUP_SIZE + gl_LocalInvocationIndex;
    if (bin < BINS) Words(push.counts_address).at[bin] = 0;
}
#endif
