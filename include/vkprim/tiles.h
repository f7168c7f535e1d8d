// The host side of vkprim/glsl/tiles.glsl: shaders of your own that scan by tiles.
#pragma once

#include <vkprim/core.h>

namespace vkprim {

/// Bytes of scratch for a dispatch of `tiles` tiles, up to 2^20, and elements of 1 to 8 words of 32 bits; never shrinks as either grows.
/// "Scratch" in core.h applies to it, and it may be shared with the primitives.
VKPRIM_API VkDeviceSize tiles_scratch_size(uint32_t tiles, uint32_t element_words = 1);

} // namespace vkprim
