// Profiles as JSON, as `vkprim tune` writes them. Needs vkprim::profile, which alone knows the JSON library.
//
//     {
//         "vkprim_profile": 1,
//         "device": "NVIDIA H200",
//         "vendor_id": 4318,
//         "device_id": 9013,
//         "values": {"scan.ahead": 264}
//     }
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
