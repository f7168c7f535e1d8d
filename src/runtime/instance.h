// The Vulkan loader, an instance (with validation), and what there is to know about the physical devices behind it.
#pragma once

#include <vkprim/runtime.h>
#include <volk.h>

#include <atomic>

namespace vkprim::runtime {

struct Instance {
    VkInstance               handle    = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    std::atomic<uint32_t>    messages{0}; ///< the layers write here: an Instance never moves

    Instance()                           = default;
    Instance(const Instance&)            = delete;
    Instance& operator=(const Instance&) = delete;
    ~Instance();
};

/// Error::code is VK_ERROR_INITIALIZATION_FAILED where there is no loader, VK_ERROR_INCOMPATIBLE_DRIVER where there is no driver.
Result<std::unique_ptr<Instance>> create_instance(const DeviceOptions& options);

/// The queues that the runtime works with: some that compute.
struct QueueFamily {
    uint32_t index          = UINT32_MAX; ///< UINT32_MAX: there is none
    uint32_t queue_count    = 0;
    uint32_t timestamp_bits = 0;
    bool     sparse_binding = false;
};

struct PhysicalDevice {
    VkPhysicalDevice handle = VK_NULL_HANDLE;
    DeviceInfo       info;
    Requirements     requirements;
    QueueFamily      family;
    VkDeviceSize     max_buffer_size        = 0; ///< of any buffer
    VkDeviceSize     max_sparse_size        = 0; ///< of a sparse one
    VkDeviceSize     non_coherent_atom_size = 1;
};

bool has_extension(VkPhysicalDevice device, const char* name);

Result<std::vector<PhysicalDevice>> physical_devices(const Instance& instance);

} // namespace vkprim::runtime
