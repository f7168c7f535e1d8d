// The numbers of the reduction that a profile may change. Results never depend on them.
#pragma once

#include "../knobs.h"
#include "vendors.h"

namespace vkprim {

struct ReduceTuning {
    uint32_t batch   = 4; ///< rows that an invocation loads before it folds the first
    uint32_t ordered = 1; ///< whether a workgroup's arrival waits until its total is in memory: 0 or 1
};

inline Result<ReduceTuning> tune_reduce(const DeviceLimits& limits, const Profile* profile) {
    ReduceTuning tuning;
    // On an H200 the order makes a reduction of 2^16 take 4.2 us instead of 3.7, and the totals that it would order come a
    // few polls later at most (bench/NOTES.md).
    if (limits.tuned_for == vendors::nvidia) tuning.ordered = 0;
    const auto applied = apply_profile(
        limits, profile, {{"reduce.batch", &tuning.batch, 1, 64}, {"reduce.ordered", &tuning.ordered, 0, 1}});
    if (!applied) return applied.error();
    return tuning;
}

} // namespace vkprim
