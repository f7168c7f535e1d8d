#include <vkprim/requirements.h>

#include "core_device.h"

namespace vkprim {
namespace {

struct Structures {
    VkPhysicalDeviceFeatures2*                   base         = nullptr;
    VkPhysicalDeviceVulkan12Features*            vulkan12     = nullptr;
    VkPhysicalDeviceVulkan13Features*            vulkan13     = nullptr;
    VkPhysicalDeviceBufferDeviceAddressFeatures* address      = nullptr;
    VkPhysicalDeviceVulkanMemoryModelFeatures*   memory_model = nullptr;
    VkPhysicalDeviceShaderAtomicInt64Features*   atomics      = nullptr;
    VkPhysicalDeviceSubgroupSizeControlFeatures* size_control = nullptr;
    VkPhysicalDevice8BitStorageFeatures*         bytes        = nullptr;
};

Structures structures_of(VkPhysicalDeviceFeatures2& chain) {
    Structures found;
    found.base = &chain;
    for (auto* next = static_cast<VkBaseOutStructure*>(chain.pNext); next; next = next->pNext) {
        switch (next->sType) {
#define VKPRIM_FIND(member, type) \
    case type: found.member = reinterpret_cast<decltype(found.member)>(next); break;
            VKPRIM_FIND(vulkan12, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES)
            VKPRIM_FIND(vulkan13, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES)
            VKPRIM_FIND(address, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES)
            VKPRIM_FIND(memory_model, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES)
            VKPRIM_FIND(atomics, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES)
            VKPRIM_FIND(size_control, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES)
            VKPRIM_FIND(bytes, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES)
#undef VKPRIM_FIND
            default: break;
        }
    }
    return found;
}

/// The place of one feature in a chain, in the newer or the older structure; null if the chain has neither.
template <class Newer, class Older>
VkBool32* place(Newer* newer, VkBool32 Newer::*newer_member, Older* older, VkBool32 Older::*older_member) {
    if (newer) return &(newer->*newer_member);
    if (older) return &(older->*older_member);
    return nullptr;
}

bool switch_on(VkBool32* place, bool wanted) {
    if (place && wanted) *place = VK_TRUE;
    return place && *place;
}

} // namespace

Features merge_features(const Features& wanted, VkPhysicalDeviceFeatures2& chain) {
    using Vulkan12      = VkPhysicalDeviceVulkan12Features;
    using Vulkan13      = VkPhysicalDeviceVulkan13Features;
    const Structures in = structures_of(chain);
    Features         on;
    on.buffer_device_address = switch_on(place(in.vulkan12, &Vulkan12::bufferDeviceAddress, in.address,
                                               &VkPhysicalDeviceBufferDeviceAddressFeatures::bufferDeviceAddress),
                                         wanted.buffer_device_address);
    on.vulkan_memory_model   = switch_on(place(in.vulkan12, &Vulkan12::vulkanMemoryModel, in.memory_model,
                                               &VkPhysicalDeviceVulkanMemoryModelFeatures::vulkanMemoryModel),
                                         wanted.vulkan_memory_model);
    on.vulkan_memory_model_device_scope =
        switch_on(place(in.vulkan12, &Vulkan12::vulkanMemoryModelDeviceScope, in.memory_model,
                        &VkPhysicalDeviceVulkanMemoryModelFeatures::vulkanMemoryModelDeviceScope),
                  wanted.vulkan_memory_model_device_scope);
    on.shader_int64   = switch_on(&in.base->features.shaderInt64, wanted.shader_int64);
    on.shader_float64 = switch_on(&in.base->features.shaderFloat64, wanted.shader_float64);
    on.shader_buffer_int64_atomics =
        switch_on(place(in.vulkan12, &Vulkan12::shaderBufferInt64Atomics, in.atomics,
                        &VkPhysicalDeviceShaderAtomicInt64Features::shaderBufferInt64Atomics),
                  wanted.shader_buffer_int64_atomics);
    on.subgroup_size_control      = switch_on(place(in.vulkan13, &Vulkan13::subgroupSizeControl, in.size_control,
                                                    &VkPhysicalDeviceSubgroupSizeControlFeatures::subgroupSizeControl),
                                              wanted.subgroup_size_control);
    on.compute_full_subgroups     = switch_on(place(in.vulkan13, &Vulkan13::computeFullSubgroups, in.size_control,
                                                    &VkPhysicalDeviceSubgroupSizeControlFeatures::computeFullSubgroups),
                                              wanted.compute_full_subgroups);
    on.storage_buffer_8bit_access = switch_on(place(in.vulkan12, &Vulkan12::storageBuffer8BitAccess, in.bytes,
                                                    &VkPhysicalDevice8BitStorageFeatures::storageBuffer8BitAccess),
                                              wanted.storage_buffer_8bit_access);
    return on;
}

std::vector<MissingStructure> missing_structures(const Features& wanted, const VkPhysicalDeviceFeatures2& chain) {
    const Structures in = structures_of(const_cast<VkPhysicalDeviceFeatures2&>(chain)); // which are only looked at
    std::vector<MissingStructure> missing;
    const auto                    need = [&](bool is_wanted, bool is_there, const MissingStructure& structure) {
        if (is_wanted && !is_there) missing.push_back(structure);
    };
    need(wanted.buffer_device_address, in.vulkan12 || in.address,
         {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
          "VkPhysicalDeviceBufferDeviceAddressFeatures", "bufferDeviceAddress is off, which vkprim requires"});
    need(wanted.vulkan_memory_model || wanted.vulkan_memory_model_device_scope, in.vulkan12 || in.memory_model,
         {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES, "VkPhysicalDeviceVulkanMemoryModelFeatures",
          "vulkanMemoryModel is off, which vkprim requires"});
    need(wanted.shader_buffer_int64_atomics, in.vulkan12 || in.atomics,
         {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES, "VkPhysicalDeviceShaderAtomicInt64Features",
          "shaderBufferInt64Atomics is off: workgroups exchange totals word by word, which is slower"});
    need(wanted.storage_buffer_8bit_access, in.vulkan12 || in.bytes,
         {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, "VkPhysicalDevice8BitStorageFeatures",
          "storageBuffer8BitAccess is off: there are no elements and sort keys of 1 and 2 bytes"});
    need(wanted.subgroup_size_control || wanted.compute_full_subgroups, in.vulkan13 || in.size_control,
         {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
          "VkPhysicalDeviceSubgroupSizeControlFeatures",
          "subgroupSizeControl and computeFullSubgroups are off: shaders use no subgroup operations, so "
          "scans may take twice as long, and sorts 1.3 times"});
    return missing;
}

Result<Requirements> query_requirements(const RequirementsQuery& query) {
    if (!query.physical_device) return Error{ErrorKind::invalid_context, "physical_device is null"};
    auto functions = load_instance_functions(query.get_instance_proc_addr, query.instance);
    if (!functions) return functions.error();

    const DeviceLimits limits = query_limits(*functions, query.physical_device, query.api_version);
    if (std::string reason = why_unusable(limits); !reason.empty()) return Error{ErrorKind::unsupported_device, reason};

    VkPhysicalDeviceSubgroupSizeControlFeatures size_control{};
    size_control.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES;
    VkPhysicalDeviceVulkan12Features vulkan12{};
    vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    VkPhysicalDeviceFeatures2 chain{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan12, {}};
    // A Vulkan 1.2 device without the extension leaves the structure as it is: all off.
    vulkan12.pNext = limits.knows_size_control ? &size_control : nullptr;
    functions->GetPhysicalDeviceFeatures2(query.physical_device, &chain);

    Requirements requirements;
    requirements.features = merge_features({}, chain);
    if (!requirements.features.buffer_device_address) {
        return Error{ErrorKind::unsupported_device, "the device lacks bufferDeviceAddress"};
    }
    if (!requirements.features.vulkan_memory_model) {
        return Error{ErrorKind::unsupported_device, "the device lacks vulkanMemoryModel"};
    }
    const bool controls = requirements.features.subgroup_size_control || requirements.features.compute_full_subgroups;
    if (controls && limits.api_version < VK_API_VERSION_1_3) {
        requirements.extensions.push_back(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
    }
    return requirements;
}

} // namespace vkprim
