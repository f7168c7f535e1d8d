// The C interface of Expand.
#include <vkprim/expand.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_expand_desc& c, Expand::Desc& cpp) {
    visit(c.values, cpp.values);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_expand_args& c, Expand::Size& cpp) {
    visit(c.count, cpp.count);
    visit(c.segments, cpp.segments);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_expand_args& c, Expand::Args& cpp) {
    visit(c.offsets, cpp.offsets);
    visit(c.values, cpp.values);
    visit(c.output, cpp.output);
    visit.flat(c, cpp.size);
    visit(c.segments_address, cpp.segments_address);
    visit(c.part, cpp.part);
}

} // namespace vkprim

using namespace vkprim;

VKPRIM_SKIN(expand, Expand)
VKPRIM_SKIN_SIZE_OF_ARGS(expand, Expand, scratch_size)
