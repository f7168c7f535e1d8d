/* What any program with Vulkan has, in C99: an instance, a device, memory, commands. */
#pragma once

#include <vulkan/vulkan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char* reason) {
    fprintf(stderr, "%s\n", reason);
    exit(EXIT_FAILURE);
}

static void check(VkResult result) {
    if (result != VK_SUCCESS) fail("a Vulkan call failed");
}

static VkInstance create_instance(void) {
    const VkApplicationInfo    application = {.sType      = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                              .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info        = {.sType            = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                              .pApplicationInfo = &application};
    VkInstance                 instance;
    check(vkCreateInstance(&info, NULL, &instance));
    return instance;
}

static VkPhysicalDevice first_device(VkInstance instance) {
    uint32_t         found  = 1;
    VkPhysicalDevice device = VK_NULL_HANDLE;
    vkEnumeratePhysicalDevices(instance, &found, &device);
    if (found == 0) fail("there is no Vulkan device");
    return device;
}

static uint32_t compute_family(VkPhysicalDevice device) {
    VkQueueFamilyProperties families[16];
    uint32_t                found = 16, family = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &found, families);
    while (family < found && !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) ++family;
    if (family == found) fail("no queue computes");
    return family;
}

static VkDevice create_device(VkPhysicalDevice physical_device, const VkPhysicalDeviceFeatures2* features,
                              uint32_t extension_count, const char* const* extensions) {
    const float                   priority = 1;
    const VkDeviceQueueCreateInfo queue    = {.sType            = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                              .queueFamilyIndex = compute_family(physical_device),
                                              .queueCount       = 1,
                                              .pQueuePriorities = &priority};
    const VkDeviceCreateInfo      info     = {.sType                   = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                              .pNext                   = features,
                                              .queueCreateInfoCount    = 1,
                                              .pQueueCreateInfos       = &queue,
                                              .enabledExtensionCount   = extension_count,
                                              .ppEnabledExtensionNames = extensions};
    VkDevice                      device;
    check(vkCreateDevice(physical_device, &info, NULL, &device));
    return device;
}

/* A buffer in memory that host and device see, full of zeros. */
struct memory {
    VkDevice        device;
    VkBuffer        buffer;
    VkDeviceMemory  memory;
    VkDeviceAddress address;
    uint32_t*       words;
};

static struct memory allocate(VkPhysicalDevice physical_device, VkDevice device, VkDeviceSize size) {
    struct memory            made = {.device = device};
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size  = size,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
    check(vkCreateBuffer(device, &info, NULL, &made.buffer));
    VkMemoryRequirements             needs;
    VkPhysicalDeviceMemoryProperties types;
    vkGetBufferMemoryRequirements(device, made.buffer, &needs);
    vkGetPhysicalDeviceMemoryProperties(physical_device, &types);
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t                    type   = 0;
    while (!(needs.memoryTypeBits >> type & 1) || (types.memoryTypes[type].propertyFlags & wanted) != wanted) ++type;
    const VkMemoryAllocateFlagsInfo flags      = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                                  .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo      allocation = {.sType           = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                                  .pNext           = &flags,
                                                  .allocationSize  = needs.size,
                                                  .memoryTypeIndex = type};
    check(vkAllocateMemory(device, &allocation, NULL, &made.memory));
    check(vkBindBufferMemory(device, made.buffer, made.memory, 0));
    void* mapped;
    check(vkMapMemory(device, made.memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    made.words                         = memset(mapped, 0, size);
    const VkBufferDeviceAddressInfo of = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = made.buffer};
    made.address                       = vkGetBufferDeviceAddress(device, &of);
    return made;
}

static void free_memory(const struct memory* memory) {
    vkDestroyBuffer(memory->device, memory->buffer, NULL);
    vkFreeMemory(memory->device, memory->memory, NULL);
}

struct commands {
    VkDevice        device;
    VkQueue         queue;
    VkCommandPool   pool;
    VkCommandBuffer buffer;
};

static struct commands begin_commands(VkPhysicalDevice physical_device, VkDevice device) {
    struct commands               made = {.device = device};
    const VkCommandPoolCreateInfo info = {.sType            = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = compute_family(physical_device)};
    check(vkCreateCommandPool(device, &info, NULL, &made.pool));
    const VkCommandBufferAllocateInfo allocation = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = made.pool, .commandBufferCount = 1};
    check(vkAllocateCommandBuffers(device, &allocation, &made.buffer));
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(vkBeginCommandBuffer(made.buffer, &begin));
    vkGetDeviceQueue(device, info.queueFamilyIndex, 0, &made.queue);
    return made;
}

/* The host sees afterwards what compute shaders have written. */
static void submit_and_wait(const struct commands* commands) {
    const VkMemoryBarrier to_host = {.sType         = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands->buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &to_host, 0, NULL, 0, NULL);
    check(vkEndCommandBuffer(commands->buffer));
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands->buffer};
    check(vkQueueSubmit(commands->queue, 1, &submit, VK_NULL_HANDLE));
    check(vkQueueWaitIdle(commands->queue));
}
