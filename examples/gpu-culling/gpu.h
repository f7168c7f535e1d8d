// What any Vulkan program has: a device that meets vkprim's requirements, memory, pipelines, command buffers, times.
#pragma once

#include <volk.h>

#include <vkprim/requirements.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

[[noreturn]] inline void fail(const std::string& reason) {
    std::fprintf(stderr, "gpu_culling: %s\n", reason.c_str());
    std::exit(1);
}

inline void check(VkResult result, const char* call) {
    if (result != VK_SUCCESS) fail(call + std::string(" failed with VkResult ") + std::to_string(result));
}

template <class T>
T need(vkprim::Result<T> result) {
    if (!result) fail(result.error().reason);
    return *std::move(result);
}

/// Instance, device, and the queue; destroys in reverse order what was made with it.
struct Gpu {
    VkInstance                         instance        = VK_NULL_HANDLE;
    VkPhysicalDevice                   physical_device = VK_NULL_HANDLE;
    VkDevice                           device          = VK_NULL_HANDLE;
    uint32_t                           family          = 0;
    bool                               has_timestamps  = false;
    VkQueue                            queue           = VK_NULL_HANDLE;
    VkPhysicalDeviceProperties         properties{};
    vkprim::Context                    context;
    std::vector<std::function<void()>> undo;

    Gpu();
    Gpu(const Gpu&)            = delete;
    Gpu& operator=(const Gpu&) = delete;
    ~Gpu() {
        for (size_t i = undo.size(); i-- > 0;) undo[i]();
        vkDestroyDevice(device, nullptr);
        vkDestroyInstance(instance, nullptr);
    }

    bool           find_family(VkPhysicalDevice candidate);
    VkDeviceMemory allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted);
};

/// A queue that draws and computes, as one command buffer does both.
inline bool Gpu::find_family(VkPhysicalDevice candidate) {
    VkQueueFamilyProperties families[16];
    const VkQueueFlags      wanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    uint32_t                found  = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(candidate, &found, families);
    for (family = 0; family < found; ++family) {
        has_timestamps = families[family].timestampValidBits != 0;
        if ((families[family].queueFlags & wanted) == wanted) return true;
    }
    return false;
}

inline Gpu::Gpu() {
    if (volkInitialize() != VK_SUCCESS) fail("there is no Vulkan loader");
    VkApplicationInfo application{};
    application.sType      = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_API_VERSION_1_3; // and the device may be older
    VkInstanceCreateInfo instance_info{};
    instance_info.sType            = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    instance_info.pApplicationInfo = &application;
    const VkResult made            = vkCreateInstance(&instance_info, nullptr, &instance);
    if (made == VK_ERROR_INCOMPATIBLE_DRIVER) fail("there is no Vulkan driver");
    check(made, "vkCreateInstance");
    volkLoadInstance(instance);

    VkPhysicalDevice candidates[16];
    uint32_t         found = 16;
    if (vkEnumeratePhysicalDevices(instance, &found, candidates) < 0) found = 0;
    std::string          reason = "there is no Vulkan device";
    vkprim::Requirements wanted;
    for (uint32_t i = 0; i < found && physical_device == VK_NULL_HANDLE; ++i) {
        auto requirements = vkprim::query_requirements({vkGetInstanceProcAddr, instance, candidates[i]});
        if (!requirements) {
            reason = requirements.error().reason;
        } else if (!find_family(candidates[i])) {
            reason = "no queue both draws and computes";
        } else {
            physical_device = candidates[i];
            wanted          = *requirements;
        }
    }
    if (physical_device == VK_NULL_HANDLE) fail(reason);
    vkGetPhysicalDeviceProperties(physical_device, &properties);

    VkPhysicalDeviceSubgroupSizeControlFeatures size_control{};
    size_control.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES;
    VkPhysicalDeviceVulkan12Features vulkan12{};
    vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    vulkan12.pNext = wanted.features.compute_full_subgroups ? &size_control : nullptr;
    VkPhysicalDeviceFeatures2 features{};
    features.sType                 = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    features.pNext                 = &vulkan12;
    context.get_instance_proc_addr = vkGetInstanceProcAddr;
    context.instance               = instance;
    context.physical_device        = physical_device;
    context.features               = vkprim::merge_features(wanted.features, features);

    const float             priority = 1;
    VkDeviceQueueCreateInfo queue_info{};
    queue_info.sType            = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue_info.queueFamilyIndex = family;
    queue_info.queueCount       = 1;
    queue_info.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{};
    info.sType                   = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext                   = &features;
    info.queueCreateInfoCount    = 1;
    info.pQueueCreateInfos       = &queue_info;
    info.enabledExtensionCount   = static_cast<uint32_t>(wanted.extensions.size());
    info.ppEnabledExtensionNames = wanted.extensions.data();
    check(vkCreateDevice(physical_device, &info, nullptr, &device), "vkCreateDevice");
    volkLoadDevice(device);
    context.device = device;
    vkGetDeviceQueue(device, family, 0, &queue);
}

inline VkDeviceMemory Gpu::allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted) {
    VkPhysicalDeviceMemoryProperties types;
    vkGetPhysicalDeviceMemoryProperties(physical_device, &types);
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1) || (types.memoryTypes[type].propertyFlags & wanted) != wanted) ++type;
    VkMemoryAllocateFlagsInfo flags{};
    flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo info{};
    info.sType            = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    info.pNext            = &flags;
    info.allocationSize   = needs.size;
    info.memoryTypeIndex  = type;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    check(vkAllocateMemory(device, &info, nullptr, &memory), "vkAllocateMemory");
    undo.push_back([=, owner = device] { vkFreeMemory(owner, memory, nullptr); });
    return memory;
}

struct Buffer {
    VkBuffer        handle  = VK_NULL_HANDLE;
    VkDeviceAddress address = 0;
    VkDeviceSize    size    = 0;
    void*           data    = nullptr; ///< where the host sees it
};

inline Buffer make_buffer(Gpu& gpu, VkDeviceSize size, bool is_host_visible = false) {
    Buffer             made;
    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = made.size = size;
    info.usage            = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    check(vkCreateBuffer(gpu.device, &info, nullptr, &made.handle), "vkCreateBuffer");
    gpu.undo.push_back([=, device = gpu.device] { vkDestroyBuffer(device, made.handle, nullptr); });
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(gpu.device, made.handle, &needs);
    const VkMemoryPropertyFlags wanted =
        is_host_visible ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
                        : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    const VkDeviceMemory memory = gpu.allocate(needs, wanted);
    check(vkBindBufferMemory(gpu.device, made.handle, memory, 0), "vkBindBufferMemory");
    if (is_host_visible) check(vkMapMemory(gpu.device, memory, 0, VK_WHOLE_SIZE, 0, &made.data), "vkMapMemory");
    VkBufferDeviceAddressInfo of{};
    of.sType     = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
    of.buffer    = made.handle;
    made.address = vkGetBufferDeviceAddress(gpu.device, &of);
    return made;
}

inline VkPipelineLayout make_layout(Gpu& gpu, VkShaderStageFlags stages, uint32_t size) {
    const VkPushConstantRange  range{stages, 0, size};
    VkPipelineLayoutCreateInfo info{};
    info.sType                  = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges    = &range;
    VkPipelineLayout made       = VK_NULL_HANDLE;
    check(vkCreatePipelineLayout(gpu.device, &info, nullptr, &made), "vkCreatePipelineLayout");
    gpu.undo.push_back([=, device = gpu.device] { vkDestroyPipelineLayout(device, made, nullptr); });
    return made;
}

template <size_t Size>
VkPipelineShaderStageCreateInfo make_stage(Gpu& gpu, VkShaderStageFlagBits stage, const uint32_t (&words)[Size]) {
    VkShaderModuleCreateInfo info{};
    info.sType    = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    info.codeSize = sizeof words;
    info.pCode    = words;
    VkPipelineShaderStageCreateInfo made{};
    made.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    made.stage = stage;
    made.pName = "main";
    check(vkCreateShaderModule(gpu.device, &info, nullptr, &made.module), "vkCreateShaderModule");
    gpu.undo.push_back([=, device = gpu.device] { vkDestroyShaderModule(device, made.module, nullptr); });
    return made;
}

struct Pipeline {
    VkPipelineLayout   layout = VK_NULL_HANDLE;
    VkPipeline         handle = VK_NULL_HANDLE;
    VkShaderStageFlags stages = 0;

    template <class Push>
    void push(VkCommandBuffer commands, const Push& values) const {
        vkCmdPushConstants(commands, layout, stages, 0, sizeof values, &values);
    }

    template <class Push>
    void dispatch(VkCommandBuffer commands, const Push& values, uint32_t invocations) const {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, handle);
        push(commands, values);
        vkCmdDispatch(commands, (invocations + 63) / 64, 1, 1);
    }
};

template <class Push, size_t Size>
Pipeline make_kernel(Gpu& gpu, const uint32_t (&words)[Size]) {
    Pipeline made;
    made.stages = VK_SHADER_STAGE_COMPUTE_BIT;
    made.layout = make_layout(gpu, made.stages, sizeof(Push));
    VkComputePipelineCreateInfo info{};
    info.sType  = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.layout = made.layout;
    info.stage  = make_stage(gpu, VK_SHADER_STAGE_COMPUTE_BIT, words);
    check(vkCreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &made.handle),
          "vkCreateComputePipelines");
    gpu.undo.push_back([=, device = gpu.device] { vkDestroyPipeline(device, made.handle, nullptr); });
    return made;
}

/// One side of a barrier.
struct Accesses {
    VkPipelineStageFlags stages;
    VkAccessFlags        accesses;
};

constexpr Accesses everything{VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                              VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
constexpr Accesses compute{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                           VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
constexpr Accesses drawing{VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT,
                           VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_SHADER_READ_BIT};
constexpr Accesses transfer{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
constexpr Accesses host{VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT};

inline void barrier(VkCommandBuffer commands, const Accesses& before, const Accesses& after) {
    VkMemoryBarrier memory{};
    memory.sType         = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    memory.srcAccessMask = before.accesses;
    memory.dstAccessMask = after.accesses;
    vkCmdPipelineBarrier(commands, before.stages, after.stages, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

inline void copy(VkCommandBuffer commands, const Buffer& source, const Buffer& target) {
    const VkBufferCopy range{0, 0, source.size};
    vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &range);
}

/// Begins with a barrier, so that submissions run as if one after the other.
inline VkCommandBuffer begin_commands(Gpu& gpu) {
    VkCommandPoolCreateInfo info{};
    info.sType            = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    info.queueFamilyIndex = gpu.family;
    VkCommandPool pool    = VK_NULL_HANDLE;
    check(vkCreateCommandPool(gpu.device, &info, nullptr, &pool), "vkCreateCommandPool");
    gpu.undo.push_back([=, device = gpu.device] { vkDestroyCommandPool(device, pool, nullptr); });
    VkCommandBufferAllocateInfo allocation{};
    allocation.sType              = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocation.commandPool        = pool;
    allocation.commandBufferCount = 1;
    VkCommandBuffer made          = VK_NULL_HANDLE;
    check(vkAllocateCommandBuffers(gpu.device, &allocation, &made), "vkAllocateCommandBuffers");
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    check(vkBeginCommandBuffer(made, &begin), "vkBeginCommandBuffer");
    barrier(made, everything, everything);
    return made;
}

inline void submit_and_wait(const Gpu& gpu, VkCommandBuffer commands) {
    VkSubmitInfo submit{};
    submit.sType              = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.commandBufferCount = 1;
    submit.pCommandBuffers    = &commands;
    check(vkQueueSubmit(gpu.queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    check(vkQueueWaitIdle(gpu.queue), "vkQueueWaitIdle");
}

/// Times at which everything recorded before has completed; none where the queue has no clock.
class Timestamps {
public:
    Timestamps(Gpu& gpu, uint32_t count) : gpu_(gpu), count_(count) {
        if (!gpu.has_timestamps) return;
        VkQueryPoolCreateInfo info{};
        info.sType      = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
        info.queryType  = VK_QUERY_TYPE_TIMESTAMP;
        info.queryCount = count;
        check(vkCreateQueryPool(gpu.device, &info, nullptr, &pool_), "vkCreateQueryPool");
        gpu.undo.push_back([device = gpu.device, made = pool_] { vkDestroyQueryPool(device, made, nullptr); });
    }

    void record(VkCommandBuffer commands, uint32_t number) const {
        if (pool_ == VK_NULL_HANDLE) return;
        if (number == 0) vkCmdResetQueryPool(commands, pool_, 0, count_);
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool_, number);
    }

    /// From each to the next.
    std::vector<double> milliseconds() const {
        if (pool_ == VK_NULL_HANDLE) return {};
        std::vector<uint64_t> times(count_);
        check(vkGetQueryPoolResults(gpu_.device, pool_, 0, count_, count_ * sizeof(uint64_t), times.data(),
                                    sizeof(uint64_t), VK_QUERY_RESULT_64_BIT),
              "vkGetQueryPoolResults");
        std::vector<double> spans;
        for (uint32_t i = 1; i < count_; ++i) {
            spans.push_back(1e-6 * static_cast<double>(gpu_.properties.limits.timestampPeriod) *
                            static_cast<double>(times[i] - times[i - 1]));
        }
        return spans;
    }

private:
    const Gpu&  gpu_;
    uint32_t    count_;
    VkQueryPool pool_ = VK_NULL_HANDLE;
};
