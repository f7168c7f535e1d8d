// The features that vkprim needs of a VkDevice: queried before vkCreateDevice, and merged into the caller's own feature chain:
//
//     auto wanted = vkprim::query_requirements({vkGetInstanceProcAddr, instance, physical_device});
//     VkPhysicalDeviceVulkan13Features vulkan13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
//     VkPhysicalDeviceVulkan12Features vulkan12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &vulkan13};
//     VkPhysicalDeviceFeatures2        features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan12};
//     ... the engine's own features ...
//     context.features = vkprim::merge_features(wanted->features, features);
//     for (const auto& one : vkprim::missing_structures(wanted->features, features)) log(one.name, one.effect);
//
// Where the chain has no VkPhysicalDeviceVulkan13Features, as on Vulkan 1.2, and also where an application of Vulkan 1.3 chains single
// structures, it takes VkPhysicalDeviceSubgroupSizeControlFeatures: without both, vkprim cannot ask for full subgroups, and uses none.
//
// vulkanMemoryModel changes what other shaders on the device may do: without vulkanMemoryModelDeviceScope, a plain atomicAdd on a
// buffer, which has device scope, is invalid in all of them (VUID-RuntimeSpirv-vulkanMemoryModel-06265). vkprim's own shaders do not
// need the second feature, but it is requested where the device has it. Code that enables features by hand should enable both.
#pragma once

#include <vkprim/core.h>

#include <vector>

namespace vkprim {

struct RequirementsQuery {
    PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;
    VkInstance                instance               = VK_NULL_HANDLE;
    VkPhysicalDevice          physical_device        = VK_NULL_HANDLE;
    uint32_t                  api_version = 0; ///< VkApplicationInfo::apiVersion of `instance`; 0: the device's
};

struct Requirements {
    Features features; ///< those that vkprim requires or makes use of, and the device supports
    /// Device extensions that those need (none from Vulkan 1.3 on); string literals.
    std::vector<const char*> extensions;
};

/// Finds what to enable. Fails with ErrorKind::unsupported_device if the device cannot run vkprim at all: below Vulkan
/// 1.2, or without bufferDeviceAddress, vulkanMemoryModel, or workgroups of 256.
VKPRIM_API Result<Requirements> query_requirements(const RequirementsQuery& query);

/// Enables `wanted` in the structures of `chain`: VkPhysicalDeviceVulkan12Features and 13Features, or the
/// single-feature structures that they replaced. Nothing is appended, and nothing is disabled.
/// Returns what is enabled in `chain` afterwards, which is the value for Context::features. A feature whose structure is
/// missing from the chain stays off: vkprim works without it, though maybe slower, or create() says that it is missing.
/// missing_structures() names such structures.
VKPRIM_API Features merge_features(const Features& wanted, VkPhysicalDeviceFeatures2& chain);

/// A structure that a chain lacks. String literals.
struct MissingStructure {
    VkStructureType type;
    const char*     name;   ///< "VkPhysicalDeviceSubgroupSizeControlFeatures"
    const char*     effect; ///< what vkprim does without it, a sentence
};

/// The structures that merge_features() needs to enable all of `wanted`, and does not find in `chain`: those of single features, which can
/// be appended as they are. In place of VkPhysicalDeviceSubgroupSizeControlFeatures, VkPhysicalDeviceVulkan13Features also does, and
/// VkPhysicalDeviceVulkan12Features in place of the others. Nothing, if merge_features() enables all.
VKPRIM_API std::vector<MissingStructure> missing_structures(const Features&                  wanted,
                                                            const VkPhysicalDeviceFeatures2& chain);

} // namespace vkprim
