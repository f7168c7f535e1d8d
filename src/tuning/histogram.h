// Where a device class changes a number of the histogram. Results never depend on it.
#pragma once

#include "../device.h"

#include <algorithm>

namespace vkprim {

struct HistogramTuning {
    uint32_t workgroup_size = 0;
    uint32_t workgroups     = 0; ///< at most; each costs a pass over its counters
    uint32_t copies         = 0; ///< of the histogram in shared memory, a power of two; 0 where not even one fits
};

inline HistogramTuning tune_histogram(const DeviceLimits& limits, uint32_t bins) {
    HistogramTuning tuning;
    tuning.workgroup_size = limits.workgroup_size >= 1024 ? 1024 : 256;
    // Two resident workgroups of 1024 fill an NVIDIA multiprocessor; elsewhere enough for any device of its time.
    tuning.workgroups = limits.multiprocessor_count ? 2 * limits.multiprocessor_count : 256;

    // 32 KiB leaves room for several workgroups where a multiprocessor has more than one workgroup may take.
    const uint32_t words = std::min(limits.shared_memory_size, std::max(32768u, bins * 4)) / 4;
    if (bins > words) return tuning;
    tuning.copies = 1;
    while (tuning.copies < 32 && bins * tuning.copies * 2 <= words) tuning.copies *= 2;
    return tuning;
}

} // namespace vkprim
