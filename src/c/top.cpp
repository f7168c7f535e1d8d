// The C interface of Top.
#include <vkprim/top.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_top_desc& c, Top::Desc& cpp) {
    visit(c.key, cpp.key);
    visit(c.largest, cpp.largest);
    visit(c.nth, cpp.nth);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_top_args& c, Top::Size& cpp) {
    visit(c.count, cpp.count);
    visit(c.wanted, cpp.wanted);
    visit(c.rows, cpp.rows);
    visit(c.row_stride, cpp.row_stride);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_top_args& c, Top::Args& cpp) {
    visit(c.keys, cpp.keys);
    visit(c.output_keys, cpp.output_keys);
    visit(c.output_indices, cpp.output_indices);
    visit(c.temporary, cpp.temporary);
    visit.flat(c, cpp.size);
    visit(c.count_address, cpp.count_address);
}

} // namespace vkprim

using namespace vkprim;

static_assert(VKPRIM_TOP_MOST_WANTED == Top::most_wanted);

VKPRIM_SKIN(top, Top)
VKPRIM_SKIN_SIZE_OF_ARGS(top, Top, temporary_size)
VKPRIM_SKIN_SIZE_OF_COUNT(top, scratch_size)
