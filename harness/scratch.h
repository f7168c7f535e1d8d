// Whether scratch memory is ready for the next operation (include/vkprim/glsl/detail/scratch.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vkprim::harness {

/// What is wrong with it; empty where nothing is. `scratch` is all of it: what the largest operation so far used.
std::string scratch_fault(const std::vector<uint32_t>& scratch);

} // namespace vkprim::harness
