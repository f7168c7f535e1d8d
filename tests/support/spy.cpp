#include "spy.h"

#include <algorithm>
#include <cstring>

#include "catch.h"

namespace vkprim::tests {
namespace {

Spy* spy = nullptr;

/// Whether a module leaves a specialization constant to the driver.
bool has_constant(const std::vector<uint32_t>& module, uint32_t id) {
    constexpr uint32_t decorate = 71, spec_id = 1; // OpDecorate, SpecId
    for (size_t at = 5; at < module.size() && module[at] >> 16 != 0; at += module[at] >> 16) {
        if (module[at] == (4u << 16 | decorate) && module[at + 2] == spec_id && module[at + 3] == id) return true;
    }
    return false;
}

} // namespace

// An entry point that the core begins to load must be wrapped here, too.
static_assert(sizeof(DeviceFunctions) == Spy::call_count * sizeof(PFN_vkVoidFunction));

struct Spy::Wrappers {
    // What a wrapper does beyond counting.
    static void after(Call call, const VkAllocationCallbacks* allocator, bool done) {
        spy->note_allocator(allocator);
        const bool creates =
            call == Spy::CreateShaderModule || call == Spy::CreatePipelineLayout || call == Spy::CreateComputePipelines;
        if (done) spy->live_objects_ += creates ? 1 : -1;
    }

    static VKAPI_ATTR VkResult VKAPI_CALL CreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo* info,
                                                             const VkAllocationCallbacks* allocator,
                                                             VkShaderModule*              module) {
        if (spy->fails(Spy::CreateShaderModule)) return spy->failing_with;
        spy->last_module.assign(info->pCode, info->pCode + info->codeSize / 4);
        const VkResult result = spy->device_functions_.CreateShaderModule(device, info, allocator, module);
        after(Spy::CreateShaderModule, allocator, result == VK_SUCCESS);
        return result;
    }

    static VKAPI_ATTR VkResult VKAPI_CALL CreatePipelineLayout(VkDevice device, const VkPipelineLayoutCreateInfo* info,
                                                               const VkAllocationCallbacks* allocator,
                                                               VkPipelineLayout*            layout) {
        if (spy->fails(Spy::CreatePipelineLayout)) return spy->failing_with;
        const VkResult result = spy->device_functions_.CreatePipelineLayout(device, info, allocator, layout);
        after(Spy::CreatePipelineLayout, allocator, result == VK_SUCCESS);
        return result;
    }

    static VKAPI_ATTR VkResult VKAPI_CALL CreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                                 const VkComputePipelineCreateInfo* infos,
                                                                 const VkAllocationCallbacks*       allocator,
                                                                 VkPipeline*                        pipelines) {
        CHECK(count == 1);
        *pipelines = VK_NULL_HANDLE;
        if (spy->fails(Spy::CreateComputePipelines)) return spy->failing_with;
        VkComputePipelineCreateInfo info           = *infos;
        VkSpecializationInfo        specialization = *info.stage.pSpecializationInfo;
        const auto*                 words          = static_cast<const uint32_t*>(specialization.pData);
        std::vector<uint32_t>       values(words, words + specialization.dataSize / 4);
        spy->last_constants.clear();
        for (uint32_t e = 0; e < specialization.mapEntryCount; ++e) {
            const VkSpecializationMapEntry& entry = specialization.pMapEntries[e];
            if (spy->constants.count(entry.constantID)) values[entry.offset / 4] = spy->constants[entry.constantID];
            spy->last_constants[entry.constantID] = values[entry.offset / 4];
        }
        for (const auto& [id, value] : spy->constants) {
            INFO("there is no specialization constant " << id);
            CHECK(spy->last_constants.count(id) == 1);
            INFO("the module has its value already: see device.specializes");
            CHECK(has_constant(spy->last_module, id));
        }
        spy->last_full_subgroups = (info.stage.flags & VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT) != 0;
        spy->last_subgroup_size  = 0;
        for (auto* next = static_cast<const VkBaseInStructure*>(info.stage.pNext); next; next = next->pNext) {
            if (next->sType != VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO) continue;
            spy->last_subgroup_size = reinterpret_cast<const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo*>(next)
                                          ->requiredSubgroupSize;
        }
        specialization.pData           = values.data();
        info.stage.pSpecializationInfo = &specialization;
        const VkResult result =
            spy->device_functions_.CreateComputePipelines(device, cache, 1, &info, allocator, pipelines);
        after(Spy::CreateComputePipelines, allocator, result == VK_SUCCESS);
        return result;
    }

    static VKAPI_ATTR void VKAPI_CALL DestroyShaderModule(VkDevice device, VkShaderModule module,
                                                          const VkAllocationCallbacks* allocator) {
        spy->count(Spy::DestroyShaderModule);
        spy->device_functions_.DestroyShaderModule(device, module, allocator);
        after(Spy::DestroyShaderModule, allocator, module != VK_NULL_HANDLE);
    }

    static VKAPI_ATTR void VKAPI_CALL DestroyPipelineLayout(VkDevice device, VkPipelineLayout layout,
                                                            const VkAllocationCallbacks* allocator) {
        spy->count(Spy::DestroyPipelineLayout);
        spy->device_functions_.DestroyPipelineLayout(device, layout, allocator);
        after(Spy::DestroyPipelineLayout, allocator, layout != VK_NULL_HANDLE);
    }

    static VKAPI_ATTR void VKAPI_CALL DestroyPipeline(VkDevice device, VkPipeline pipeline,
                                                      const VkAllocationCallbacks* allocator) {
        spy->count(Spy::DestroyPipeline);
        spy->device_functions_.DestroyPipeline(device, pipeline, allocator);
        after(Spy::DestroyPipeline, allocator, pipeline != VK_NULL_HANDLE);
    }

    static VKAPI_ATTR void VKAPI_CALL CmdBindPipeline(VkCommandBuffer commands, VkPipelineBindPoint point,
                                                      VkPipeline pipeline) {
        spy->count(Spy::CmdBindPipeline);
        {
            std::lock_guard lock(spy->mutex_);
            spy->last_pipeline = pipeline;
        }
        if (spy->forwards_commands) spy->device_functions_.CmdBindPipeline(commands, point, pipeline);
    }

    static VKAPI_ATTR void VKAPI_CALL CmdPushConstants(VkCommandBuffer commands, VkPipelineLayout layout,
                                                       VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                                                       const void* values) {
        spy->count(Spy::CmdPushConstants);
        if (spy->forwards_commands) {
            spy->device_functions_.CmdPushConstants(commands, layout, stages, offset, size, values);
        }
    }

    static VKAPI_ATTR void VKAPI_CALL CmdDispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
        spy->count(Spy::CmdDispatch);
        if (spy->workgroups > 0) x = spy->workgroups, y = z = 1;
        {
            std::lock_guard lock(spy->mutex_);
            spy->last_grid = {x, y, z};
        }
        if (spy->forwards_commands) spy->device_functions_.CmdDispatch(commands, x, y, z);
    }

    static VKAPI_ATTR void VKAPI_CALL CmdDispatchIndirect(VkCommandBuffer commands, VkBuffer buffer,
                                                          VkDeviceSize offset) {
        spy->count(Spy::CmdDispatchIndirect);
        if (spy->forwards_commands) spy->device_functions_.CmdDispatchIndirect(commands, buffer, offset);
    }

    static VKAPI_ATTR void VKAPI_CALL CmdPipelineBarrier(VkCommandBuffer commands, VkPipelineStageFlags source,
                                                         VkPipelineStageFlags target, VkDependencyFlags flags,
                                                         uint32_t count, const VkMemoryBarrier* barriers,
                                                         uint32_t                     buffer_count,
                                                         const VkBufferMemoryBarrier* buffer_barriers,
                                                         uint32_t                     image_count,
                                                         const VkImageMemoryBarrier*  image_barriers) {
        spy->count(Spy::CmdPipelineBarrier);
        if (spy->forwards_commands) {
            spy->device_functions_.CmdPipelineBarrier(commands, source, target, flags, count, barriers, buffer_count,
                                                      buffer_barriers, image_count, image_barriers);
        }
    }

    static VKAPI_ATTR void VKAPI_CALL GetPhysicalDeviceProperties2(VkPhysicalDevice             physical_device,
                                                                   VkPhysicalDeviceProperties2* properties) {
        spy->instance_functions_.GetPhysicalDeviceProperties2(physical_device, properties);
        if (spy->edit_properties) spy->edit_properties(*properties);
    }

    static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice device, const char* name) {
        CHECK(device == spy->real_.device);
        spy->note_request(name);
        if (name == spy->missing) return nullptr;
#define VKPRIM_SPY_WRAPPER(call) \
    if (std::strcmp(name, "vk" #call) == 0) return reinterpret_cast<PFN_vkVoidFunction>(&call);
        VKPRIM_SPY_CALLS(VKPRIM_SPY_WRAPPER)
#undef VKPRIM_SPY_WRAPPER
        spy->unexpected_.emplace_back(name);
        return nullptr;
    }

    static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetInstanceProcAddr(VkInstance instance, const char* name) {
        CHECK(instance == spy->real_.instance);
        spy->note_request(name);
        if (name == spy->missing) return nullptr;
        const std::string wanted = name;
        const auto&       real   = spy->instance_functions_;
        if (wanted == "vkGetPhysicalDeviceProperties2") {
            return reinterpret_cast<PFN_vkVoidFunction>(&GetPhysicalDeviceProperties2);
        }
        if (wanted == "vkGetPhysicalDeviceFeatures2") {
            return reinterpret_cast<PFN_vkVoidFunction>(real.GetPhysicalDeviceFeatures2);
        }
        if (wanted == "vkEnumerateDeviceExtensionProperties") {
            return reinterpret_cast<PFN_vkVoidFunction>(real.EnumerateDeviceExtensionProperties);
        }
        if (wanted == "vkGetDeviceProcAddr") return reinterpret_cast<PFN_vkVoidFunction>(&GetDeviceProcAddr);
        spy->unexpected_.push_back(wanted);
        return nullptr;
    }
};

Spy::Spy(const Context& real) : real_(real) {
    REQUIRE(spy == nullptr);
    auto instance_functions = load_instance_functions(real.get_instance_proc_addr, real.instance);
    REQUIRE(instance_functions);
    instance_functions_   = *instance_functions;
    auto device_functions = load_device_functions(instance_functions_, real.device);
    REQUIRE(device_functions);
    device_functions_ = *device_functions;
    spy               = this;
}

Spy::~Spy() {
    CHECK(unexpected_ == std::vector<std::string>());
    CHECK(live_objects_ == 0);
    spy = nullptr;
}

Context Spy::context() const {
    Context context                = real_;
    context.get_instance_proc_addr = &Wrappers::GetInstanceProcAddr;
    return context;
}

uint32_t Spy::all_calls() const {
    uint32_t sum = 0;
    for (const auto& calls : calls_) sum += calls;
    return sum;
}

void Spy::forget_calls() {
    for (auto& calls : calls_) calls = 0;
    std::lock_guard lock(mutex_);
    allocators_.clear();
    requested_.clear();
}

std::vector<std::string> Spy::requested() const {
    std::lock_guard lock(mutex_);
    return requested_;
}

bool Spy::all_used(const VkAllocationCallbacks* allocator) const {
    std::lock_guard lock(mutex_);
    return !allocators_.empty() && std::all_of(allocators_.begin(), allocators_.end(),
                                               [&](const VkAllocationCallbacks* used) { return used == allocator; });
}

bool Spy::fails(Call call) { return calls_[call]++ == failing_after && call == failing; }

void Spy::note_request(const char* name) {
    std::lock_guard lock(mutex_);
    requested_.emplace_back(name);
}

void Spy::note_allocator(const VkAllocationCallbacks* allocator) {
    std::lock_guard lock(mutex_);
    allocators_.push_back(allocator);
}

} // namespace vkprim::tests
