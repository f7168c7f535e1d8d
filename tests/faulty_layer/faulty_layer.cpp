// A Vulkan layer that spoils a driver, so that the program can be seen to cope. The environment says how:
//     FAULTY_LOSE_DEVICE_AT=N   vkQueueSubmit returns VK_ERROR_DEVICE_LOST after N submissions
//     FAULTY_LARGEST_MEMORY=N   vkAllocateMemory returns VK_ERROR_OUT_OF_DEVICE_MEMORY beyond N bytes
//     FAULTY_CRASH_AT=N         vkQueueSubmit ends the process after N submissions
//     FAULTY_SKIP_DISPATCH=1    vkCmdDispatch does nothing
//     FAULTY_SKIP_DISPATCH_AT=N it does nothing after N calls
//     FAULTY_COPY=N             vkCmdCopyBuffer writes the word N instead
//     FAULTY_INCOHERENT=N       no memory is coherent with the host's, and what is flushed or invalidated has a multiple of N bytes
//     FAULTY_DEVICE=NAME        only of devices with this in their name
// Written after the loader's LoaderLayerInterface.md.
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

namespace {

/// What the layer below has for an instance, or for a device.
struct Below {
    VkInstance                instance          = VK_NULL_HANDLE;
    PFN_vkGetInstanceProcAddr instance_function = nullptr;
    VkDevice                  device            = VK_NULL_HANDLE;
    PFN_vkGetDeviceProcAddr   device_function   = nullptr;
    bool                      is_spoilt         = true;

    /// Of physical devices, by name: once an instance is made, the loader has the first layer's for them.
    std::map<std::string, PFN_vkVoidFunction> physical_functions = {};
};

constexpr const char* physical_names[] = {"vkGetPhysicalDeviceMemoryProperties", "vkGetPhysicalDeviceMemoryProperties2",
                                          "vkGetPhysicalDeviceProperties", "vkGetPhysicalDeviceProperties2"};

/// By what every handle of an instance, or of a device, begins with.
std::map<void*, Below> all;
std::mutex             mutex;

/// Of a handle that the loader dispatches.
template <class Handle>
Below& below(Handle handle) {
    const std::lock_guard lock(mutex);
    return all[*reinterpret_cast<void**>(handle)];
}

template <class Function, class Handle>
Function next(Handle handle, const char* name) {
    const Below& one = below(handle);
    return reinterpret_cast<Function>(one.device_function(one.device, name));
}

/// What the environment says of a fault.
template <class Handle>
const char* fault(Handle handle, const char* name) {
    return below(handle).is_spoilt ? std::getenv(name) : nullptr;
}

/// Whether it is a number, and so many calls have gone before.
bool is_reached(const char* number, int before) { return number != nullptr && before >= std::atoi(number); }

VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos, VkFence fence) {
    static std::atomic<int> submissions{0};
    const int               before = below(queue).is_spoilt ? submissions++ : 0;
    if (is_reached(fault(queue, "FAULTY_LOSE_DEVICE_AT"), before)) return VK_ERROR_DEVICE_LOST;
    if (is_reached(fault(queue, "FAULTY_CRASH_AT"), before)) std::abort();
    return next<PFN_vkQueueSubmit>(queue, "vkQueueSubmit")(queue, count, infos, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice owner, const VkMemoryAllocateInfo* info,
                                        const VkAllocationCallbacks* allocator, VkDeviceMemory* memory) {
    const char* const largest = fault(owner, "FAULTY_LARGEST_MEMORY");
    if (largest != nullptr && info->allocationSize > std::strtoull(largest, nullptr, 10)) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    return next<PFN_vkAllocateMemory>(owner, "vkAllocateMemory")(owner, info, allocator, memory);
}

VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
    static std::atomic<int> dispatches{0};
    const int               before = below(commands).is_spoilt ? dispatches++ : 0;
    if (is_reached(fault(commands, "FAULTY_SKIP_DISPATCH_AT"), before) || fault(commands, "FAULTY_SKIP_DISPATCH")) {
        return;
    }
    next<PFN_vkCmdDispatch>(commands, "vkCmdDispatch")(commands, x, y, z);
}

VKAPI_ATTR void VKAPI_CALL copy(VkCommandBuffer commands, VkBuffer source, VkBuffer target, uint32_t count,
                                const VkBufferCopy* regions) {
    const char* const word = fault(commands, "FAULTY_COPY");
    if (word == nullptr) {
        next<PFN_vkCmdCopyBuffer>(commands, "vkCmdCopyBuffer")(commands, source, target, count, regions);
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        next<PFN_vkCmdFillBuffer>(commands, "vkCmdFillBuffer")(commands, target, regions[i].dstOffset,
                                                               regions[i].size / 4 * 4,
                                                               static_cast<uint32_t>(std::strtoull(word, nullptr, 10)));
    }
}

// Memory that is not coherent.

constexpr const char* incoherent = "FAULTY_INCOHERENT";

template <class Function>
Function next_of_instance(VkPhysicalDevice physical, const char* name) {
    return reinterpret_cast<Function>(below(physical).physical_functions[name]); // as its instance's handles begin
}

void spoil(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties& memory) {
    if (fault(physical, incoherent) == nullptr) return;
    for (VkMemoryType& type : memory.memoryTypes) {
        type.propertyFlags &= ~static_cast<VkMemoryPropertyFlags>(VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    }
}

void spoil(VkPhysicalDevice physical, VkPhysicalDeviceProperties& properties) {
    const char* const atom = fault(physical, incoherent);
    if (atom != nullptr) properties.limits.nonCoherentAtomSize = std::strtoull(atom, nullptr, 10);
}

VKAPI_ATTR void VKAPI_CALL memory_properties(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties* memory) {
    next_of_instance<PFN_vkGetPhysicalDeviceMemoryProperties>(physical, "vkGetPhysicalDeviceMemoryProperties")(physical,
                                                                                                               memory);
    spoil(physical, *memory);
}

VKAPI_ATTR void VKAPI_CALL memory_properties2(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties2* memory) {
    next_of_instance<PFN_vkGetPhysicalDeviceMemoryProperties2>(physical, "vkGetPhysicalDeviceMemoryProperties2")(
        physical, memory);
    spoil(physical, memory->memoryProperties);
}

VKAPI_ATTR void VKAPI_CALL properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties* found) {
    next_of_instance<PFN_vkGetPhysicalDeviceProperties>(physical, "vkGetPhysicalDeviceProperties")(physical, found);
    spoil(physical, *found);
}

VKAPI_ATTR void VKAPI_CALL properties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2* found) {
    next_of_instance<PFN_vkGetPhysicalDeviceProperties2>(physical, "vkGetPhysicalDeviceProperties2")(physical, found);
    spoil(physical, found->properties);
}

/// Whether a device may flush or invalidate these.
bool are_whole(VkDevice owner, uint32_t count, const VkMappedMemoryRange* ranges) {
    const char* const  atom = fault(owner, incoherent);
    const VkDeviceSize size = atom != nullptr ? std::strtoull(atom, nullptr, 10) : 1;
    for (uint32_t i = 0; i < count; ++i) {
        if (ranges[i].offset % size != 0 || ranges[i].size % size != 0) return false;
    }
    return true;
}

VKAPI_ATTR VkResult VKAPI_CALL flush(VkDevice owner, uint32_t count, const VkMappedMemoryRange* ranges) {
    if (!are_whole(owner, count, ranges)) return VK_ERROR_VALIDATION_FAILED_EXT;
    return next<PFN_vkFlushMappedMemoryRanges>(owner, "vkFlushMappedMemoryRanges")(owner, count, ranges);
}

VKAPI_ATTR VkResult VKAPI_CALL invalidate(VkDevice owner, uint32_t count, const VkMappedMemoryRange* ranges) {
    if (!are_whole(owner, count, ranges)) return VK_ERROR_VALIDATION_FAILED_EXT;
    return next<PFN_vkInvalidateMappedMemoryRanges>(owner, "vkInvalidateMappedMemoryRanges")(owner, count, ranges);
}

/// The link to the layer below, which the loader put into the chain of the create info.
template <class Link>
Link* find_link(const void* chain, VkStructureType type) {
    for (auto* link = static_cast<Link*>(const_cast<void*>(chain)); link != nullptr;
         link       = static_cast<Link*>(const_cast<void*>(link->pNext))) {
        if (link->sType == type && link->function == VK_LAYER_LINK_INFO) return link;
    }
    return nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator,
                                               VkInstance* created) {
    auto* link = find_link<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetInstanceProcAddr function = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo                       = link->u.pLayerInfo->pNext;
    const auto     create = reinterpret_cast<PFN_vkCreateInstance>(function(VK_NULL_HANDLE, "vkCreateInstance"));
    const VkResult result = create(info, allocator, created);
    if (result != VK_SUCCESS) return result;
    Below& one = below(*created);
    one        = {*created, function};
    for (const char* name : physical_names) one.physical_functions[name] = function(*created, name);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* allocator, VkDevice* created) {
    auto* link = find_link<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    Below one           = below(physical); // which its instance's handles begin with, too
    one.device_function = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo  = link->u.pLayerInfo->pNext;
    const auto create   = reinterpret_cast<PFN_vkCreateDevice>(one.instance_function(one.instance, "vkCreateDevice"));
    VkPhysicalDeviceProperties found;
    properties(physical, &found);
    const char* const name = std::getenv("FAULTY_DEVICE");
    one.is_spoilt          = name == nullptr || std::strstr(found.deviceName, name) != nullptr;
    const VkResult result  = create(physical, info, allocator, created);
    if (result != VK_SUCCESS) return result;
    one.device      = *created;
    below(*created) = one;
    return result;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice owner, const char* name) {
    const std::string wanted = name;
    if (wanted == "vkGetDeviceProcAddr") return reinterpret_cast<PFN_vkVoidFunction>(device_function);
    if (wanted == "vkQueueSubmit") return reinterpret_cast<PFN_vkVoidFunction>(submit);
    if (wanted == "vkAllocateMemory") return reinterpret_cast<PFN_vkVoidFunction>(allocate);
    if (wanted == "vkCmdDispatch") return reinterpret_cast<PFN_vkVoidFunction>(dispatch);
    if (wanted == "vkCmdCopyBuffer") return reinterpret_cast<PFN_vkVoidFunction>(copy);
    if (wanted == "vkFlushMappedMemoryRanges") return reinterpret_cast<PFN_vkVoidFunction>(flush);
    if (wanted == "vkInvalidateMappedMemoryRanges") return reinterpret_cast<PFN_vkVoidFunction>(invalidate);
    return below(owner).device_function(owner, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance owner, const char* name) {
    const std::string wanted = name;
    if (wanted == "vkGetInstanceProcAddr") return reinterpret_cast<PFN_vkVoidFunction>(instance_function);
    if (wanted == "vkGetDeviceProcAddr") return reinterpret_cast<PFN_vkVoidFunction>(device_function);
    if (wanted == "vkCreateInstance") return reinterpret_cast<PFN_vkVoidFunction>(create_instance);
    if (wanted == "vkCreateDevice") return reinterpret_cast<PFN_vkVoidFunction>(create_device);
    if (wanted == "vkGetPhysicalDeviceMemoryProperties") return reinterpret_cast<PFN_vkVoidFunction>(memory_properties);
    if (wanted == "vkGetPhysicalDeviceMemoryProperties2")
        return reinterpret_cast<PFN_vkVoidFunction>(memory_properties2);
    if (wanted == "vkGetPhysicalDeviceProperties") return reinterpret_cast<PFN_vkVoidFunction>(properties);
    if (wanted == "vkGetPhysicalDeviceProperties2") return reinterpret_cast<PFN_vkVoidFunction>(properties2);
    return owner == VK_NULL_HANDLE ? nullptr : below(owner).instance_function(owner, name);
}

} // namespace

extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
    version->loaderLayerInterfaceVersion  = 2;
    version->pfnGetInstanceProcAddr       = instance_function;
    version->pfnGetDeviceProcAddr         = device_function;
    version->pfnGetPhysicalDeviceProcAddr = nullptr;
    return VK_SUCCESS;
}
