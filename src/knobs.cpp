#include "knobs.h"

#include <algorithm>
#include <cstdio>

namespace vkprim {
namespace {

Error refuse_profile(const std::string& what) { return {ErrorKind::invalid_profile, "the profile" + what}; }

/// "10de:2335".
std::string device_text(uint32_t vendor_id, uint32_t device_id) {
    char text[18];
    std::snprintf(text, sizeof text, "%04x:%04x", vendor_id, device_id);
    return text;
}

std::string range_text(const Knob& knob) {
    const std::string least = std::to_string(knob.least);
    return knob.least == knob.most ? least : least + " to " + std::to_string(knob.most);
}

std::string names_text(std::initializer_list<Knob> knobs) {
    std::string text;
    for (const Knob& knob : knobs) text += (text.empty() ? "" : ", ") + knob.name;
    return text.empty() ? "none" : text;
}

} // namespace

Result<void> apply_profile(const DeviceLimits& limits, const Profile* profile, std::initializer_list<Knob> knobs) {
    const std::string first = knobs.begin()->name;
    return apply_profile(limits, profile, first.substr(0, first.find('.')), knobs);
}

Result<void> apply_profile(const DeviceLimits& limits, const Profile* profile, const std::string& primitive,
                           std::initializer_list<Knob> knobs) {
    if (!profile) return {};
    if (profile->vendor_id != limits.vendor_id || profile->device_id != limits.device_id) {
        return refuse_profile(" is for device " + device_text(profile->vendor_id, profile->device_id) +
                              ", this one is " + device_text(limits.vendor_id, limits.device_id) +
                              ": run vkprim tune here");
    }
    const std::string prefix = primitive + ".";
    for (const auto& [name, value] : profile->values) {
        if (name.compare(0, prefix.size(), prefix) != 0) continue;
        const auto knob =
            std::find_if(knobs.begin(), knobs.end(), [&wanted = name](const Knob& one) { return one.name == wanted; });
        if (knob == knobs.end()) {
            return refuse_profile(" names " + name + ", which vkprim does not know; it knows " + names_text(knobs));
        }
        if (value < knob->least || value > knob->most) {
            return refuse_profile("'s " + name + " is " + std::to_string(value) + ", but must be " + range_text(*knob) +
                                  " on this device");
        }
        *knob->value = value;
    }
    return {};
}

} // namespace vkprim
