// Profiles: what read_profile() takes survives write_profile(), whatever the device is called.
#include <vkprim/profile.h>

#include "fuzz.h"

namespace vkprim::fuzz {

std::vector<std::string> seeds() {
    return {
        write_profile({4318, 9013, {{"scan.prefetch_distance", 264}, {"reduce.workgroups", 0}}}, "NVIDIA H200"),
        write_profile({0, 0xffffffff, {}}, "llvmpipe (LLVM 15.0.6, 256 bits)"),
        R"({"vkprim_profile": 1, "device": "\u0041\n", "vendor_id": 2, "device_id": 3, "values": {"": 4294967295}})",
        R"({"vkprim_profile": 2, "device": [null, true, 1.5e-3], "vendor_id": -1, "values": {"a": {"b": [{}]}}})"};
}

void check_input(const uint8_t* data, size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto        same = [](const Profile& a, const Profile& b) {
        return a.vendor_id == b.vendor_id && a.device_id == b.device_id && a.values == b.values;
    };
    const Result<Profile> profile = read_profile(text);
    if (!profile) {
        require(profile.error().kind == ErrorKind::invalid_profile, "text that is no profile is said to be that");
        require_reason(profile.error(), "the profile");
    }
    const Profile         written = profile ? *profile : Profile{1, 2, {{"scan.prefetch_distance", 3}}};
    const Result<Profile> back    = read_profile(write_profile(written, text));
    require(back && same(*back, written), "what was written can be read");
}

} // namespace vkprim::fuzz
