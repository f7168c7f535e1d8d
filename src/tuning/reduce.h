// The numbers of the reduction that a profile may change. Results never depend on them.
#pragma once

#include "../knobs.h"

namespace vkprim {

struct ReduceTuning {
    uint32_t batch       = 16; ///< rows in flight
    uint32_t small_batch = 4;  ///< the same for small counts, and for addresses that are not multiples of 16
};

inline Result<ReduceTuning> tune_reduce(const DeviceLimits& limits, const Profile* profile) {
    ReduceTuning tuning;
    const auto   applied = apply_profile(
          limits, profile, {{"reduce.batch", &tuning.batch, 1, 64}, {"reduce.small_batch", &tuning.small_batch, 1, 64}});
    if (!applied) return applied.error();
    return tuning;
}

} // namespace vkprim
