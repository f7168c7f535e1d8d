// The thin runtime, for programs without an engine: a device, buffers, transfers, submission and timestamps, through volk. It is the
// CMake target vkprim::runtime (option VKPRIM_RUNTIME), which is not installed. The core library does not depend on it. An object may be
// used by one thread at a time; several Commands of one Device may be used by several threads, one each.
#pragma once

#include <vkprim/core.h>
#include <vkprim/requirements.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace vkprim::runtime {

/// Properties of a physical device.
struct DeviceInfo {
    uint32_t             index = 0; ///< in the order of vkEnumeratePhysicalDevices
    std::string          name;
    std::string          driver; ///< the driver's name and version
    uint32_t             vendor_id = 0, device_id = 0;
    VkPhysicalDeviceType type                      = VK_PHYSICAL_DEVICE_TYPE_OTHER;
    uint32_t             api_version               = 0;
    uint32_t             subgroup_size             = 0;
    uint32_t             min_subgroup_size         = 0; ///< equal to subgroup_size where it cannot vary
    uint32_t             max_subgroup_size         = 0;
    uint32_t             max_workgroup_invocations = 0;
    uint32_t             max_workgroup_count_x     = 0;
    uint32_t             shared_memory_size        = 0; ///< bytes per workgroup
    VkDeviceSize         memory_size               = 0; ///< bytes of the largest device-local heap
    VkDeviceSize available_memory = 0; ///< how much of it is free now, if the driver reports it (VK_EXT_memory_budget)
    VkDeviceSize max_allocation_size = 0;     ///< bytes of one vkAllocateMemory
    bool         sparse_binding      = false; ///< one buffer may span several allocations
    float        timestamp_period    = 0;     ///< nanoseconds per tick; 0 without timestamps
    bool         usable              = false; ///< vkprim can run here
    std::string  reason;                      ///< why not, where not usable
    Features     features;                    ///< what vkprim would switch on
};

/// "discrete GPU", "integrated GPU", "virtual GPU", "software" or "other".
const char* type_name(VkPhysicalDeviceType type);

/// Every device of every installed driver, usable or not. Fails where there is no Vulkan loader. An empty list is no
/// error.
Result<std::vector<DeviceInfo>> list_devices();

struct DeviceOptions {
    std::string selector;            ///< an index, part of a name (case ignored), or empty for the best device:
                                     ///< discrete before integrated before virtual before software
    bool     validation     = false; ///< core and synchronization validation, messages printed to stderr and counted
    bool     gpu_validation = false; ///< GPU-assisted validation, too: every access of a shader to memory; slow
    bool     without_int64_atomics         = false; ///< leave the 64-bit features off, as on a device that lacks them
    bool     without_subgroup_size_control = false; ///< the same for subgroup size control
    bool     pipeline_statistics           = false; ///< for take_pipelines(); create() on one thread at a time then
    uint32_t queues                        = 1;     ///< at most; there may be fewer: Device::queue_count()

    decltype(Context::parallel_for) parallel_for = {}; ///< of context(); not used with pipeline_statistics
};

/// What the driver reports about a pipeline, in its own words and units (VK_KHR_pipeline_executable_properties).
struct PipelineStatistics {
    std::string name;              ///< "scan, large"
    uint32_t    subgroup_size = 0; ///< for which it was compiled
    double      milliseconds  = 0; ///< that the driver took to create it

    std::vector<std::pair<std::string, double>> values; ///< such as "Register Count" -> 64
};

/// Device-local memory with a device address, for storage, transfers and indirect commands; or coherent host memory, for transfers only
/// (create_host_buffer()). The destructor frees it at once: destroy it after the work that uses it has completed.
class Buffer {
public:
    VkDeviceAddress address() const { return address_; }
    VkDeviceSize    size() const { return size_; }
    VkBuffer        handle() const { return buffer_; }
    void*           data() const { return data_; } ///< mapped host memory; null for device-local memory

    Buffer(); ///< no memory: size 0, address 0
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    ~Buffer();

private:
    friend class Device;
    struct Impl;
    std::unique_ptr<Impl> impl_;
    VkBuffer              buffer_  = VK_NULL_HANDLE;
    VkDeviceAddress       address_ = 0;
    VkDeviceSize          size_    = 0;
    void*                 data_    = nullptr;
};

/// The range for Commands::copy().
struct CopyRange {
    VkDeviceSize source = 0, target = 0; ///< bytes from the beginning of each buffer
    VkDeviceSize size = 0;               ///< bytes, at least 1
};

/// One command buffer, recorded once and submitted once.
class Commands {
public:
    VkCommandBuffer handle() const { return commands_; }

    enum class Readers : uint32_t {
        direct,   ///< shaders and transfers
        indirect, ///< also the fetch of indirect commands: 2 us more on an H200
    };

    /// Makes all shader and transfer writes recorded before visible to the compute shaders and transfers recorded after. Graphics
    /// stages do not take part. Use Readers::indirect also before an indirect command that was used is written again.
    void barrier(Readers readers = Readers::direct);

    /// Records a copy, ordered by barrier() like everything else. The host sees what is copied to a host buffer after wait().
    void copy(const Buffer& source, const Buffer& target, const CopyRange& range);

    /// Records the time at which everything recorded before has completed. At most as many as `timestamps` of begin_commands().
    void timestamp();

    /// Submits the work to its queue and returns at once. Every Commands begins with a barrier(), so the work on one queue runs in
    /// order; between queues nothing is ordered. The destructor waits for work that has not completed.
    Result<void> submit();

    /// Waits for what submit() submitted; call it once after submit(). The value: milliseconds from the first timestamp to each timestamp
    /// (so value[0] is 0); empty without timestamps, all 0 if the device has none. Fails with VK_ERROR_DEVICE_LOST, or with VK_TIMEOUT
    /// after 300 seconds. After VK_TIMEOUT, the Device and all that was made from it can only be destroyed, which leaks what may still be
    /// in use.
    Result<std::vector<double>> wait();

    /// submit(), then wait().
    Result<std::vector<double>> submit_and_wait();

    Commands(Commands&& other) noexcept;
    Commands& operator=(Commands&& other) noexcept;
    ~Commands();

private:
    friend class Device;
    struct Impl;
    explicit Commands(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
    VkCommandBuffer       commands_ = VK_NULL_HANDLE;
};

/// An instance, a device and its compute queues, all of one family. Buffers, Commands and primitives made from it must not outlive it.
class Device {
public:
    /// Opens the device that `options` selects. Fails with a reason: no loader or driver, no such device, or an unusable
    /// one.
    static Result<Device> create(const DeviceOptions& options = {});

    const DeviceInfo& info() const;
    const Context&    context() const;      ///< for the primitives' create(); with a pipeline cache
    uint32_t          queue_count() const;  ///< at least 1
    uint32_t          queue_family() const; ///< index of the family of these queues

    /// Makes context() refer to a copy of `profile`, for every create() from here on.
    void use_profile(const Profile& profile);

    /// Allocates `size` bytes (at least 1), of undefined content. Sizes beyond max_allocation_size take several allocations
    /// behind one sparse buffer, if the device has sparse binding.
    Result<Buffer> create_buffer(VkDeviceSize size) const;

    /// Allocates `size` bytes (at least 1) of memory that host and device both access, mapped as long as the buffer exists; for
    /// Commands::copy(). It has no device address.
    Result<Buffer> create_host_buffer(VkDeviceSize size) const;

    /// Copies `size` bytes through host-visible staging memory, in chunks, on queue 0; blocks until done. Nothing orders it after work on
    /// other queues: wait() for that before.
    Result<void> upload(const Buffer& target, VkDeviceSize offset, const void* data, VkDeviceSize size) const;
    Result<void> download(const Buffer& source, VkDeviceSize offset, void* data, VkDeviceSize size) const;

    /// Sets `size` bytes (offset and size multiples of 4) to the repeated 32-bit `word`, on queue 0; blocks until done.
    Result<void> fill(const Buffer& target, VkDeviceSize offset, VkDeviceSize size, uint32_t word) const;

    /// Begins a command buffer for queue number `queue`, with room for `timestamps` timestamps. It starts with a barrier():
    /// everything submitted to that queue, waited for, uploaded or filled before is visible to it.
    Result<Commands> begin_commands(uint32_t timestamps = 0, uint32_t queue = 0) const;

    /// The pipelines created with context() since the last call. Only with DeviceOptions::pipeline_statistics.
    std::vector<PipelineStatistics> take_pipelines() const;

    /// Errors and warnings that the validation layers reported so far; 0 where validation is off.
    uint32_t validation_messages() const;

    Device(Device&& other) noexcept;
    Device& operator=(Device&& other) noexcept;
    ~Device();

private:
    struct Impl;
    explicit Device(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace vkprim::runtime
