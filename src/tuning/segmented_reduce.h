// The numbers of segmented reductions that a profile may change. Results never depend on them.
#pragma once

#include "../../shaders/segmented_reduce/segmented_reduce_push.h"
#include "../knobs.h"

namespace vkprim {

struct SegmentedReduceTuning {
    uint32_t batch      = 4;    ///< rows of a tile that an invocation loads before it folds the first
    uint32_t share      = 4096; ///< places of a workgroup at most, in vectors
    uint32_t workgroups = 256;  ///< for fewer places than so many shares, shares are smaller
};

inline Result<SegmentedReduceTuning> tune_segmented_reduce(const DeviceLimits& limits, const Profile* profile) {
    SegmentedReduceTuning tuning;
    if (limits.tuned_for_cpu()) tuning.workgroups = 32; // each takes 40 us with Mesa's CPU driver, whatever it does
    if (limits.few_registers) tuning.batch = 2;         // of four rows, Mali's compiler spills
    const auto applied =
        apply_profile(limits, profile,
                      {{"segmented_reduce.batch", &tuning.batch, 1, 64},
                       {"segmented_reduce.share", &tuning.share, SEGMENTS_LEAST_SHARE, SEGMENTS_MOST_SHARE},
                       {"segmented_reduce.workgroups", &tuning.workgroups, 1, 65535}});
    if (!applied) return applied.error();
    return tuning;
}

} // namespace vkprim
