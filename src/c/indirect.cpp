// The C interface of IndirectCommand.
#include <vkprim/indirect.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_indirect_command_desc& c, IndirectCommand::Desc& cpp) {
    visit(c.kind, cpp.kind);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_indirect_command_args& c, IndirectCommand::Args& cpp) {
    visit(c.command, cpp.command);
    visit(c.count_address, cpp.count_address);
    visit(c.bound, cpp.bound);
    visit(c.grid, cpp.grid);
    visit(c.vertices, cpp.vertices);
}

} // namespace vkprim

using namespace vkprim;

VKPRIM_SKIN(indirect_command, IndirectCommand)
