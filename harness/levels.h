// Devices that can do less than this one: each level takes something away by a profile, so that what runs on lesser devices
// runs, and is proven, on any.
#pragma once

#include "harness.h"

namespace vkprim::harness {

struct Level {
    std::string name;    ///< "no subgroups", "Raspberry Pi 4 and 5"
    std::string skipped; ///< why this device cannot be made so, or is so anyway; else empty
    Profile     profile; ///< for runtime::Device::use_profile()

    std::string remains = {}; ///< in what it still differs from the named device, if in anything
};

/// From what the device can do down to the least that vkprim needs. `profile` is what they build on.
std::vector<Level> levels_of(const runtime::DeviceInfo& info, const Profile& profile = {});

/// With all pipelines that GPUs have, on a CPU as well, which is tuned to compile few of them. With tiles of so many blocks: 2, as NVIDIA's
/// GPUs alone have, or 1.
Profile with_shapes_of_gpus(const runtime::DeviceInfo& info, uint32_t blocks, bool few_registers);

/// The same for named_devices(): as little as each of them can, and tuned for its vendor.
std::vector<Level> named_levels_of(const runtime::DeviceInfo& info, const Profile& profile = {});

} // namespace vkprim::harness
