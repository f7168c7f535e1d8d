// A convolution of whole numbers from 0 to 255 with a mask that is a triangle, or a pyramid, of whole numbers.
#pragma once

#include "ladder.h"

namespace vkprim::tools::ladder {

struct Convolution {
    uint32_t columns, rows;      ///< of the elements, which lie row by row
    uint32_t radius_x, radius_y; ///< of the mask, at most LADDER_RADIUS; radius_y 0 in one dimension
    uint32_t edge;               ///< EDGE_ZERO, EDGE_CLAMP, EDGE_MIRROR
};

/// Without its name.
Problem problem_of(const Convolution& convolution, const std::vector<float>& elements);

/// The sum of the mask's weights.
float weight_of(const Convolution& convolution);

} // namespace vkprim::tools::ladder
