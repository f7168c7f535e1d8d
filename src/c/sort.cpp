// The C interface of Sort.
#include <vkprim/sort.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_sort_desc& c, Sort::Desc& cpp) {
    visit(c.key, cpp.key);
    visit(c.values, cpp.values);
    visit(c.descending, cpp.descending);
    visit(c.rows, cpp.rows);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_sort_args& c, Sort::Args& cpp) {
    visit(c.keys, cpp.keys);
    visit(c.values, cpp.values);
    visit(c.output_keys, cpp.output_keys);
    visit(c.output_values, cpp.output_values);
    visit(c.temporary, cpp.temporary);
    visit(c.count, cpp.count);
    visit(c.count_address, cpp.count_address);
    visit(c.rows, cpp.rows);
    visit(c.row_stride, cpp.row_stride);
    visit(c.begin_bit, cpp.begin_bit);
    visit(c.end_bit, cpp.end_bit);
    visit(c.indirect, cpp.indirect);
}

} // namespace vkprim

using namespace vkprim;

VKPRIM_SKIN(sort, Sort)

VkDeviceSize vkprim_sort_temporary_size(const vkprim_sort* sort, uint32_t count, uint32_t rows) {
    return sort->object.temporary_size(count, rows);
}

VKPRIM_SKIN_SIZE_OF_COUNT(sort, scratch_size)
VKPRIM_SKIN_GRID(sort, Sort)
