// Offsets that no primitive may go out of bounds with.
#pragma once

#include <algorithm>
#include <vector>

#include "harness/harness.h"

namespace vkprim::tests {

constexpr int wild_rounds = 6;

/// Falling; random, half of the segments with elements, most of them tiles; the same of shorter ones, of 8 to 300 elements; beyond the
/// input; and those that are fine.
inline std::vector<uint32_t> wild_offsets(int round, uint32_t segments, uint32_t count, harness::Random& random) {
    std::vector<uint32_t> offsets(segments + 1);
    for (uint32_t i = 0; i <= segments; ++i) {
        offsets[i] = round == 0   ? count - std::min(count, i * 3)
                     : round == 1 ? random.below(count + 1)
                     : round == 2 ? i % 2 * (8 + random.below(16))
                     : round == 3 ? i % 2 * (140 + random.below(160))
                     : round == 4 ? 0xfffffff0u + i
                                  : std::min(i * 4, 4u * count);
    }
    return offsets;
}

} // namespace vkprim::tests
