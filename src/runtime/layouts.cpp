// One pipeline layout for all pipelines of a device that push as many bytes. A driver that keeps what it has compiled by the layout's
// handle (SwiftShader does) would otherwise find nothing in the VkPipelineCache when an object is created again.
#include "state.h"

#include <cstring>
#include <map>

namespace vkprim::runtime {
namespace {

struct Shared {
    std::map<uint32_t, VkPipelineLayout> by_push_size;
};

// vkCreatePipelineLayout has no pointer of the caller's.
struct Registry {
    std::mutex                 mutex;
    std::map<VkDevice, Shared> devices;
};

// Never destroyed: a Device may be an object that ends behind all others of the program.
Registry& registry() {
    static Registry& all = *new Registry;
    return all;
}

/// Of a layout that can be shared, else 0. With callbacks of its own, a layout belongs to whoever made it.
uint32_t push_size_of(const VkPipelineLayoutCreateInfo& info, const VkAllocationCallbacks* allocator) {
    const bool plain =
        !allocator && !info.pNext && info.flags == 0 && info.setLayoutCount == 0 && info.pushConstantRangeCount == 1 &&
        info.pPushConstantRanges->stageFlags == VK_SHADER_STAGE_COMPUTE_BIT && info.pPushConstantRanges->offset == 0;
    return plain ? info.pPushConstantRanges->size : 0;
}

/// Null for a device that somebody else made, and gave these entry points.
Shared* shared_of(VkDevice device) {
    const auto found = registry().devices.find(device);
    return found == registry().devices.end() ? nullptr : &found->second;
}

template <class Function>
Function of_driver(VkDevice device, const char* name) {
    return reinterpret_cast<Function>(vkGetDeviceProcAddr(device, name));
}

// Nothing is thrown through an entry point, whose caller may be written in C.

VKAPI_ATTR VkResult VKAPI_CALL create_layout(VkDevice device, const VkPipelineLayoutCreateInfo* info,
                                             const VkAllocationCallbacks* allocator,
                                             VkPipelineLayout*            layout) noexcept {
    const auto      create = of_driver<PFN_vkCreatePipelineLayout>(device, "vkCreatePipelineLayout");
    std::lock_guard lock(registry().mutex);
    Shared* const   shared    = shared_of(device);
    const uint32_t  push_size = push_size_of(*info, allocator);
    if (!shared || push_size == 0) return create(device, info, allocator, layout);
    VkPipelineLayout* kept;
    try {
        kept = &shared->by_push_size[push_size]; // null where it is new
    } catch (const std::bad_alloc&) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    const VkResult result = *kept ? VK_SUCCESS : create(device, info, nullptr, kept);
    *layout               = *kept;
    if (result != VK_SUCCESS) shared->by_push_size.erase(push_size);
    return result;
}

VKAPI_ATTR void VKAPI_CALL destroy_layout(VkDevice device, VkPipelineLayout layout,
                                          const VkAllocationCallbacks* allocator) noexcept {
    std::lock_guard lock(registry().mutex);
    if (const Shared* const shared = shared_of(device)) {
        for (const auto& [push_size, kept] : shared->by_push_size) {
            if (layout && kept == layout) return;
        }
    }
    of_driver<PFN_vkDestroyPipelineLayout>(device, "vkDestroyPipelineLayout")(device, layout, allocator);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc_addr(VkDevice device, const char* name) {
    if (std::strcmp(name, "vkCreatePipelineLayout") == 0) return reinterpret_cast<PFN_vkVoidFunction>(&create_layout);
    if (std::strcmp(name, "vkDestroyPipelineLayout") == 0) return reinterpret_cast<PFN_vkVoidFunction>(&destroy_layout);
    return vkGetDeviceProcAddr(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc_addr(VkInstance instance, const char* name) {
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) {
        return reinterpret_cast<PFN_vkVoidFunction>(&get_device_proc_addr);
    }
    return vkGetInstanceProcAddr(instance, name);
}

} // namespace

void share_layouts(DeviceState& device) {
    std::lock_guard lock(registry().mutex);
    registry().devices.try_emplace(device.context.device);
    device.context.get_instance_proc_addr = get_instance_proc_addr;
}

void destroy_shared_layouts(DeviceState& device) {
    std::lock_guard lock(registry().mutex);
    const auto      found = registry().devices.find(device.context.device);
    if (found == registry().devices.end()) return;
    for (const auto& [push_size, layout] : found->second.by_push_size) {
        device.table.vkDestroyPipelineLayout(device.context.device, layout, nullptr);
    }
    registry().devices.erase(found);
}

} // namespace vkprim::runtime
