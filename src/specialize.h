// Puts specialization constants into a module, ahead of the driver.
#pragma once

#include "pipeline.h"

#include <vector>

namespace vkprim {

/// The module with the values of its specialization constants, by their numbers, and without what these make needless: code that is not
/// reached, functions, variables and types that are not used, and capabilities for 64-bit integers and atomics, doubles, bytes and
/// subgroups. So one module does for devices with these and without, and for several types of elements.
/// Drivers drop code, too, but later: until then it costs time, and NVIDIA's compiler makes slower code of it (bench/NOTES.md).
/// For vkprim's own modules, which are valid. Empty where an instruction is cut off, or a block stands before those that come to it.
std::vector<uint32_t> specialized(const Shader& module, const std::vector<uint32_t>& constants);

} // namespace vkprim
