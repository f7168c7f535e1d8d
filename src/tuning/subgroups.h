// The subgroup size that pipelines require, if a device has several. Results never depend on it.
#pragma once

#include "../core_device.h"
#include "vendors.h"

namespace vkprim {

inline uint32_t best_subgroup_size(const DeviceLimits& limits) {
    // The invocations of a subgroup share a register file of a fixed size: the wider the subgroup, the fewer registers each has. Intel's compiler
    // spills the look-back of a Tiger Lake's scan at 32 and at 16, and Adreno's fails on it at 128.
    if (limits.tuned_for == vendors::intel || limits.tuned_for == vendors::qualcomm) return limits.min_subgroup_size;
    return limits.subgroup_size;
}

} // namespace vkprim
