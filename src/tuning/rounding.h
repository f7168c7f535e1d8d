// Whether shaders declare how they round, which depends on the device class. Results never depend on it.
#pragma once

#include "../core_device.h"
#include "vendors.h"

namespace vkprim {

/// Whether float shaders of a device with these limits declare that they round to nearest even.
inline bool declares_rounding(const DeviceLimits& limits) {
    // NVIDIA GPUs round this way without the declaration (`vkprim doctor` tests it). With it, an H200 took up to 11 % longer for
    // histograms of floats, and 1.5 % for their scans: bench/NOTES.md.
    return limits.rounds_to_even && limits.tuned_for != vendors::nvidia;
}

} // namespace vkprim
