// Whether scratch memory is as vkprim's operations leave it (include/vkprim/glsl/detail/scratch.h), and guard words behind it.
#pragma once

#include <vkprim/glsl/detail/scratch.h>

#include <cstdint>
#include <string>
#include <vector>

namespace vkprim::harness {

/// Empty where scratch is ready for the next operation, else what is wrong. `scratch` has all its words.
std::string scratch_fault(const std::vector<uint32_t>& scratch);

/// How many words its last operation of look-back has left in its stripe, where scratch is ready.
uint32_t words_left(const std::vector<uint32_t>& scratch);

/// What lies behind the end of scratch. As many words as all stripes take in turn, since an operation leaves some of them alone.
constexpr uint32_t scratch_guard_words = VKPRIM_SCRATCH_STRIPES * VKPRIM_SCRATCH_RUN * 2;
constexpr uint32_t scratch_guard       = 0x6ea2d5c3;

/// Empty where all guard words are as they were, else what is wrong.
std::string scratch_guard_fault(const uint32_t* guard);

} // namespace vkprim::harness
