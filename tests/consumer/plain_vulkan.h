// What the programs here share that own everything but vkprim: a device, memory, and what to do about errors. Each has
// one source file, in which it comes before all other Vulkan headers.
#pragma once

#define VOLK_IMPLEMENTATION
#include <volk.h>

#include <vkprim/requirements.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

[[noreturn]] inline void fail(const std::string& reason) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    std::exit(1);
}

inline void check(VkResult result, const char* call) {
    if (result != VK_SUCCESS) fail(call + std::string(" failed with VkResult ") + std::to_string(result));
}

inline void expect(const char* what, uint64_t found, uint64_t expected) {
    if (found != expected) fail(what + (" is " + std::to_string(found)) + ", not " + std::to_string(expected));
}

template <class T>
T need(vkprim::Result<T> result) {
    if (!result) fail(result.error().reason);
    return *std::move(result);
}

/// An instance and a device, with a queue that computes.
struct Device {
    const VkAllocationCallbacks* allocator;
    VkPhysicalDeviceProperties   properties{};
    uint32_t                     family   = 0;
    VkInstance                   instance = VK_NULL_HANDLE;
    VkDevice                     handle   = VK_NULL_HANDLE;
    VkQueue                      queue    = VK_NULL_HANDLE;
    VkCommandPool                pool     = VK_NULL_HANDLE;
    vkprim::Context              context; ///< without pipeline cache and allocator

    explicit Device(const VkAllocationCallbacks* callbacks = nullptr) : allocator(callbacks) {
        check(volkInitialize(), "volkInitialize");
        VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
        application.apiVersion = VK_API_VERSION_1_3;
        VkInstanceCreateInfo instance_info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
        instance_info.pApplicationInfo = &application;
        check(vkCreateInstance(&instance_info, allocator, &instance), "vkCreateInstance");
        volkLoadInstance(instance);

        uint32_t         found    = 1;
        VkPhysicalDevice physical = VK_NULL_HANDLE;
        vkEnumeratePhysicalDevices(instance, &found, &physical);
        if (found == 0) fail("there is no Vulkan device");
        vkGetPhysicalDeviceProperties(physical, &properties);
        VkQueueFamilyProperties families[16];
        found = 16;
        vkGetPhysicalDeviceQueueFamilyProperties(physical, &found, families);
        while (family < found && !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) ++family;
        if (family == found) fail("no queue computes");

        const auto wanted = need(vkprim::query_requirements({vkGetInstanceProcAddr, instance, physical}));
        VkPhysicalDeviceVulkan13Features vulkan13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
        VkPhysicalDeviceVulkan12Features vulkan12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
        VkPhysicalDeviceFeatures2        features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan12};
        if (properties.apiVersion >= VK_API_VERSION_1_3) vulkan12.pNext = &vulkan13;
        context.get_instance_proc_addr = vkGetInstanceProcAddr;
        context.instance               = instance;
        context.physical_device        = physical;
        context.features               = vkprim::merge_features(wanted.features, features);

        const float             priority = 1;
        VkDeviceQueueCreateInfo queues{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
        queues.queueFamilyIndex = family;
        queues.queueCount       = 1;
        queues.pQueuePriorities = &priority;
        VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features};
        info.queueCreateInfoCount    = 1;
        info.pQueueCreateInfos       = &queues;
        info.enabledExtensionCount   = static_cast<uint32_t>(wanted.extensions.size());
        info.ppEnabledExtensionNames = wanted.extensions.data();
        check(vkCreateDevice(physical, &info, allocator, &handle), "vkCreateDevice");
        volkLoadDevice(handle);
        vkGetDeviceQueue(handle, family, 0, &queue);
        context.device = handle;

        VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        pool_info.queueFamilyIndex = family;
        check(vkCreateCommandPool(handle, &pool_info, allocator, &pool), "vkCreateCommandPool");
    }
    Device(const Device&)            = delete;
    Device& operator=(const Device&) = delete;
    ~Device() {
        vkDestroyCommandPool(handle, pool, allocator);
        vkDestroyDevice(handle, allocator);
        vkDestroyInstance(instance, allocator);
    }

    VkCommandBuffer begin() const {
        VkCommandBuffer             commands = VK_NULL_HANDLE;
        VkCommandBufferAllocateInfo allocation{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        allocation.commandPool        = pool;
        allocation.commandBufferCount = 1;
        check(vkAllocateCommandBuffers(handle, &allocation, &commands), "vkAllocateCommandBuffers");
        const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        check(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
        return commands;
    }

    void submit_and_wait(VkCommandBuffer commands) const {
        VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
        submit.commandBufferCount = 1;
        submit.pCommandBuffers    = &commands;
        check(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
        check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
    }
};

/// A compute pipeline, for its caller to destroy.
inline VkPipeline make_pipeline(const Device& device, VkPipelineLayout layout, const uint32_t* words, size_t size,
                                VkPipelineCache             cache     = VK_NULL_HANDLE,
                                const VkSpecializationInfo* constants = nullptr) {
    const VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0, size, words};
    VkShaderModule                 module = VK_NULL_HANDLE;
    check(vkCreateShaderModule(device.handle, &module_info, device.allocator, &module), "vkCreateShaderModule");
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.layout     = layout;
    info.stage      = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                       nullptr,
                       0,
                       VK_SHADER_STAGE_COMPUTE_BIT,
                       module,
                       "main",
                       constants};
    VkPipeline made = VK_NULL_HANDLE;
    check(vkCreateComputePipelines(device.handle, cache, 1, &info, device.allocator, &made),
          "vkCreateComputePipelines");
    vkDestroyShaderModule(device.handle, module, device.allocator);
    return made;
}

/// What compute shaders wrote, for whoever comes next.
inline void barrier(VkCommandBuffer commands, VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                    VkAccessFlags access = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT) {
    VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    memory.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    memory.dstAccessMask = access;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, stage, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

/// A buffer in memory that host and device see, full of zeros.
struct Memory {
    const Device&   device;
    VkBuffer        buffer  = VK_NULL_HANDLE;
    VkDeviceMemory  memory  = VK_NULL_HANDLE;
    VkDeviceAddress address = 0;
    uint32_t*       words   = nullptr;

    Memory(const Device& owner, VkDeviceSize size) : device(owner) {
        VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
        info.size  = size;
        info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                     VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
        check(vkCreateBuffer(device.handle, &info, device.allocator, &buffer), "vkCreateBuffer");
        VkMemoryRequirements             needs;
        VkPhysicalDeviceMemoryProperties types;
        vkGetBufferMemoryRequirements(device.handle, buffer, &needs);
        vkGetPhysicalDeviceMemoryProperties(device.context.physical_device, &types);
        const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        uint32_t                    type   = 0;
        while (!(needs.memoryTypeBits >> type & 1) || (types.memoryTypes[type].propertyFlags & wanted) != wanted)
            ++type;

        VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
        flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
        const VkMemoryAllocateInfo allocation{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags, needs.size, type};
        check(vkAllocateMemory(device.handle, &allocation, device.allocator, &memory), "vkAllocateMemory");
        check(vkBindBufferMemory(device.handle, buffer, memory, 0), "vkBindBufferMemory");
        void* mapped = nullptr;
        check(vkMapMemory(device.handle, memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
        words = static_cast<uint32_t*>(mapped);
        std::memset(words, 0, size);
        const VkBufferDeviceAddressInfo of{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
        address = vkGetBufferDeviceAddress(device.handle, &of);
    }
    Memory(const Memory&)            = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory() {
        vkDestroyBuffer(device.handle, buffer, device.allocator);
        vkFreeMemory(device.handle, memory, device.allocator);
    }
};
