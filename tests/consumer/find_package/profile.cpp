// The installed reader and writer of profiles, without the JSON library that they were built with.
#include <vkprim/profile.h>

int main() {
    vkprim::Profile profile;
    profile.values["scan.prefetch_distance"] = 231;
    const auto read                          = vkprim::read_profile(vkprim::write_profile(profile, "a device"));
    return read && read->values == profile.values ? 0 : 1;
}
