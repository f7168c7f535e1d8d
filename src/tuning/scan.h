// Where a device class changes a number of the scan. Results never depend on it.
#pragma once

#include "../device.h"

#include <algorithm>

namespace vkprim {

struct ScanTuning {
    bool     tickets     = true; ///< hand out tiles in the order of asking
    uint32_t small_count = 0;    ///< up to this many elements, tiles are one block, for more workgroups; else two
    uint32_t ahead       = 0;    ///< tiles from one to the one that it prefetches
    uint32_t running     = 0;    ///< tiles that start all at once, which nobody need prefetch
};

inline ScanTuning tune_scan(const DeviceLimits& limits) {
    constexpr uint32_t nvidia          = 0x10de;
    const uint32_t     multiprocessors = limits.multiprocessor_count ? limits.multiprocessor_count : 64;
    ScanTuning         tuning;
    tuning.small_count = std::min(multiprocessors, 256u) * 4096; // no more than one group of look-back
    if (limits.vendor_id == nvidia) {
        // They start workgroups in the order of their numbers. CPU drivers give each thread a range of its own.
        tuning.tickets = false;
        // Four workgroups run on a multiprocessor; the next ones start while one waits. bench/NOTES.md has the sweep.
        tuning.ahead   = multiprocessors * 7 / 4;
        tuning.running = multiprocessors * 4;
    }
    return tuning;
}

} // namespace vkprim
