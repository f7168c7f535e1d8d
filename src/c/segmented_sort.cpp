// The C interface of SegmentedSort.
#include <vkprim/segmented_sort.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_segmented_sort_desc& c, SegmentedSort::Desc& cpp) {
    visit(c.key, cpp.key);
    visit(c.values, cpp.values);
    visit(c.descending, cpp.descending);
    visit(c.segments, cpp.segments);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_segmented_sort_args& c, SegmentedSort::Args& cpp) {
    visit(c.keys, cpp.keys);
    visit(c.values, cpp.values);
    visit(c.output_keys, cpp.output_keys);
    visit(c.output_values, cpp.output_values);
    visit(c.temporary, cpp.temporary);
    visit(c.count, cpp.count);
    visit(c.segments, cpp.segments);
    visit(c.count_address, cpp.count_address);
    visit(c.begin_bit, cpp.begin_bit);
    visit(c.end_bit, cpp.end_bit);
}

} // namespace vkprim

using namespace vkprim;

VKPRIM_SKIN(segmented_sort, SegmentedSort)

uint32_t vkprim_segmented_sort_most_short(const vkprim_segmented_sort* segmented_sort) {
    return segmented_sort->object.most_short();
}

VKPRIM_SKIN_SIZE(segmented_sort, SegmentedSort, temporary_size)
