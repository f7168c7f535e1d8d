// The C interface of Sort.
#include <vkprim/sort.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_sort_desc& c, Sort::Desc& cpp) {
    visit(c.key, cpp.key);
    visit(c.values, cpp.values);
    visit(c.descending, cpp.descending);
    visit(c.segments, cpp.segments);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_sort_args& c, Sort::Args& cpp) {
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
    visit(c.indirect, cpp.indirect);
}

} // namespace vkprim

using namespace vkprim;

VKPRIM_SKIN(sort, Sort)
VKPRIM_SKIN_SIZE(sort, Sort, temporary_size)

VKPRIM_SKIN_GRID(sort, Sort)
