// The C interface of Compact.
#include <vkprim/compact.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_compact_desc& c, Compact::Desc& cpp) {
    visit(c.key, cpp.key);
    visit(c.keep, cpp.keep);
    visit(c.copy, cpp.copy);
    visit(c.waits, cpp.waits);
    visit(c.aligned, cpp.aligned);
    visit(c.rejected, cpp.rejected);
    visit(c.indices_end, cpp.indices_end);
    visit(c.segments, cpp.segments);
    visit(c.own, cpp.own);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_compact_args& c, Compact::Args& cpp) {
    visit(c.keys, cpp.keys);
    visit(c.elements, cpp.elements);
    visit(c.output, cpp.output);
    visit(c.kept, cpp.kept);
    visit(c.scratch, cpp.scratch);
    visit(c.count, cpp.count);
    visit(c.segments, cpp.segments);
    visit(c.count_address, cpp.count_address);
    visit(c.lower, cpp.lower);
    visit(c.upper, cpp.upper);
    visit(c.part, cpp.part);
    visit(c.indirect, cpp.indirect);
    visit(c.parameters, cpp.parameters);
    visit(c.indices, cpp.indices);
    visit(c.rejected, cpp.rejected);
    visit(c.above, cpp.above);
}

} // namespace vkprim

using namespace vkprim;

VKPRIM_SKIN(compact, Compact)
VKPRIM_SKIN_GRID(compact, Compact)
