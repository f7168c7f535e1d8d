// The C interface of SegmentedReduce.
#include <vkprim/segmented_reduce.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_segmented_reduce_desc& c, SegmentedReduce::Desc& cpp) {
    visit(c.type, cpp.type);
    visit(c.operation, cpp.operation);
    visit(c.segments, cpp.segments);
    visit(c.own, cpp.own);
    visit(c.wide, cpp.wide);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_segmented_reduce_args& c, SegmentedReduce::Args& cpp) {
    visit(c.input, cpp.input);
    visit(c.output, cpp.output);
    visit(c.scratch, cpp.scratch);
    visit(c.count, cpp.count);
    visit(c.segments, cpp.segments);
    visit(c.count_address, cpp.count_address);
    visit(c.part, cpp.part);
    visit(c.parameters, cpp.parameters);
}

} // namespace vkprim

using namespace vkprim;

VKPRIM_SKIN(segmented_reduce, SegmentedReduce)
