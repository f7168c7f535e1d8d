// The numbers of the reduction that a profile may change. Results never depend on them.
#pragma once

#include "../knobs.h"

namespace vkprim {

struct ReduceTuning {
    uint32_t batch = 4; ///< rows that an invocation loads before it folds the first
};

inline Result<ReduceTuning> tune_reduce(const DeviceLimits& limits, const Profile* profile) {
    ReduceTuning tuning;
    const auto   applied = apply_profile(limits, profile, {{"reduce.batch", &tuning.batch, 1, 64}});
    if (!applied) return applied.error();
    return tuning;
}

} // namespace vkprim
