// Profiles as JSON, as `vkprim tune` writes them. Needs the library vkprim::profile, which is the only one that needs nlohmann-json.
//
//     {
//         "vkprim_profile": 1,
//         "device": "NVIDIA H200",
//         "vendor_id": 4318,
//         "device_id": 9013,
//         "values": {"scan.prefetch_distance": 264}
//     }
//
// Values whose names begin with a primitive's name tune that primitive; `vkprim tune` writes them. Values named device.* change what vkprim
// assumes about the device, to work around driver bugs, or to test the code for devices with fewer features:
//
//     device.vendor_id              use vkprim's built-in tuning for this vendor's devices
//     device.subgroups              0: shared memory instead of subgroup operations
//     device.subgroup_size          a power of two that the device supports
//     device.subgroup_size_control  0: require no subgroup size; where the size may vary, subgroup operations are not used
//     device.word64                 0: workgroups exchange totals as 32-bit words
//     device.byte_access            0: as if Features::storage_buffer_8bit_access were off
//     device.specializes            0: the driver puts constants into shaders, and not the library, as in shaders of your own
//     device.few_registers          1: scans, reductions and compactions hold less in registers, some load twice; sorts have smaller tiles
//     device.workgroup_size         invocations, at least 256
//     device.workgroup_count        workgroups in a row of the grid; doubled as long as there are too few rows
//     device.shared_memory          bytes for each workgroup, at least 16384
//
// Some values of primitives are choices rather than numbers:
//
//     reduce.ordered                1: a workgroup signals its arrival only once its total is in memory
//     reduce.any_levels             for Order::any and f32: 2 or 3; with 3, more elements are added the fast way
//     scan.blocks, compact.blocks   how many blocks of 4096 words a tile has: 1 or 2
//     lookback.waits                for scan, compact and segmented_scan: 0 is Desc::waits = false; 1 lets workgroups wait on GPUs of
//                                   Apple, ARM and Broadcom, too, unless Desc::waits is false
//     lookback.tickets              for these three: 1: workgroups take their tiles in the order in which they start
//     lookback.fault, .fault_share  what `vkprim verify --inject` sets
#pragma once

#include <vkprim/core.h>

#include <string>
#include <string_view>

namespace vkprim {

/// Reads a profile from `json`. Text that is not a profile gives ErrorKind::invalid_profile, with a reason that names the place or
/// the field. create() checks whether the device and the primitive can use the values.
Result<Profile> read_profile(std::string_view json);

/// Returns `profile` as JSON for read_profile(). `device_name` is for people: nothing reads it.
std::string write_profile(const Profile& profile, const std::string& device_name);

} // namespace vkprim
