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
constexpr void each_field(Visit& visit, vkprim_top_args& c, Top::Args& cpp) {
    visit(c.keys, cpp.keys);
    visit(c.output_keys, cpp.output_keys);
    visit(c.output_indices, cpp.output_indices);
    visit(c.temporary, cpp.temporary);
    visit(c.count, cpp.count);
    visit(c.wanted, cpp.wanted);
    visit(c.count_address, cpp.count_address);
    visit(c.segments, cpp.segments);
}

} // namespace vkprim

using namespace vkprim;

static_assert(VKPRIM_TOP_MOST_WANTED == Top::most_wanted);

VKPRIM_SKIN(top, Top)
VKPRIM_SKIN_SIZE(top, Top, temporary_size)
