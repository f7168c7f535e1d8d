// The C interface of Reduce.
#include <vkprim/reduce.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_reduce_desc& c, Reduce::Desc& cpp) {
    visit(c.type, cpp.type);
    visit(c.operation, cpp.operation);
    visit(c.aligned, cpp.aligned);
    visit(c.own, cpp.own);
    visit(c.strided, cpp.strided);
    visit(c.order, cpp.order);
    visit(c.wide, cpp.wide);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_reduce_args& c, Reduce::Args& cpp) {
    visit(c.input, cpp.input);
    visit(c.output, cpp.output);
    visit(c.scratch, cpp.scratch);
    visit(c.count, cpp.count);
    visit(c.count_address, cpp.count_address);
    visit(c.part, cpp.part);
    visit(c.indirect, cpp.indirect);
    visit(c.parameters, cpp.parameters);
    visit(c.stride, cpp.stride);
}

} // namespace vkprim

using namespace vkprim;

VKPRIM_SKIN(reduce, Reduce)
VKPRIM_SKIN_GRID(reduce, Reduce)
