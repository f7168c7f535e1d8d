// Numbers of the top-k that depend on the device class. Results never depend on them.
#pragma once

#include "../knobs.h"
#include "vendors.h"

#include <algorithm>

namespace vkprim {

struct TopTuning {
    uint32_t workgroup_size = 256;
    uint32_t chunk          = 8192; ///< keys, at least, of a workgroup
    uint32_t workgroups     = 1024; ///< for which chunks grow, of all rows together
    uint32_t copies         = 4;    ///< of a workgroup's counters, a power of two
};

inline Result<TopTuning> tune_top(const DeviceLimits& limits, const Profile* profile) {
    TopTuning tuning;
    tuning.workgroup_size = std::min(tuning.workgroup_size, limits.workgroup_size);
    if (limits.multiprocessor_count > 0) tuning.workgroups = 8 * limits.multiprocessor_count;
    uint32_t log2_copies = 2;
    if (limits.tuned_for_cpu()) { // each workgroup costs it a pass over the counters
        tuning.chunk      = 32768;
        tuning.workgroups = 64;
        log2_copies       = 0;
    }
    // With fewer workgroups, the index of a key in its chunk would not fit 31 bits.
    const auto applied = apply_profile(limits, profile,
                                       {{"top.chunk", &tuning.chunk, 1024, 1u << 20},
                                        {"top.workgroups", &tuning.workgroups, 64, 65535},
                                        {"top.log2_copies", &log2_copies, 0, 3}});
    if (!applied) return applied.error();
    tuning.copies = 1u << log2_copies;
    return tuning;
}

} // namespace vkprim
