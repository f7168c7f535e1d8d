// A Vulkan layer that spoils a driver, so that the program can be seen to cope. The environment says how:
//     FAULTY_LOSE_DEVICE_AT=N   vkQueueSubmit returns VK_ERROR_DEVICE_LOST after N submissions
//     FAULTY_LARGEST_MEMORY=N   vkAllocateMemory returns VK_ERROR_OUT_OF_DEVICE_MEMORY beyond N bytes
//     FAULTY_CRASH_AT=N         vkQueueSubmit ends the process after N submissions
//     FAULTY_SKIP_DISPATCH=1    vkCmdDispatch does nothing
//     FAULTY_SKIP_DISPATCH_AT=N it does nothing after N calls
// Written for one instance and one device, after the loader's LoaderLayerInterface.md.
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

PFN_vkGetInstanceProcAddr next_instance_function = nullptr;
PFN_vkGetDeviceProcAddr   next_device_function   = nullptr;
VkInstance                instance               = VK_NULL_HANDLE;
VkDevice                  device                 = VK_NULL_HANDLE;

template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(next_device_function(device, name));
}

VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos, VkFence fence) {
    static int        submissions = 0;
    const char* const at          = std::getenv("FAULTY_LOSE_DEVICE_AT");
    const char* const crash       = std::getenv("FAULTY_CRASH_AT");
    const int         before      = submissions++;
    if (at != nullptr && before >= std::atoi(at)) return VK_ERROR_DEVICE_LOST;
    if (crash != nullptr && before >= std::atoi(crash)) std::abort();
    return next<PFN_vkQueueSubmit>("vkQueueSubmit")(queue, count, infos, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice owner, const VkMemoryAllocateInfo* info,
                                        const VkAllocationCallbacks* allocator, VkDeviceMemory* memory) {
    const char* const largest = std::getenv("FAULTY_LARGEST_MEMORY");
    if (largest != nullptr && info->allocationSize > std::strtoull(largest, nullptr, 10)) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    return next<PFN_vkAllocateMemory>("vkAllocateMemory")(owner, info, allocator, memory);
}

VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
    static int        dispatches = 0;
    const char* const at         = std::getenv("FAULTY_SKIP_DISPATCH_AT");
    const int         before     = dispatches++;
    const bool        skipped    = at != nullptr && before >= std::atoi(at);
    if (skipped || std::getenv("FAULTY_SKIP_DISPATCH") != nullptr) return;
    next<PFN_vkCmdDispatch>("vkCmdDispatch")(commands, x, y, z);
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
    next_instance_function = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo     = link->u.pLayerInfo->pNext;
    const auto create =
        reinterpret_cast<PFN_vkCreateInstance>(next_instance_function(VK_NULL_HANDLE, "vkCreateInstance"));
    const VkResult result = create(info, allocator, created);
    if (result == VK_SUCCESS) instance = *created;
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* allocator, VkDevice* created) {
    auto* link = find_link<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    next_device_function  = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo    = link->u.pLayerInfo->pNext;
    const auto     create = reinterpret_cast<PFN_vkCreateDevice>(next_instance_function(instance, "vkCreateDevice"));
    const VkResult result = create(physical, info, allocator, created);
    if (result == VK_SUCCESS) device = *created;
    return result;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice owner, const char* name) {
    const std::string wanted = name;
    if (wanted == "vkGetDeviceProcAddr") return reinterpret_cast<PFN_vkVoidFunction>(device_function);
    if (wanted == "vkQueueSubmit") return reinterpret_cast<PFN_vkVoidFunction>(submit);
    if (wanted == "vkAllocateMemory") return reinterpret_cast<PFN_vkVoidFunction>(allocate);
    if (wanted == "vkCmdDispatch") return reinterpret_cast<PFN_vkVoidFunction>(dispatch);
    return next_device_function(owner, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance owner, const char* name) {
    const std::string wanted = name;
    if (wanted == "vkGetInstanceProcAddr") return reinterpret_cast<PFN_vkVoidFunction>(instance_function);
    if (wanted == "vkGetDeviceProcAddr") return reinterpret_cast<PFN_vkVoidFunction>(device_function);
    if (wanted == "vkCreateInstance") return reinterpret_cast<PFN_vkVoidFunction>(create_instance);
    if (wanted == "vkCreateDevice") return reinterpret_cast<PFN_vkVoidFunction>(create_device);
    return next_instance_function(owner, name);
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
