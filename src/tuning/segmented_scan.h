// The numbers of segmented scans that a profile may change. Results never depend on them.
#pragma once

#include "../../shaders/segmented_scan/segmented_scan_push.h"
#include "lookback.h"

namespace vkprim {

struct SegmentedScanTuning {
    LookbackTuning waits;
    uint32_t       share       = 1024; ///< places of a workgroup at most, in vectors: one tile of a long segment
    uint32_t       short_share = 2048; ///< the same between offsets, of segments that are mostly shorter than that
    uint32_t       workgroups  = 512;  ///< for fewer places than so many shares, shares are smaller
};

inline Result<SegmentedScanTuning> tune_segmented_scan(const DeviceLimits& limits, const Profile* profile) {
    const auto waits = tune_waits(limits, profile);
    if (!waits) return waits.error();
    SegmentedScanTuning tuning;
    tuning.waits = *waits;
    if (limits.tuned_for_cpu()) tuning.workgroups = 32; // each takes 40 us with Mesa's CPU driver, whatever it does
    // At least two, so that an operation with several tiles has several workgroups, which arrive in scratch.
    const auto applied =
        apply_profile(limits, profile,
                      {{"segmented_scan.share", &tuning.share, SEGMENTS_LEAST_SHARE, SEGMENTS_MOST_SHARE},
                       {"segmented_scan.short_share", &tuning.short_share, SEGMENTS_LEAST_SHARE, SEGMENTS_MOST_SHARE},
                       {"segmented_scan.workgroups", &tuning.workgroups, 2, 65535}});
    if (!applied) return applied.error();
    return tuning;
}

} // namespace vkprim
