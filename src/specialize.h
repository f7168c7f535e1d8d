// Puts specialization constants into a module, ahead of the driver.
#pragma once

#include "pipeline.h"

#include <vector>

namespace vkprim {

/// The module with the values of its specialization constants, by their ids, and without the code that these values make unreachable.
/// Drivers do the same, but later: what is dead until then costs time in the compiler, and NVIDIA's makes slower code (bench/NOTES.md).
/// Only for vkprim's own modules. Empty if it has something that is not understood: then the driver does all of it.
std::vector<uint32_t> specialized(const Shader& module, const std::vector<uint32_t>& constants);

} // namespace vkprim
