#include "named_devices.h"

#include "tuning/vendors.h"

#include <fmt/format.h>

#include <algorithm>

namespace vkprim::harness {
namespace {

using namespace vendors;
constexpr uint32_t amd = 0x1002; // which the tuning does not tell from others

/// Whether a pipeline can have subgroups of that size on the device.
bool has_size(const runtime::DeviceInfo& info, uint32_t size) {
    if (info.min_subgroup_size == info.max_subgroup_size) return size == info.subgroup_size;
    return info.features.subgroup_size_control && size >= info.min_subgroup_size && size <= info.max_subgroup_size;
}

bool has_word64(const runtime::DeviceInfo& info) {
    return info.features.shader_int64 && info.features.shader_buffer_int64_atomics;
}

} // namespace

const std::vector<NamedDevice>& named_devices() {
    static const std::vector<NamedDevice> devices = {
        // name, source, vendor, then as in NamedDevice: workgroups, shared memory, subgroups, 64-bit atomics, bytes
        {"GeForce RTX 30 and 40", "NVIDIA 580", nvidia, 1024, 0x7fffffff, 49152, 32, true, true},
        {"Radeon RX 7900", "RADV 22.3.6", amd, 1024, 65535, 65536, 64, true, true},
        {"Radeon RX 480", "RADV 22.3.6", amd, 1024, 65535, 65536, 64, true, true},
        {"Intel Iris Xe", "ANV 22.3.6", intel, 1024, 65535, 65536, 8, true, true},
        {"Intel HD Graphics 530", "ANV 22.3.6", intel, 1024, 65535, 65536, 8, true, true},
        {"Adreno 660", "Turnip 22.3.6", qualcomm, 2048, 65535, 32768, 64, false, true},
        {"Adreno 618", "Turnip 22.3.6", qualcomm, 2048, 65535, 32768, 64, false, true},
        {"Mali-G610", "PanVK 26.1", arm, 1024, 65535, 32768, 1, true, true},
        {"Apple M1", "MoltenVK", apple, 1024, 1u << 30, 32768, 32, false, true},
        {"Raspberry Pi 4 and 5", "V3DV 22.3.6", broadcom, 256, 65535, 16384, 1, false, true},
    };
    return devices;
}

Profile profile_of(const NamedDevice& named, const runtime::DeviceInfo& info, const Profile& base) {
    Profile profile = base;
    auto&   values  = profile.values;

    values["device.vendor_id"]       = named.vendor_id;
    values["device.workgroup_size"]  = std::min(named.workgroup_size, info.max_workgroup_invocations);
    values["device.workgroup_count"] = std::min(named.workgroup_count, info.max_workgroup_count_x);
    values["device.shared_memory"]   = std::min(named.shared_memory, info.shared_memory_size);
    if (named.subgroup_size == 1) {
        values["device.subgroups"] = 0;
    } else if (has_size(info, named.subgroup_size)) {
        values["device.subgroup_size"] = named.subgroup_size;
    }
    if (!named.word64) values["device.word64"] = 0;
    if (!named.byte_access) values["device.byte_access"] = 0;
    return profile;
}

std::string what_remains(const NamedDevice& named, const runtime::DeviceInfo& info) {
    std::string text;
    const auto  differs = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
    const auto  less    = [&](const char* what, uint32_t here, uint32_t there) {
        if (here < there) differs(fmt::format("{} {}, not {}", here, what, there));
    };
    if (named.subgroup_size > 1 && !has_size(info, named.subgroup_size)) {
        differs(fmt::format("subgroups of {}, not {}", info.subgroup_size, named.subgroup_size));
    }
    if (named.word64 && !has_word64(info)) differs("no 64-bit atomics");
    if (named.byte_access && !info.features.storage_buffer_8bit_access) differs("bytes read in whole words");
    less("invocations", info.max_workgroup_invocations, named.workgroup_size);
    less("workgroups a row", info.max_workgroup_count_x, named.workgroup_count);
    less("bytes of shared memory", info.shared_memory_size, named.shared_memory);
    return text;
}

} // namespace vkprim::harness
