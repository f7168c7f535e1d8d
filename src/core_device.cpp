#include "core_device.h"

#include "knobs.h"
#include "tuning/subgroups.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace vkprim {
namespace {

constexpr uint32_t smallest_workgroup = 256; // invocations, that every primitive needs

/// The most invocations of a workgroup of a pipeline that requires limits.subgroup_size.
uint64_t pinned_invocations(const DeviceLimits& limits) {
    return uint64_t{limits.subgroup_size} * limits.workgroup_subgroups;
}

bool has_extension(const InstanceFunctions& functions, VkPhysicalDevice physical_device, const char* name) {
    uint32_t count = 0;
    functions.EnumerateDeviceExtensionProperties(physical_device, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> extensions(count);
    functions.EnumerateDeviceExtensionProperties(physical_device, nullptr, &count, extensions.data());
    for (const VkExtensionProperties& extension : extensions) {
        if (std::strcmp(extension.extensionName, name) == 0) return true;
    }
    return false;
}

} // namespace

DeviceLimits query_limits(const InstanceFunctions& functions, VkPhysicalDevice physical_device, uint32_t api_version) {
    VkPhysicalDeviceSubgroupProperties subgroup{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, nullptr, 0, 0, 0, 0};
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &subgroup, {}};
    VkPhysicalDeviceSubgroupSizeControlProperties size_control{};
    size_control.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES;
    VkPhysicalDeviceShaderSMBuiltinsPropertiesNV multiprocessors{};
    multiprocessors.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV;

    VkPhysicalDeviceDriverProperties driver{};
    driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
    VkPhysicalDeviceFloatControlsProperties floats{};
    floats.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES;

    functions.GetPhysicalDeviceProperties2(physical_device, &properties);
    uint32_t version = properties.properties.apiVersion;
    if (api_version != 0) version = std::min(version, api_version);
    const bool knows_size_control =
        version >= VK_API_VERSION_1_3 || has_extension(functions, physical_device, "VK_EXT_subgroup_size_control");
    if (version >= VK_API_VERSION_1_2) {
        floats.pNext   = subgroup.pNext;
        driver.pNext   = &floats;
        subgroup.pNext = &driver;
    }
    if (knows_size_control) {
        size_control.pNext = subgroup.pNext;
        subgroup.pNext     = &size_control;
    }
    if (has_extension(functions, physical_device, "VK_NV_shader_sm_builtins")) {
        multiprocessors.pNext = subgroup.pNext;
        subgroup.pNext        = &multiprocessors;
    }
    functions.GetPhysicalDeviceProperties2(physical_device, &properties);

    const VkPhysicalDeviceLimits& device_limits = properties.properties.limits;
    DeviceLimits                  limits;
    limits.api_version        = version;
    limits.vendor_id          = properties.properties.vendorID;
    limits.tuned_for          = limits.vendor_id;
    limits.device_id          = properties.properties.deviceID;
    limits.driver_id          = driver.driverID;
    limits.software           = properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    limits.subgroup_size      = subgroup.subgroupSize;
    limits.min_subgroup_size  = knows_size_control ? size_control.minSubgroupSize : subgroup.subgroupSize;
    limits.max_subgroup_size  = knows_size_control ? size_control.maxSubgroupSize : subgroup.subgroupSize;
    limits.knows_size_control = knows_size_control;
    limits.can_require_size   = (size_control.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
    constexpr VkSubgroupFeatureFlags needed = VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT;
    limits.subgroup_operations              = (subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 &&
                                 (subgroup.supportedOperations & needed) == needed;
    limits.subgroup_ballots    = (subgroup.supportedOperations & VK_SUBGROUP_FEATURE_BALLOT_BIT) != 0;
    limits.rounds_to_even      = floats.shaderRoundingModeRTEFloat32 != VK_FALSE;
    limits.workgroup_subgroups = size_control.maxComputeWorkgroupSubgroups;
    limits.workgroup_size =
        std::min(device_limits.maxComputeWorkGroupInvocations, device_limits.maxComputeWorkGroupSize[0]);
    limits.workgroup_count_x    = device_limits.maxComputeWorkGroupCount[0];
    limits.workgroup_count_y    = device_limits.maxComputeWorkGroupCount[1];
    limits.shared_memory_size   = device_limits.maxComputeSharedMemorySize;
    limits.multiprocessor_count = multiprocessors.shaderSMCount;
    return limits;
}

std::string why_unusable(const DeviceLimits& limits) {
    if (limits.api_version < VK_API_VERSION_1_2) {
        return "the device, or what the instance was created for, is Vulkan 1.1 or older; vkprim needs 1.2";
    }
    if (limits.workgroup_size < smallest_workgroup) {
        return "the device's workgroups hold fewer than 256 invocations, or not so many in x";
    }
    return {};
}

namespace {

/// Chooses the subgroup size, and disables features as a profile says: to work around a driver's faults, or to test the code for devices
/// with fewer features.
Result<void> restrict_device(CoreDevice& core, const Profile* profile) {
    DeviceLimits& limits    = core.limits;
    uint32_t      subgroups = limits.subgroup_operations && has_fast_shuffles(limits), word64 = limits.word64,
             control = limits.can_require_size, bytes = core.features.storage_buffer_8bit_access, size = 0,
             specializes = 1, few_registers = 2; // until the vendor is known
    const bool pinned = core.pins_subgroup_size();
    // Modules of all types have 64-bit integers, of which specialization leaves none but where they are needed.
    const uint32_t least_specializes = core.features.shader_int64 ? 0 : 1;
    const auto     applied =
        apply_profile(limits, profile,
                      {{"device.vendor_id", &limits.tuned_for, 0, UINT32_MAX},
                       {"device.subgroups", &subgroups, 0, limits.subgroup_operations},
                       {"device.subgroup_size_control", &control, 0, control},
                       {"device.subgroup_size", &size, pinned ? limits.min_subgroup_size : limits.subgroup_size,
                        pinned ? limits.max_subgroup_size : limits.subgroup_size},
                       {"device.word64", &word64, 0, word64},
                       {"device.byte_access", &bytes, 0, bytes},
                       {"device.specializes", &specializes, least_specializes, 1},
                       {"device.few_registers", &few_registers, 0, 1},
                       {"device.workgroup_size", &limits.workgroup_size, smallest_workgroup, limits.workgroup_size},
                       {"device.workgroup_count", &limits.workgroup_count_x, 1, limits.workgroup_count_x},
                       {"device.shared_memory", &limits.shared_memory_size, 16384, limits.shared_memory_size}});
    if (!applied) return applied.error();
    if (pinned) limits.subgroup_size = best_subgroup_size(limits);
    if (size != 0) limits.subgroup_size = size;
    if ((limits.subgroup_size & (limits.subgroup_size - 1)) != 0) {
        return Error{ErrorKind::invalid_profile, "the profile's device.subgroup_size is no power of two"};
    }
    limits.subgroup_operations = subgroups != 0;
    limits.can_require_size    = control != 0;
    limits.word64              = word64 != 0;
    limits.specializes         = specializes != 0;
    limits.few_registers = few_registers == 2 ? vendors::have_few_registers(limits.tuned_for) : few_registers == 1;
    core.features.storage_buffer_8bit_access = bytes != 0;
    if (core.has_subgroups() && core.pins_subgroup_size()) {
        limits.workgroup_size =
            static_cast<uint32_t>(std::min<uint64_t>(limits.workgroup_size, pinned_invocations(limits)));
    }
    return {};
}

} // namespace

bool CoreDevice::pins_subgroup_size() const {
    return features.subgroup_size_control && limits.can_require_size &&
           limits.min_subgroup_size < limits.max_subgroup_size;
}

bool CoreDevice::has_subgroups() const {
    if (!limits.subgroup_operations || !features.compute_full_subgroups) return false;
    if (limits.min_subgroup_size == limits.max_subgroup_size) return true;
    return pins_subgroup_size() && pinned_invocations(limits) >= smallest_workgroup;
}

CoreDevice::Variant CoreDevice::variant() const {
    if (!has_subgroups()) return plain;
    return has_word64() ? word64 : word32;
}

Result<CoreDevice> CoreDevice::create(const Context& context) {
    if (!context.physical_device) return Error{ErrorKind::invalid_context, "physical_device is null"};
    auto instance_functions = load_instance_functions(context.get_instance_proc_addr, context.instance);
    if (!instance_functions) return instance_functions.error();
    auto device_functions = load_device_functions(*instance_functions, context.device);
    if (!device_functions) return device_functions.error();

    CoreDevice core;
    core.functions      = *device_functions;
    core.limits         = query_limits(*instance_functions, context.physical_device, context.api_version);
    core.features       = context.features;
    core.device         = context.device;
    core.pipeline_cache = context.pipeline_cache;
    core.allocator      = context.allocator;
    core.pipeline_flags = context.pipeline_flags;
    core.on_pipeline    = context.on_pipeline;
    core.parallel_for   = context.parallel_for;

    if (std::string reason = why_unusable(core.limits); !reason.empty()) {
        return Error{ErrorKind::unsupported_device, reason};
    }
    const char* missing = !core.features.buffer_device_address ? "bufferDeviceAddress"
                          : !core.features.vulkan_memory_model ? "vulkanMemoryModel"
                                                               : nullptr;
    if (missing) {
        return Error{ErrorKind::unsupported_device,
                     std::string("Context::features says that ") + missing +
                         " is off: enable it when creating the device (merge_features in vkprim/requirements.h), and "
                         "pass the features that were enabled"};
    }
    if (auto restricted = restrict_device(core, context.profile); !restricted) return restricted.error();
    return core;
}

} // namespace vkprim
