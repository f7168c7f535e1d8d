// Pictures blurred by the ladder's convolutions.
#pragma once

#include "tools/cli/files/files.h"
#include "tools/ladder/ladder.h"

namespace vkprim::tools {

/// One channel of a picture under a mask of `radius` in both directions, mirrored at the edges.
ladder::Problem problem_of(const Image& picture, uint32_t channel, uint32_t radius);

/// All channels, by the last step that can run here and compared with the CPU. Every sample is the weighted mean of those around it,
/// rounded.
Result<Image> blurred(const runtime::Device& device, const Image& picture, uint32_t radius, uint32_t workgroup_size);

} // namespace vkprim::tools
