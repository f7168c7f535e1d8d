// The host's side of vkprim/glsl/reduction.glsl: shaders of your own that reduce over a dispatch.
#pragma once

#include <vkprim/core.h>

namespace vkprim {

/// Bytes of scratch for a dispatch of so many workgroups, up to 65536, and elements of 1 to 8 words of 32 bits; never shrinks as either
/// grows. The rules are those of the primitives (core.h), with which it may be shared.
VKPRIM_API VkDeviceSize reduction_scratch_size(uint32_t workgroups, uint32_t element_words = 1);

} // namespace vkprim
