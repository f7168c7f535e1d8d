// What examples on the thin runtime share: how they fail, and kernels of their own.
#pragma once

#include <vkprim/runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

[[noreturn]] inline void fail(const std::string& reason) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    std::exit(1);
}

template <class T>
T need(vkprim::Result<T> result) {
    if (!result) fail(result.error().reason);
    return *std::move(result);
}

inline void need(const vkprim::Result<void>& result) {
    if (!result) fail(result.error().reason);
}

/// A compute pipeline of the program's own, in workgroups of 64.
template <class Push>
class Kernel {
public:
    template <size_t Count>
    Kernel(const vkprim::Context& context, const uint32_t (&words)[Count]) : context_(context) {
        VkShaderModuleCreateInfo module_info{};
        module_info.sType     = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
        module_info.codeSize  = sizeof words;
        module_info.pCode     = words;
        VkShaderModule module = VK_NULL_HANDLE;
        check(load<PFN_vkCreateShaderModule>("vkCreateShaderModule")(context.device, &module_info, nullptr, &module));

        const VkPushConstantRange  range{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Push)};
        VkPipelineLayoutCreateInfo layout_info{};
        layout_info.sType                  = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
        layout_info.pushConstantRangeCount = 1;
        layout_info.pPushConstantRanges    = &range;
        check(load<PFN_vkCreatePipelineLayout>("vkCreatePipelineLayout")(context.device, &layout_info, nullptr,
                                                                         &layout_));

        VkComputePipelineCreateInfo info{};
        info.sType        = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
        info.layout       = layout_;
        info.stage.sType  = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
        info.stage.stage  = VK_SHADER_STAGE_COMPUTE_BIT;
        info.stage.module = module;
        info.stage.pName  = "main";
        check(load<PFN_vkCreateComputePipelines>("vkCreateComputePipelines")(context.device, VK_NULL_HANDLE, 1, &info,
                                                                             nullptr, &pipeline_));
        load<PFN_vkDestroyShaderModule>("vkDestroyShaderModule")(context.device, module, nullptr);
    }
    Kernel(const Kernel&) = delete;
    ~Kernel() {
        load<PFN_vkDestroyPipeline>("vkDestroyPipeline")(context_.device, pipeline_, nullptr);
        load<PFN_vkDestroyPipelineLayout>("vkDestroyPipelineLayout")(context_.device, layout_, nullptr);
    }

    void record(VkCommandBuffer commands, const Push& push, uint32_t invocations) const {
        load<PFN_vkCmdBindPipeline>("vkCmdBindPipeline")(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
        load<PFN_vkCmdPushConstants>("vkCmdPushConstants")(commands, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                                           sizeof push, &push);
        load<PFN_vkCmdDispatch>("vkCmdDispatch")(commands, (invocations + 63) / 64, 1, 1);
    }

private:
    template <class Function>
    Function load(const char* name) const {
        return reinterpret_cast<Function>(context_.get_instance_proc_addr(context_.instance, name));
    }

    static void check(VkResult result) {
        if (result != VK_SUCCESS) fail("Vulkan failed with VkResult " + std::to_string(result));
    }

    vkprim::Context  context_;
    VkPipelineLayout layout_   = VK_NULL_HANDLE;
    VkPipeline       pipeline_ = VK_NULL_HANDLE;
};
