// A Vulkan layer that spoils a driver, so that the program can be seen to cope. The environment says how:
//     FAULTY_LOSE_DEVICE_AT=N   vkQueueSubmit returns VK_ERROR_DEVICE_LOST after N submissions
//     FAULTY_LARGEST_MEMORY=N   vkAllocateMemory returns VK_ERROR_OUT_OF_DEVICE_MEMORY beyond N bytes
//     FAULTY_CRASH_AT=N         vkQueueSubmit ends the process after N submissions
//     FAULTY_SKIP_DISPATCH=1    vkCmdDispatch does nothing
//     FAULTY_SKIP_DISPATCH_AT=N it does nothing after N calls
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
};

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
    if (result == VK_SUCCESS) below(*created) = {*created, function};
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
    const auto ask      = reinterpret_cast<PFN_vkGetPhysicalDeviceProperties>(
        one.instance_function(one.instance, "vkGetPhysicalDeviceProperties"));
    VkPhysicalDeviceProperties properties;
    ask(physical, &properties);
    const char* const name = std::getenv("FAULTY_DEVICE");
    one.is_spoilt          = name == nullptr || std::strstr(properties.deviceName, name) != nullptr;
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
    return below(owner).device_function(owner, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance owner, const char* name) {
    const std::string wanted = name;
    if (wanted == "vkGetInstanceProcAddr") return reinterpret_cast<PFN_vkVoidFunction>(instance_function);
    if (wanted == "vkGetDeviceProcAddr") return reinterpret_cast<PFN_vkVoidFunction>(device_function);
    if (wanted == "vkCreateInstance") return reinterpret_cast<PFN_vkVoidFunction>(create_instance);
    if (wanted == "vkCreateDevice") return reinterpret_cast<PFN_vkVoidFunction>(create_device);
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
