// What the core knows about the caller's device: its entry points, its limits, and which features are on.
#pragma once

#include "functions.h"

namespace vkprim {

struct DeviceLimits {
    uint32_t api_version          = 0; ///< the device's, or the lower one that the instance was created for
    uint32_t vendor_id            = 0;
    uint32_t tuned_for            = 0; ///< the vendor_id that src/tuning/ goes by
    uint32_t device_id            = 0;
    uint32_t driver_id            = 0;     ///< VkDriverId
    bool     software             = false; ///< runs on the CPU
    uint32_t subgroup_size        = 0;     ///< of a pipeline that requires none
    uint32_t min_subgroup_size    = 0;
    uint32_t max_subgroup_size    = 0;
    bool     knows_size_control   = false; ///< and whether subgroups are full
    bool     can_require_size     = false; ///< a compute pipeline may require one of those sizes
    bool     subgroup_operations  = false; ///< shuffle and vote, in compute shaders
    bool     subgroup_ballots     = false; ///< and ballot
    bool     word64               = true;  ///< whether to use 64-bit atomics if the features are on
    uint32_t workgroup_size       = 0;     ///< invocations, at most, all of them in x
    uint32_t workgroup_subgroups  = 0;     ///< at most, of pipelines that ask for a size of subgroups
    bool     specializes          = true;  ///< constants are put into shaders before the driver gets them
    bool     few_registers        = false; ///< for each invocation: shaders hold one vector at a time
    bool     rounds_to_even       = false; ///< f32 in shaders that ask for it (float controls)
    uint32_t workgroup_count_x    = 0;
    uint32_t workgroup_count_y    = 0;
    uint32_t shared_memory_size   = 0; ///< bytes of one workgroup
    uint32_t multiprocessor_count = 0; ///< from a vendor's extension, or 0

    /// Whether to use the numbers for CPUs: the device is one, and no profile asks for another vendor's numbers.
    bool tuned_for_cpu() const { return software && tuned_for == vendor_id; }
};

/// `api_version` is the version for which the instance was created; 0: at least the device's.
DeviceLimits query_limits(const InstanceFunctions& functions, VkPhysicalDevice physical_device, uint32_t api_version);

/// Why vkprim cannot run on a device with these limits; empty if it can.
std::string why_unusable(const DeviceLimits& limits);

struct CoreDevice {
    DeviceFunctions              functions;
    DeviceLimits                 limits;
    Features                     features;
    VkDevice                     device         = VK_NULL_HANDLE;
    VkPipelineCache              pipeline_cache = VK_NULL_HANDLE;
    const VkAllocationCallbacks* allocator      = nullptr;
    VkPipelineCreateFlags        pipeline_flags = 0;

    std::function<void(const char*, VkPipeline, double milliseconds)>   on_pipeline;
    std::function<void(uint32_t, const std::function<void(uint32_t)>&)> parallel_for;

    /// Whether shaders may use 64-bit integers and atomics on them.
    bool has_word64() const { return limits.word64 && features.shader_int64 && features.shader_buffer_int64_atomics; }

    /// Which variant of a shader runs here: workgroups exchange elements in two words of 32 bits, or in one of 64
    /// (include/vkprim/glsl/detail/words.glsl); or without subgroups (include/vkprim/glsl/detail/workgroup.glsl).
    enum Variant { word32, word64, plain };
    Variant variant() const;

    /// Whether subgroups can shuffle, are known to be of limits.subgroup_size, and can be required to be full: shaders number
    /// invocations by subgroup and place in it, which is without gaps only then.
    bool has_subgroups() const;

    /// Whether pipelines must ask for that size.
    bool pins_subgroup_size() const;

    static Result<CoreDevice> create(const Context& context);
};

} // namespace vkprim
