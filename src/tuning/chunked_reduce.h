// The numbers of reductions in chunks that a profile may change. Results never depend on them.
#pragma once

#include "../knobs.h"

namespace vkprim {

struct ChunkedReduceTuning {
    uint32_t batch   = 4; ///< rows that an invocation loads before it folds the first
    uint32_t aligned = 1; ///< whether multiples of 16 have a pipeline apart from all other addresses: 0 or 1
};

inline Result<ChunkedReduceTuning> tune_chunked_reduce(const DeviceLimits& limits, const Profile* profile) {
    ChunkedReduceTuning tuning;
    if (limits.tuned_for_cpu()) tuning.aligned = 0; // as in lookback.h
    const auto applied = apply_profile(
        limits, profile,
        {{"chunked_reduce.batch", &tuning.batch, 1, 64}, {"chunked_reduce.aligned", &tuning.aligned, 0, 1}});
    if (!applied) return applied.error();
    return tuning;
}

} // namespace vkprim
