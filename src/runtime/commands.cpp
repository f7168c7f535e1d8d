#include "state.h"
#include "vk_errors.h"

#include <cassert>
#include <chrono>

namespace vkprim::runtime {
namespace {

constexpr std::chrono::seconds work_time_limit{300};
constexpr uint64_t             wait_slice = 1'000'000'000; // nanoseconds

/// So long the host's thread stays awake, and asks again and again, before it lets itself be woken, which takes 20 to 70 us.
constexpr std::chrono::milliseconds poll_time_limit{2};

/// VK_NOT_READY where the fence is not signalled by then.
VkResult poll(const DeviceState& device, VkFence fence) {
    if (device.physical.info.type == VK_PHYSICAL_DEVICE_TYPE_CPU) return VK_NOT_READY; // it needs the cores itself
    const auto start  = std::chrono::steady_clock::now();
    VkResult   result = VK_NOT_READY;
    while (result == VK_NOT_READY && std::chrono::steady_clock::now() - start < poll_time_limit) {
        result = device.table.vkGetFenceStatus(device.context.device, fence);
    }
    return result;
}

/// Waits until the fence is signalled, for work_time_limit at most.
VkResult wait_for(const DeviceState& device, VkFence fence) {
    const auto start  = std::chrono::steady_clock::now();
    VkResult   result = poll(device, fence);
    if (result == VK_NOT_READY) result = VK_TIMEOUT;
    while (result == VK_TIMEOUT && std::chrono::steady_clock::now() - start < work_time_limit) {
        result = device.table.vkWaitForFences(device.context.device, 1, &fence, VK_TRUE, wait_slice);
    }
    return result;
}

Error device_lost(const char* call) {
    return failed(
        call, VK_ERROR_DEVICE_LOST,
        "the device was lost: the driver stopped the work, because it accessed memory outside its buffers or ran "
        "longer than the system allows. Create a new Device, try less work at once, and look into the system log");
}

/// One that lies in `spares`, or, without any, what is empty.
template <class T>
T take(Spares& spares, std::vector<T>& from) {
    std::lock_guard lock(spares.mutex);
    if (from.empty()) return {};
    T taken = from.back();
    from.pop_back();
    return taken;
}

template <class T>
void give_back(Spares& spares, std::vector<T>& to, T given) {
    std::lock_guard lock(spares.mutex);
    to.push_back(given);
}

Result<VkFence> take_fence(DeviceState& device) {
    VkFence fence = take(device.spares, device.spares.fences);
    if (fence) return fence;
    const auto     info   = structure<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
    const VkResult result = device.table.vkCreateFence(device.context.device, &info, nullptr, &fence);
    if (result != VK_SUCCESS) return failed("vkCreateFence", result);
    return fence;
}

/// Of work that has completed.
void give_back_fence(DeviceState& device, VkFence fence) {
    if (device.table.vkResetFences(device.context.device, 1, &fence) == VK_SUCCESS) {
        give_back(device.spares, device.spares.fences, fence);
    } else {
        device.table.vkDestroyFence(device.context.device, fence, nullptr);
    }
}

} // namespace

Result<VkFence> start_on_queue(DeviceState& device, const char* call, const std::function<VkResult(VkFence)>& enqueue) {
    if (device.abandoned) {
        return Error{VK_TIMEOUT, std::string(call) + ": the device is still busy with earlier work that did not end"};
    }

    auto fence = take_fence(device);
    if (!fence) return fence;
    VkResult result = VK_SUCCESS;
    {
        std::lock_guard lock(device.queue_mutex);
        result = enqueue(*fence);
    }
    if (result == VK_SUCCESS) return fence;
    device.table.vkDestroyFence(device.context.device, *fence, nullptr);
    return result == VK_ERROR_DEVICE_LOST ? device_lost(call) : failed(call, result);
}

Result<void> finish(DeviceState& device, VkFence fence) {
    // Of several pieces of work that do not end, only the first is waited for that long.
    const VkResult result = device.abandoned ? VK_TIMEOUT : wait_for(device, fence);
    // A lost device works on nothing any more, and what is on it may be destroyed.
    if (result != VK_SUCCESS && result != VK_ERROR_DEVICE_LOST) device.abandoned = true;
    if (result == VK_SUCCESS) {
        give_back_fence(device, fence);
        return {};
    }
    if (!device.abandoned) device.table.vkDestroyFence(device.context.device, fence, nullptr);
    if (result == VK_ERROR_DEVICE_LOST) return device_lost("vkWaitForFences");
    if (result == VK_TIMEOUT) {
        return Error{result,
                     "the work did not end within " + std::to_string(work_time_limit.count()) +
                         " seconds: the device hangs or is far too slow for it; this Device can no longer be used"};
    }
    return failed("vkWaitForFences", result);
}

struct Commands::Impl {
    DeviceState*  device = nullptr;
    VkQueue       queue  = VK_NULL_HANDLE;
    VkFence       fence  = VK_NULL_HANDLE; ///< of work under way
    CommandMemory memory;
    VkQueryPool   queries    = VK_NULL_HANDLE; ///< none where the device has no timestamps
    uint32_t      capacity   = 0;
    uint32_t      timestamps = 0; ///< noted so far
    bool          submitted  = false;
    bool          incomplete = false; ///< the work failed

    Impl(DeviceState& owner, uint32_t queue_index) : device(&owner), queue(owner.queues[queue_index]) {}
    Impl(const Impl&)            = delete;
    Impl& operator=(const Impl&) = delete;

    ~Impl() {
        if (fence && !finish(*device, fence)) incomplete = true;
        if (device->abandoned) return;
        device->table.vkDestroyQueryPool(device->context.device, queries, nullptr);
        if (memory.commands && !incomplete &&
            device->table.vkResetCommandPool(device->context.device, memory.pool, 0) == VK_SUCCESS) {
            give_back(device->spares, device->spares.commands, memory);
        } else {
            device->table.vkDestroyCommandPool(device->context.device, memory.pool, nullptr);
        }
    }

    /// Allocates the command buffer, if there is none to use again.
    Result<void> allocate();

    /// Begins it.
    Result<void>                begin(uint32_t timestamp_capacity);
    Result<std::vector<double>> read_timestamps() const;
};

Result<void> Commands::Impl::allocate() {
    memory = take(device->spares, device->spares.commands);
    if (memory.commands) return {};
    const VolkDeviceTable& table  = device->table;
    const VkDevice         handle = device->context.device;

    auto pool_info             = structure<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    pool_info.flags            = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
    pool_info.queueFamilyIndex = device->physical.family.index;
    VkResult result            = table.vkCreateCommandPool(handle, &pool_info, nullptr, &memory.pool);
    if (result != VK_SUCCESS) return failed("vkCreateCommandPool", result);

    auto commands_info        = structure<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    commands_info.commandPool = memory.pool;
    commands_info.level       = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    commands_info.commandBufferCount = 1;
    result                           = table.vkAllocateCommandBuffers(handle, &commands_info, &memory.commands);
    if (result != VK_SUCCESS) return failed("vkAllocateCommandBuffers", result);
    return {};
}

Result<void> Commands::Impl::begin(uint32_t timestamp_capacity) {
    if (auto allocated = allocate(); !allocated) return allocated;
    const VolkDeviceTable& table  = device->table;
    const VkDevice         handle = device->context.device;
    VkResult               result = VK_SUCCESS;
    capacity                      = timestamp_capacity;

    if (capacity > 0 && device->physical.family.timestamp_bits > 0) {
        auto query_info       = structure<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
        query_info.queryType  = VK_QUERY_TYPE_TIMESTAMP;
        query_info.queryCount = capacity;
        result                = table.vkCreateQueryPool(handle, &query_info, nullptr, &queries);
        if (result != VK_SUCCESS) return failed("vkCreateQueryPool", result);
    }

    auto begin_info  = structure<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    begin_info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    result           = table.vkBeginCommandBuffer(memory.commands, &begin_info);
    if (result != VK_SUCCESS) return failed("vkBeginCommandBuffer", result);
    if (queries) table.vkCmdResetQueryPool(memory.commands, queries, 0, capacity);
    return {};
}

Result<std::vector<double>> Commands::Impl::read_timestamps() const {
    std::vector<double> times(timestamps, 0.0);
    if (!queries || timestamps == 0) return times;

    std::vector<uint64_t> ticks(timestamps);
    const VkResult        result = device->table.vkGetQueryPoolResults(device->context.device, queries, 0, timestamps,
                                                                       ticks.size() * sizeof(uint64_t), ticks.data(),
                                                                       sizeof(uint64_t), VK_QUERY_RESULT_64_BIT);
    if (result != VK_SUCCESS) return failed("vkGetQueryPoolResults", result);

    // Masked after the subtraction, so that a counter that wraps around in between does no harm.
    const uint32_t bits                  = device->physical.family.timestamp_bits;
    const uint64_t mask                  = bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
    const double   milliseconds_per_tick = static_cast<double>(device->physical.info.timestamp_period) * 1e-6;
    for (size_t i = 0; i < ticks.size(); ++i) {
        times[i] = static_cast<double>((ticks[i] - ticks[0]) & mask) * milliseconds_per_tick;
    }
    return times;
}

Commands::Commands(std::unique_ptr<Impl> impl) : impl_(std::move(impl)), commands_(impl_->memory.commands) {}
Commands::Commands(Commands&& other) noexcept
    : impl_(std::move(other.impl_)), commands_(std::exchange(other.commands_, nullptr)) {}
Commands::~Commands() = default;

Commands& Commands::operator=(Commands&& other) noexcept {
    impl_     = std::move(other.impl_);
    commands_ = std::exchange(other.commands_, nullptr);
    return *this;
}

void Commands::barrier(Readers readers) {
    VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;

    auto barrier          = structure<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                            VK_ACCESS_TRANSFER_WRITE_BIT;
    if (readers == Readers::indirect) {
        stages |= VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
        barrier.dstAccessMask |= VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
    }
    impl_->device->table.vkCmdPipelineBarrier(commands_, stages, stages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void Commands::timestamp() {
    assert(impl_->timestamps < impl_->capacity && "more timestamps than begin_commands() was told");
    const uint32_t index = impl_->timestamps++;
    if (!impl_->queries) return;
    impl_->device->table.vkCmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, impl_->queries, index);
}

void Commands::copy(const Buffer& source, const Buffer& target, const CopyRange& range) {
    const VolkDeviceTable& table = impl_->device->table;
    const VkBufferCopy     region{range.source, range.target, range.size};
    table.vkCmdCopyBuffer(commands_, source.handle(), target.handle(), 1, &region);
    if (!target.data()) return;
    auto to_host          = structure<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    to_host.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    to_host.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    table.vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0,
                               nullptr, 0, nullptr);
}

Result<void> Commands::submit() {
    assert(!impl_->submitted && "Commands are submitted once");
    impl_->submitted = true;

    DeviceState& device = *impl_->device;
    if (VkResult result = device.table.vkEndCommandBuffer(commands_); result != VK_SUCCESS) {
        return failed("vkEndCommandBuffer", result);
    }
    auto info               = structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    info.commandBufferCount = 1;
    info.pCommandBuffers    = &commands_;
    const auto fence        = start_on_queue(device, "vkQueueSubmit", [&](VkFence signalled) {
        return device.table.vkQueueSubmit(impl_->queue, 1, &info, signalled);
    });
    if (!fence) return fence.error();
    impl_->fence = *fence;
    return {};
}

Result<std::vector<double>> Commands::wait() {
    assert(impl_->fence && "nothing was submitted, or it was waited for");
    auto done = finish(*impl_->device, std::exchange(impl_->fence, VkFence{VK_NULL_HANDLE}));
    if (!done) {
        impl_->incomplete = true;
        return done.error();
    }
    return impl_->read_timestamps();
}

Result<std::vector<double>> Commands::submit_and_wait() {
    if (auto submitted = submit(); !submitted) return submitted.error();
    return wait();
}

Result<Commands> Device::begin_commands(uint32_t timestamps, uint32_t queue) const {
    if (queue >= impl_->queues.size()) {
        return Error{ErrorKind::invalid_args, "there is no queue " + std::to_string(queue) + ": the device has " +
                                                  std::to_string(impl_->queues.size())};
    }
    auto impl = std::make_unique<Commands::Impl>(*impl_, queue);
    if (auto begun = impl->begin(timestamps); !begun) return begun.error();
    Commands commands(std::move(impl));
    // The fence made the writes of earlier submissions available; only a barrier makes them visible.
    commands.barrier(Commands::Readers::indirect);
    return commands;
}

} // namespace vkprim::runtime
