#include "test_device.h"

#include <glob.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>

namespace vkprim::tests {
namespace {

std::map<std::string, std::unique_ptr<runtime::Device>>& devices() {
    static std::map<std::string, std::unique_ptr<runtime::Device>> all;
    return all;
}

std::string& selector() {
    static std::string text;
    return text;
}

runtime::Device& open(const std::string& name, runtime::DeviceOptions options) {
    auto& device = devices()[name];
    if (!device) {
        options.selector       = selector();
        options.validation     = environment("VKPRIM_TEST_VALIDATION") == "1";
        options.gpu_validation = environment("VKPRIM_TEST_VALIDATION") == "gpu";
        auto opened            = runtime::Device::create(options);
        if (!opened) throw std::runtime_error(opened.error().reason);
        device = std::make_unique<runtime::Device>(std::move(*opened));
    }
    return *device;
}

/// The first file that matches, or nothing.
std::string first_match(const std::string& pattern) {
    glob_t      found{};
    std::string path;
    if (glob(pattern.c_str(), 0, nullptr, &found) == 0) path = found.gl_pathv[0];
    globfree(&found);
    return path;
}

/// The index of the first usable device that is not software, or nothing.
std::string first_gpu() {
    const auto all = runtime::list_devices();
    if (!all) return {};
    for (const runtime::DeviceInfo& info : *all) {
        if (info.usable && info.type != VK_PHYSICAL_DEVICE_TYPE_CPU) return std::to_string(info.index);
    }
    return {};
}

} // namespace

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

std::string choose_device() {
    const std::string help = environment("VKPRIM_TEST_HELP");
    if (const std::string pattern = environment("VKPRIM_TEST_ICD"); !pattern.empty()) {
        const std::string file = first_match(pattern);
        if (file.empty()) return "there is no driver " + pattern + ": " + help;
        setenv("VK_DRIVER_FILES", file.c_str(), 1);
        setenv("VK_ICD_FILENAMES", file.c_str(), 1); // what loaders before 1.3.207 read
    }
    const std::string wanted = environment("VKPRIM_TEST_DEVICE");
    if (wanted.empty()) return {};
    if (wanted == "gpu") {
        selector() = first_gpu();
        if (selector().empty()) return "no Vulkan driver on this machine finds a GPU: " + help;
    }
    const runtime::DeviceInfo& info = device().info();
    if (wanted != "gpu" && info.name.find(wanted) == std::string::npos) {
        throw std::runtime_error("the device is \"" + info.name + "\", not \"" + wanted + "\"");
    }
    const std::string subgroup = environment("VKPRIM_TEST_SUBGROUP");
    if (!subgroup.empty() && std::to_string(info.subgroup_size) != subgroup) {
        throw std::runtime_error("the subgroup size of " + info.name + " is " + std::to_string(info.subgroup_size) +
                                 ", not " + subgroup);
    }
    return {};
}

const runtime::Device& device() { return open("all features", {}); }

const runtime::Device& device_without_int64_atomics() {
    runtime::DeviceOptions options;
    options.without_int64_atomics = true;
    return open("without 64-bit atomics", options);
}

const runtime::Device& device_without_subgroup_size_control() {
    runtime::DeviceOptions options;
    options.without_subgroup_size_control = true;
    return open("without subgroup size control", options);
}

const runtime::Device& device_with_profile(const Profile& profile) {
    runtime::Device& device = open("with a profile", {});
    device.use_profile(profile);
    return device;
}

const runtime::Device& device_with_queues() {
    runtime::DeviceOptions options;
    options.queues = 4;
    return open("several queues", options);
}

uint32_t validation_messages() {
    uint32_t messages = 0;
    for (const auto& [name, device] : devices()) {
        if (device) messages += device->validation_messages();
    }
    return messages;
}

void close_devices() { devices().clear(); }

} // namespace vkprim::tests
