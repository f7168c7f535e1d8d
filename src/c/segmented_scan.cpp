// The C interface of SegmentedScan.
#include <vkprim/segmented_scan.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_segmented_scan_desc& c, SegmentedScan::Desc& cpp) {
    visit(c.type, cpp.type);
    visit(c.operation, cpp.operation);
    visit(c.kind, cpp.kind);
    visit(c.segments, cpp.segments);
    visit(c.waits, cpp.waits);
    visit(c.own, cpp.own);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_segmented_scan_args& c, SegmentedScan::Args& cpp) {
    visit(c.input, cpp.input);
    visit(c.output, cpp.output);
    visit(c.scratch, cpp.scratch);
    visit(c.count, cpp.count);
    visit(c.segments, cpp.segments);
    visit(c.count_address, cpp.count_address);
    visit(c.output_pitch, cpp.output_pitch);
    visit(c.part, cpp.part);
    visit(c.parameters, cpp.parameters);
}

} // namespace vkprim

using namespace vkprim;

VKPRIM_SKIN(segmented_scan, SegmentedScan)
