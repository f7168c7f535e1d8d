// The C interface of Expand.
#include <vkprim/expand.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_expand_desc& c, Expand::Desc& cpp) {
    visit(c.values, cpp.values);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_expand_args& c, Expand::Args& cpp) {
    visit(c.values, cpp.values);
    visit(c.output, cpp.output);
    visit(c.count, cpp.count);
    visit(c.segments, cpp.segments);
    visit(c.part, cpp.part);
}

} // namespace vkprim

using namespace vkprim;

VKPRIM_SKIN(expand, Expand)
