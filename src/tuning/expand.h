// The numbers of run-length decoding that a profile may change. Results never depend on them.
#pragma once

#include "../../shaders/expand/expand_push.h"
#include "../knobs.h"

namespace vkprim {

struct ExpandTuning {
    uint32_t share      = 4;    ///< tiles of a workgroup at most
    uint32_t workgroups = 1024; ///< for fewer tiles than so many shares, shares are smaller
};

inline Result<ExpandTuning> tune_expand(const DeviceLimits& limits, const Profile* profile) {
    ExpandTuning tuning;
    if (limits.tuned_for_cpu())
        tuning = {EXPAND_MOST_SHARE, 32}; // each takes 40 us with Mesa's CPU driver, whatever it does
    const auto applied = apply_profile(
        limits, profile,
        {{"expand.share", &tuning.share, 1, EXPAND_MOST_SHARE}, {"expand.workgroups", &tuning.workgroups, 1, 65535}});
    if (!applied) return applied.error();
    return tuning;
}

} // namespace vkprim
