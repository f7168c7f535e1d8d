// The numbers of reductions in chunks that a profile may change. Results never depend on them.
#pragma once

#include "../knobs.h"

namespace vkprim {

struct ChunkedReduceTuning {
    uint32_t batch = 4; ///< rows that an invocation loads before it folds the first
};

inline Result<ChunkedReduceTuning> tune_chunked_reduce(const DeviceLimits& limits, const Profile* profile) {
    ChunkedReduceTuning tuning;
    const auto          applied = apply_profile(limits, profile, {{"chunked_reduce.batch", &tuning.batch, 1, 64}});
    if (!applied) return applied.error();
    return tuning;
}

} // namespace vkprim
