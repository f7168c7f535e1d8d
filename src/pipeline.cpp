#include "pipeline.h"

#include <vkprim/glsl/detail/constants.h>
#include <vkprim/glsl/detail/operations.h>
#include "specialize.h"
#include "spirv.h"
#include "tuning/rounding.h"

#include <cassert>
#include <chrono>
#include <optional>
#include <utility>

namespace vkprim {
namespace {

const char* advice(VkResult code) {
    switch (code) {
        case VK_ERROR_OUT_OF_HOST_MEMORY:
        case VK_ERROR_OUT_OF_DEVICE_MEMORY: return "free memory and try again";
        case VK_PIPELINE_COMPILE_REQUIRED:
            return "the driver would have to compile it, which Context::pipeline_flags forbid: leave "
                   "FAIL_ON_PIPELINE_COMPILE_REQUIRED out, or fill the pipeline cache first";
        default: return "the driver rejects it; run with validation and report the driver's version";
    }
}

Error failed(const char* call, VkResult code, const PipelineDesc& desc) {
    return {code, std::string(call) + " failed for " + desc.name + " with VkResult " + std::to_string(code) + ": " +
                      advice(code)};
}

} // namespace

std::vector<uint32_t> by_id(std::initializer_list<ShaderConstant> constants) {
    std::vector<uint32_t> values(constants.size());
    for (const ShaderConstant& constant : constants) {
        assert(constant.id - VKPRIM_OWN_ID < values.size());
        values[constant.id - VKPRIM_OWN_ID] = constant.value;
    }
    return values;
}

Result<Pipeline> Pipeline::create(const CoreDevice& device, const PipelineDesc& desc) {
    if (!desc.shader.words) {
        return Error{ErrorKind::invalid_desc, desc.name +
                                                  ": this vkprim was built without the type that Desc names: add it to "
                                                  "VKPRIM_TYPES, and build vkprim again"};
    }
    const DeviceLimits& limits = device.limits;
    Pipeline            pipeline;
    pipeline.device_    = device.device;
    pipeline.allocator_ = device.allocator;
    pipeline.functions_ = device.functions;
    pipeline.push_size_ = desc.push_size;

    const uint32_t subgroup_size = device.has_subgroups() ? limits.subgroup_size : 1;
    const uint32_t has           = (device.variant() == CoreDevice::word64 ? VKPRIM_WORD64_BIT : 0) |
                         (device.features.storage_buffer_8bit_access ? VKPRIM_BYTES_BIT : 0);
    std::vector<uint32_t> constants(VKPRIM_OWN_ID); // by their ids
    constants[VKPRIM_WORKGROUP_SIZE_ID] = desc.workgroup_size;
    constants[VKPRIM_SUBGROUP_SIZE_ID]  = desc.subgroups ? subgroup_size : 1;
    constants[VKPRIM_OPERATION_ID]      = desc.operation | (desc.own ? 0 : has);
    constants[VKPRIM_IDENTITY_BITS_ID]  = desc.identity_bits;
    constants[VKPRIM_MAX_POLLS_ID]      = desc.max_polls;
    constants[VKPRIM_TICKETS_ID]        = desc.tickets;
    constants[VKPRIM_FAULT_ID]          = desc.fault;
    constants[VKPRIM_FAULT_SHARE_ID]    = desc.fault_share;
    constants[VKPRIM_UNMASKED_LOADS_ID] = limits.software;
    constants[VKPRIM_FEW_REGISTERS_ID]  = limits.few_registers;
    constants.insert(constants.end(), desc.shader_constants.begin(), desc.shader_constants.end());

    std::vector<uint32_t> words;
    Shader                shader = desc.shader;
    const auto            change = [&](std::vector<uint32_t> changed) {
        words  = std::move(changed);
        shader = {words.data(), words.size() * sizeof(uint32_t)};
    };
    if (!desc.own && limits.specializes) {
        change(specialized(shader, constants));
        if (words.empty()) {
            return Error{ErrorKind::other, "the shader of " + desc.name + " is damaged: build vkprim again"};
        }
    }
    if (desc.rounds && declares_rounding(limits)) change(rounding_to_even(shader));

    VkShaderModuleCreateInfo module_info{};
    module_info.sType     = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    module_info.codeSize  = shader.size;
    module_info.pCode     = shader.words;
    VkShaderModule module = VK_NULL_HANDLE;
    VkResult       code   = device.functions.CreateShaderModule(device.device, &module_info, device.allocator, &module);
    if (code != VK_SUCCESS) return failed("vkCreateShaderModule", code, desc);

    const VkPushConstantRange  push_range{VK_SHADER_STAGE_COMPUTE_BIT, 0, desc.push_size};
    VkPipelineLayoutCreateInfo layout_info{};
    layout_info.sType                  = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layout_info.setLayoutCount         = desc.set_layout ? 1 : 0;
    layout_info.pSetLayouts            = &desc.set_layout;
    layout_info.pushConstantRangeCount = 1;
    layout_info.pPushConstantRanges    = &push_range;
    code = device.functions.CreatePipelineLayout(device.device, &layout_info, device.allocator, &pipeline.layout_);
    if (code != VK_SUCCESS) {
        device.functions.DestroyShaderModule(device.device, module, device.allocator);
        return failed("vkCreatePipelineLayout", code, desc);
    }

    std::vector<VkSpecializationMapEntry> entries;
    for (uint32_t id = 0; id < constants.size(); ++id) entries.push_back({id, id * 4, 4});
    const VkSpecializationInfo specialization{static_cast<uint32_t>(entries.size()), entries.data(),
                                              constants.size() * 4, constants.data()};

    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required_size{};
    required_size.sType                = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
    required_size.requiredSubgroupSize = subgroup_size;

    VkComputePipelineCreateInfo info{};
    info.sType                     = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.flags                     = device.pipeline_flags;
    info.layout                    = pipeline.layout_;
    info.stage.sType               = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage               = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module              = module;
    info.stage.pName               = "main";
    info.stage.pSpecializationInfo = &specialization;
    if (device.has_subgroups()) {
        // Workgroups are of a power of two of invocations, so of whole subgroups.
        info.stage.flags |= VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
        if (device.pins_subgroup_size()) info.stage.pNext = &required_size;
    }
    using Clock      = std::chrono::steady_clock;
    const auto began = Clock::now();
    code = device.functions.CreateComputePipelines(device.device, device.pipeline_cache, 1, &info, device.allocator,
                                                   &pipeline.pipeline_);
    const std::chrono::duration<double, std::milli> took = Clock::now() - began;
    device.functions.DestroyShaderModule(device.device, module, device.allocator);
    if (code != VK_SUCCESS) return failed("vkCreateComputePipelines", code, desc);
    if (device.on_pipeline) device.on_pipeline(desc.name.c_str(), pipeline.pipeline_, took.count());
    return pipeline;
}

Result<void> PipelineList::create(const CoreDevice& device) const {
    std::vector<std::optional<Error>> errors(wanted_.size());
    const auto                        create = [&](uint32_t i) {
        auto created = Pipeline::create(device, wanted_[i].desc);
        if (created) {
            *wanted_[i].pipeline = std::move(*created);
        } else {
            errors[i] = created.error();
        }
    };
    const auto count = static_cast<uint32_t>(wanted_.size());
    if (device.parallel_for && count > 1) {
        device.parallel_for(count, create);
    } else {
        for (uint32_t i = 0; i < count && (i == 0 || !errors[i - 1]); ++i) create(i);
    }
    for (const auto& error : errors) {
        if (error) return *error;
    }
    return {};
}

Pipeline& Pipeline::operator=(Pipeline&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(allocator_, other.allocator_);
    std::swap(functions_, other.functions_);
    std::swap(layout_, other.layout_);
    std::swap(pipeline_, other.pipeline_);
    std::swap(push_size_, other.push_size_);
    return *this;
}

Pipeline::~Pipeline() {
    if (!device_) return;
    functions_.DestroyPipeline(device_, pipeline_, allocator_);
    functions_.DestroyPipelineLayout(device_, layout_, allocator_);
}

} // namespace vkprim
