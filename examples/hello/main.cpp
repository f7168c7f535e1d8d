// A scan with vkprim in a program that owns everything else: instance, device, memory, commands, submission.
#define VOLK_IMPLEMENTATION
#include <volk.h>

#include <vkprim/requirements.h>
#include <vkprim/scan.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr uint32_t count = 1000003;

void fail(const std::string& reason) {
    std::fprintf(stderr, "hello: %s\n", reason.c_str());
    std::exit(1);
}

void warn(const char* what, const char* effect) { std::fprintf(stderr, "%s is not there: %s\n", what, effect); }

void check(VkResult result, const char* call) {
    if (result != VK_SUCCESS) fail(call + std::string(" failed with VkResult ") + std::to_string(result));
}

VkInstance create_instance() {
    check(volkInitialize(), "volkInitialize");
    VkApplicationInfo application{};
    application.sType      = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_API_VERSION_1_3; // and the device may be older
    VkInstanceCreateInfo info{};
    info.sType            = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &application;
    VkInstance instance   = VK_NULL_HANDLE;
    check(vkCreateInstance(&info, nullptr, &instance), "vkCreateInstance");
    volkLoadInstance(instance);
    return instance;
}

VkPhysicalDevice first_device(VkInstance instance) {
    uint32_t         found  = 1;
    VkPhysicalDevice device = VK_NULL_HANDLE;
    vkEnumeratePhysicalDevices(instance, &found, &device);
    if (found == 0) fail("there is no Vulkan device");
    return device;
}

uint32_t compute_family(VkPhysicalDevice device) {
    VkQueueFamilyProperties families[16];
    uint32_t                found = 16, family = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &found, families);
    while (family < found && !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) ++family;
    if (family == found) fail("no queue computes");
    return family;
}

VkDevice create_device(VkPhysicalDevice physical_device, const VkPhysicalDeviceFeatures2& features,
                       const std::vector<const char*>& extensions) {
    const float             priority = 1;
    VkDeviceQueueCreateInfo queue{};
    queue.sType            = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueFamilyIndex = compute_family(physical_device);
    queue.queueCount       = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{};
    info.sType                   = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext                   = &features;
    info.queueCreateInfoCount    = 1;
    info.pQueueCreateInfos       = &queue;
    info.enabledExtensionCount   = static_cast<uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    VkDevice device              = VK_NULL_HANDLE;
    check(vkCreateDevice(physical_device, &info, nullptr, &device), "vkCreateDevice");
    volkLoadDevice(device);
    return device;
}

/// Memory that both host and device see, full of zeros.
struct Memory {
    VkDevice        device  = VK_NULL_HANDLE;
    VkBuffer        buffer  = VK_NULL_HANDLE;
    VkDeviceMemory  memory  = VK_NULL_HANDLE;
    VkDeviceAddress address = 0;
    uint32_t*       words   = nullptr;

    Memory(VkPhysicalDevice physical_device, VkDevice owner, VkDeviceSize size) : device(owner) {
        VkBufferCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
        info.size  = size;
        info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
        check(vkCreateBuffer(device, &info, nullptr, &buffer), "vkCreateBuffer");

        VkMemoryRequirements             needs;
        VkPhysicalDeviceMemoryProperties types;
        vkGetBufferMemoryRequirements(device, buffer, &needs);
        vkGetPhysicalDeviceMemoryProperties(physical_device, &types);
        const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        uint32_t                    type   = 0;
        while (!(needs.memoryTypeBits >> type & 1) || (types.memoryTypes[type].propertyFlags & wanted) != wanted)
            ++type;

        VkMemoryAllocateFlagsInfo flags{};
        flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
        flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
        VkMemoryAllocateInfo allocation{};
        allocation.sType           = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
        allocation.pNext           = &flags;
        allocation.allocationSize  = needs.size;
        allocation.memoryTypeIndex = type;
        check(vkAllocateMemory(device, &allocation, nullptr, &memory), "vkAllocateMemory");
        check(vkBindBufferMemory(device, buffer, memory, 0), "vkBindBufferMemory");
        void* mapped = nullptr;
        check(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
        words = static_cast<uint32_t*>(mapped);
        std::memset(words, 0, size);

        VkBufferDeviceAddressInfo of{};
        of.sType  = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
        of.buffer = buffer;
        address   = vkGetBufferDeviceAddress(device, &of);
    }
    Memory(const Memory&)            = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory() {
        vkDestroyBuffer(device, buffer, nullptr);
        vkFreeMemory(device, memory, nullptr);
    }
};

/// A command buffer of its own; run() submits it and waits.
struct Commands {
    VkDevice        device;
    uint32_t        family;
    VkCommandPool   pool   = VK_NULL_HANDLE;
    VkCommandBuffer handle = VK_NULL_HANDLE;

    Commands(VkDevice owner, uint32_t queue_family) : device(owner), family(queue_family) {
        VkCommandPoolCreateInfo info{};
        info.sType            = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
        info.queueFamilyIndex = family;
        check(vkCreateCommandPool(device, &info, nullptr, &pool), "vkCreateCommandPool");
        VkCommandBufferAllocateInfo allocation{};
        allocation.sType              = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
        allocation.commandPool        = pool;
        allocation.commandBufferCount = 1;
        check(vkAllocateCommandBuffers(device, &allocation, &handle), "vkAllocateCommandBuffers");
        VkCommandBufferBeginInfo begin{};
        begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
        check(vkBeginCommandBuffer(handle, &begin), "vkBeginCommandBuffer");
    }
    Commands(const Commands&)            = delete;
    Commands& operator=(const Commands&) = delete;
    ~Commands() { vkDestroyCommandPool(device, pool, nullptr); }

    void run() {
        VkMemoryBarrier to_host{};
        to_host.sType         = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
        to_host.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
        to_host.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
        vkCmdPipelineBarrier(handle, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host,
                             0, nullptr, 0, nullptr);
        check(vkEndCommandBuffer(handle), "vkEndCommandBuffer");
        VkQueue queue = VK_NULL_HANDLE;
        vkGetDeviceQueue(device, family, 0, &queue);
        VkSubmitInfo submit{};
        submit.sType              = VK_STRUCTURE_TYPE_SUBMIT_INFO;
        submit.commandBufferCount = 1;
        submit.pCommandBuffers    = &handle;
        check(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
        check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
    }
};

uint32_t input_at(uint32_t i) { return i * 2654435761u >> 16; }

void scan_and_check(VkInstance instance, VkPhysicalDevice physical_device, VkDevice& device) {
    VkPhysicalDeviceSubgroupSizeControlFeatures size_control{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES};
    VkPhysicalDeviceVulkan12Features vulkan12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2        features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan12};
    // README begin
    // Before vkCreateDevice: turn on what vkprim needs in `features`, your VkPhysicalDeviceFeatures2 chain. vkprim appends no structure
    // to it: VkPhysicalDeviceVulkan12Features must be there, and VkPhysicalDeviceVulkan13Features should be.
    auto wanted = vkprim::query_requirements({vkGetInstanceProcAddr, instance, physical_device});
    if (!wanted) return fail(wanted.error().reason);
    // README end
    if (wanted->features.compute_full_subgroups) vulkan12.pNext = &size_control;
    // README begin
    vkprim::Context context{vkGetInstanceProcAddr, instance, physical_device};
    context.features = vkprim::merge_features(wanted->features, features);
    for (const auto& one : vkprim::missing_structures(wanted->features, features)) warn(one.name, one.effect);
    context.device = device = create_device(physical_device, features, wanted->extensions);

    // Once: the pipelines, and scan->scratch_size(args) bytes of scratch memory, zero-filled.
    auto scan = vkprim::Scan::create(context, {vkprim::ElementType::u32, vkprim::Operation::add});
    if (!scan) return fail(scan.error().reason);
    vkprim::Scan::Args args;
    args.count = count;
    // README end
    Memory scratch_memory(physical_device, device, scan->scratch_size(args));
    Memory data_memory(physical_device, device, count * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; ++i) data_memory.words[i] = input_at(i);
    Commands              submission(device, compute_family(physical_device));
    const VkCommandBuffer commands = submission.handle;
    const VkDeviceAddress data = data_memory.address, scratch = scratch_memory.address;
    // README begin

    // As often as you like: into any command buffer, between your own barriers.
    args.input = args.output = data; // in place
    args.scratch             = scratch;
    scan->record(commands, args);
    // README end
    submission.run();

    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (data_memory.words[i] != sum) {
            fail("element " + std::to_string(i) + " is " + std::to_string(data_memory.words[i]) + ", not " +
                 std::to_string(sum));
        }
        sum += input_at(i);
    }
}

} // namespace

int main() {
    const VkInstance       instance        = create_instance();
    const VkPhysicalDevice physical_device = first_device(instance);
    VkDevice               device          = VK_NULL_HANDLE;
    scan_and_check(instance, physical_device, device);
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(physical_device, &properties);
    std::printf("scanned %u elements on %s: right\n", count, properties.deviceName);
    vkDestroyDevice(device, nullptr);
    vkDestroyInstance(instance, nullptr);
}
