// Where a device class changes a number of the scan. Results never depend on it.
#pragma once

#include "../device.h"

namespace vkprim {

struct ScanTuning {
    bool tickets = true; ///< hand out tiles in the order of asking
};

inline ScanTuning tune_scan(const DeviceLimits& limits) {
    constexpr uint32_t nvidia = 0x10de;
    ScanTuning         tuning;
    // NVIDIA GPUs start workgroups in the order of their numbers. CPU drivers give each thread a range of its own.
    tuning.tickets = limits.vendor_id != nvidia;
    return tuning;
}

} // namespace vkprim
