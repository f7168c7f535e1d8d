// For the program, which looks into the library: an operation as a shader that works on pairs (pairs.comp).
#pragma once

#include <vkprim/compiler.h>

namespace vkprim {

/// SPIR-V of pairs.comp for the operation, for every device.
Result<std::vector<uint32_t>> compile_pairs(const OperationSource& source);

} // namespace vkprim
