// Devices that many people have, as far as they concern vkprim: what a profile must take away from this device to make it one of them.
#pragma once

#include <vkprim/runtime.h>

#include <string>
#include <vector>

namespace vkprim::harness {

/// Limits and features of one device, as its driver reports them.
struct NamedDevice {
    std::string name;   ///< "Raspberry Pi 4 and 5"
    std::string source; ///< who says so
    uint32_t    vendor_id       = 0;
    uint32_t    workgroup_size  = 0; ///< maxComputeWorkGroupInvocations
    uint32_t    workgroup_count = 0; ///< maxComputeWorkGroupCount[0]
    uint32_t    shared_memory   = 0; ///< maxComputeSharedMemorySize, bytes
    /// That vkprim runs with there; 1: without subgroups, which lack shuffles or vary in size.
    uint32_t subgroup_size = 0;
    bool     word64        = false; ///< shaderInt64 and shaderBufferInt64Atomics
    bool     byte_access   = false; ///< storageBuffer8BitAccess
};

const std::vector<NamedDevice>& named_devices();

/// `base`, with all that makes the device `info` as little as `named`.
Profile profile_of(const NamedDevice& named, const runtime::DeviceInfo& info, const Profile& base);

/// In what the device `info` still differs from `named` then: "subgroups of 8, not 64". Empty where in nothing.
std::string what_remains(const NamedDevice& named, const runtime::DeviceInfo& info);

} // namespace vkprim::harness
