// The numbers of the reduction that a profile may change. Results never depend on them.
#pragma once

#include "../knobs.h"
#include "vendors.h"

namespace vkprim {

struct ReduceTuning {
    uint32_t batch        = 4; ///< rows that an invocation loads before it folds the first
    uint32_t loaded_batch = 4; ///< the same for elements of more than two words that a user's load() makes
    uint32_t aligned      = 1; ///< whether multiples of 16 have a pipeline apart from all other addresses: 0 or 1
    uint32_t ordered      = 1; ///< whether a workgroup's arrival waits until its total is in memory: 0 or 1

    // Of Order::any.
    uint32_t any_batch = 4; ///< rows that an invocation loads while it adds as many
    /// In which f32 are added, of 22 bits each; two of them have room for any f32. f64 have two levels of 46 bits.
    uint32_t any_levels = 3;
    uint32_t any_tiles  = 4096; ///< about the most tiles of 16 rows; larger counts have tiles of more rows instead
};

inline Result<ReduceTuning> tune_reduce(const DeviceLimits& limits, const Profile* profile) {
    ReduceTuning tuning;
    // Such an element is often computed from one number: with 16 instead of 4, moments of 2^28 floats take 0.352 ms instead of 0.415 on an H100
    // (bench/NOTES.md). Compilers of other vendors spill first.
    if (limits.tuned_for == vendors::nvidia) tuning.loaded_batch = 16;
    // On an H200 the order makes a reduction of 2^16 take 4.2 us instead of 3.7, and the totals that it would order come a
    // few polls later at most (bench/NOTES.md).
    if (limits.tuned_for == vendors::nvidia) tuning.ordered = 0;
    if (limits.tuned_for_cpu()) tuning.aligned = 0;                // as in lookback.h
    if (limits.few_registers) tuning.batch = tuning.any_batch = 2; // of four rows, Mali's compiler spills
    const auto applied = apply_profile(limits, profile,
                                       {{"reduce.batch", &tuning.batch, 1, 64},
                                        {"reduce.loaded_batch", &tuning.loaded_batch, 1, 64},
                                        {"reduce.aligned", &tuning.aligned, 0, 1},
                                        {"reduce.ordered", &tuning.ordered, 0, 1},
                                        {"reduce.any_batch", &tuning.any_batch, 1, 16},
                                        {"reduce.any_levels", &tuning.any_levels, 2, 3},
                                        {"reduce.any_tiles", &tuning.any_tiles, 256, 65536}});
    if (!applied) return applied.error();
    return tuning;
}

} // namespace vkprim
