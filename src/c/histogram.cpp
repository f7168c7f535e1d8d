// The C interface of Histogram.
#include <vkprim/histogram.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_histogram_desc& c, Histogram::Desc& cpp) {
    visit(c.type, cpp.type);
    visit(c.bins, cpp.bins);
    visit(c.lower, cpp.lower);
    visit(c.upper, cpp.upper);
    visit(c.channels, cpp.channels);
    visit(c.counted_channels, cpp.counted_channels);
    visit(c.weights, cpp.weights);
    visit(c.wide, cpp.wide);
    visit(c.levels, cpp.levels);
    visit(c.segments, cpp.segments);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_histogram_args& c, Histogram::Args& cpp) {
    visit(c.input, cpp.input);
    visit(c.counts, cpp.counts);
    visit(c.scratch, cpp.scratch);
    visit(c.count, cpp.count);
    visit(c.segments, cpp.segments);
    visit(c.count_address, cpp.count_address);
    visit(c.accumulate, cpp.accumulate);
    visit(c.part, cpp.part);
    visit(c.weights, cpp.weights);
    visit(c.levels, cpp.levels);
}

} // namespace vkprim

using namespace vkprim;

VKPRIM_SKIN(histogram, Histogram)
