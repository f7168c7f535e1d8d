// The host side of vkprim/glsl/reduction.glsl: shaders of your own that reduce over a dispatch.
#pragma once

#include <vkprim/core.h>

namespace vkprim {

/// Bytes of scratch for a dispatch of `workgroups` workgroups, up to 65536, and elements of 1 to 8 words of 32 bits; never shrinks as
/// either grows. "Scratch" in core.h applies to it, and it may be shared with the primitives.
VKPRIM_API VkDeviceSize reduction_scratch_size(uint32_t workgroups, uint32_t element_words = 1);

} // namespace vkprim
