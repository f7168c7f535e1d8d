// Programs of others under validation: consumers and examples.
#pragma once

#include <string>

namespace vkprim::tests {

/// Runs a command of the shell, which must end with 0. Where VKPRIM_TEST_VALIDATION is 1 the validation layer watches it, and
/// must have nothing to say. The value: what it printed.
std::string run_validated(const std::string& command);

} // namespace vkprim::tests
