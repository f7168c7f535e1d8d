// How subgroups are used: of which size, if a device has several, and whether at all. Results never depend on it.
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

/// Whether shuffles are as fast as shared memory. PanVK, Mesa's driver for Mali, makes a loop of each, a round for each different index, and keeps
/// what it found from one round of the loops around it to the next (nir_lower_subgroups, Mesa 26.1): scans of segments spilled 283 registers.
inline bool has_fast_shuffles(const DeviceLimits& limits) {
    constexpr uint32_t panvk = 20; // VK_DRIVER_ID_MESA_PANVK, which older headers lack
    return limits.driver_id != panvk;
}

} // namespace vkprim
