// Profiles as JSON, as `vkprim tune` writes them. Needs vkprim::profile, which alone knows the JSON library.
//
//     {
//         "vkprim_profile": 1,
//         "device": "NVIDIA H200",
//         "vendor_id": 4318,
//         "device_id": 9013,
//         "values": {"scan.ahead": 264}
//     }
//
// Values named after a primitive are numbers of its tuning; `vkprim tune` writes them. Those named device.* make the device
// another or a lesser one, to work around a driver's faults or to test what runs there:
//
//     device.vendor_id              the vendor whose devices' numbers to take
//     device.subgroups              0: shared memory instead of subgroup operations
//     device.subgroup_size          a power of two that the device can be asked for
//     device.subgroup_size_control  0: do not ask; where the size may vary, that means no subgroup operations
//     device.word64                 0: workgroups talk in words of 32 bits
//     device.byte_access            0: inputs of u8 and u16 are read in whole words of 4 bytes
//     device.workgroup_size         invocations, at least 256
//     device.workgroup_count        workgroups in a row of the grid; twice as many, and so on, where its rows do not suffice
//     device.shared_memory          bytes of a workgroup, at least 16384
//
// Those that are no numbers to tune, but choices:
//
//     reduce.ordered                1: a workgroup's arrival waits until its total is in memory
//     scan.blocks, compact.blocks   how many blocks of 4096 words a tile has: 1 or 2
//     lookback.waits                of scan and compact; 0 is Desc::waits = false
//     lookback.tickets              of scan and compact; 1: tiles are handed out in the order of asking
//     lookback.fault, .fault_share  what `vkprim verify --inject` sets
#pragma once

#include <vkprim/core.h>

#include <string>
#include <string_view>

namespace vkprim {

/// The profile in `json`. Any text is safe: what is no profile gives VK_ERROR_INITIALIZATION_FAILED, with a reason that
/// names the place or the field. Whether a device and a primitive can use its values, create() finds out.
Result<Profile> read_profile(std::string_view json);

/// `profile` as JSON that read_profile() takes. `device_name` is for people: nothing reads it.
std::string write_profile(const Profile& profile, const std::string& device_name);

} // namespace vkprim
