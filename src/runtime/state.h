// What the parts of the runtime share: one device, its queues, and the buffers in its memory.
#pragma once

#include "instance.h"

#include <functional>
#include <initializer_list>
#include <mutex>

namespace vkprim::runtime {

struct DeviceState;

/// A VkBuffer with the memory behind it.
struct OwnedBuffer {
    DeviceState*                device = nullptr;
    VkBuffer                    handle = VK_NULL_HANDLE;
    std::vector<VkDeviceMemory> memory;

    explicit OwnedBuffer(DeviceState& owner) : device(&owner) {}
    OwnedBuffer(const OwnedBuffer&)            = delete;
    OwnedBuffer& operator=(const OwnedBuffer&) = delete;
    ~OwnedBuffer();
};

/// Host-visible memory, mapped for as long as it lives, through which all transfers go.
struct Staging {
    OwnedBuffer  buffer;
    void*        mapped   = nullptr;
    VkDeviceSize size     = 0;
    bool         coherent = false;

    explicit Staging(DeviceState& device) : buffer(device) {}
};

/// A pool with one command buffer: of its own, so that several threads may record at once.
struct CommandMemory {
    VkCommandPool   pool     = VK_NULL_HANDLE;
    VkCommandBuffer commands = VK_NULL_HANDLE;
};

/// What work has used and other work may use again. To create and destroy a fence takes 0.5 ms where an H100 belongs to a virtual machine:
/// ten times as long as to submit work and to wait for it.
struct Spares {
    std::vector<VkFence>       fences; ///< not signalled
    std::vector<CommandMemory> commands;
    std::mutex                 mutex;
};

struct DeviceState {
    std::unique_ptr<Instance>        instance;
    PhysicalDevice                   physical;
    Context                          context;
    std::vector<PipelineStatistics>  pipelines; ///< for take_pipelines()
    Profile                          profile;   ///< where use_profile() has set it, context has its address
    VolkDeviceTable                  table{};
    std::vector<VkQueue>             queues; ///< at least one, of one family
    VkPhysicalDeviceMemoryProperties memory{};
    std::unique_ptr<Staging>         staging;
    std::mutex                       queue_mutex; ///< of all of them
    Spares                           spares;

    /// Work on a queue may never end. Nothing can be freed then without the risk of freeing what it uses, nor waited
    /// for, so from there on every object of this device is leaked.
    std::atomic<bool> abandoned{false};

    DeviceState() = default;
    ~DeviceState();
};

struct Device::Impl final : DeviceState {};

/// From here on, each pipeline that is created with device.context leaves its statistics in device.pipelines.
void collect_pipeline_statistics(DeviceState& device);

/// From here on, what is created with device.context shares its pipeline layouts, which the second function destroys.
void share_layouts(DeviceState& device);
void destroy_shared_layouts(DeviceState& device);

/// Calls `enqueue` with a fence to signal, which is for finish() alone. `call` names in errors what was enqueued.
Result<VkFence> start_on_queue(DeviceState& device, const char* call, const std::function<VkResult(VkFence)>& enqueue);

/// Waits for the fence, and takes it back.
Result<void> finish(DeviceState& device, VkFence fence);

/// The first memory type allowed by `type_bits` that has all of the first of `preferences`, else of the second, and so
/// on; UINT32_MAX where there is none.
uint32_t find_memory_type(const DeviceState& device, uint32_t type_bits,
                          std::initializer_list<VkMemoryPropertyFlags> preferences);

/// Allocates, and hands the memory to `owner`; the new one is owner.memory.back().
VkResult allocate(OwnedBuffer& owner, VkDeviceSize size, uint32_t type, VkMemoryAllocateFlags flags);

constexpr VkDeviceSize round_up(VkDeviceSize size, VkDeviceSize multiple) {
    return (size + multiple - 1) / multiple * multiple;
}

} // namespace vkprim::runtime
