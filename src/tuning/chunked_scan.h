// The numbers of scans in chunks that a profile may change. Results never depend on them.
#pragma once

#include "../knobs.h"

namespace vkprim {

struct ChunkedScanTuning {
    uint32_t aligned = 1; ///< whether multiples of 16 have pipelines apart from all other addresses: 0 or 1
};

inline Result<ChunkedScanTuning> tune_chunked_scan(const DeviceLimits& limits, const Profile* profile) {
    ChunkedScanTuning tuning;
    if (limits.tuned_for_cpu() || limits.few_registers) tuning.aligned = 0; // as in lookback.h
    const auto applied = apply_profile(limits, profile, {{"chunked_scan.aligned", &tuning.aligned, 0, 1}});
    if (!applied) return applied.error();
    return tuning;
}

} // namespace vkprim
