#pragma once

namespace vkprim::tools::system {

/// As it was ahead of prepare_terminal(). The program's usual end calls it by itself.
void restore_terminal();

} // namespace vkprim::tools::system
