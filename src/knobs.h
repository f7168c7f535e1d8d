// The numbers of a primitive's tuning that a caller's Profile may set.
#pragma once

#include "core_device.h"

#include <initializer_list>

namespace vkprim {

struct Knob {
    std::string name;        ///< "scan.prefetch_distance"
    uint32_t*   value;       ///< as the tuning has it
    uint32_t    least, most; ///< that give right results on this device
};

/// Sets those of `knobs` for which `profile`, which may be null, has values. Fails if the profile is for another device, or
/// if it has a name for this primitive that is not among `knobs`, or a value out of bounds. `knobs` are all that the
/// primitive has, and their names begin with its own.
Result<void> apply_profile(const DeviceLimits& limits, const Profile* profile, std::initializer_list<Knob> knobs);

/// The same for a primitive by its name, such as "scan"; `knobs` may be empty.
Result<void> apply_profile(const DeviceLimits& limits, const Profile* profile, const std::string& primitive,
                           std::initializer_list<Knob> knobs);

} // namespace vkprim
