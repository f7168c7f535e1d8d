// From SPIR-V to a compute pipeline.
#pragma once

#include "core_device.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace vkprim {

struct Shader {
    const uint32_t* words = nullptr;
    size_t          size  = 0; ///< bytes
};

/// A shader for one kind of elements (cmake/VkprimShaders.cmake).
struct ElementShader {
    const char* kind; ///< ElementPlan::kind
    Shader      shader;
};

/// A specialization constant that only one shader has.
struct ShaderConstant {
    uint32_t id; ///< VKPRIM_OWN_ID or above
    uint32_t value;
};

/// Their values by their ids, from VKPRIM_OWN_ID on: all up to the last, in any order.
std::vector<uint32_t> by_id(std::initializer_list<ShaderConstant> constants);

/// Specialization constants: those that every shader has (include/vkprim/glsl/detail/constants.h), and the shader's own.
struct PipelineDesc {
    Shader                shader;
    std::string           name             = {}; ///< for errors and Context::on_pipeline
    uint32_t              push_size        = 0;  ///< bytes
    uint32_t              workgroup_size   = 256;
    uint32_t              operation        = 0;
    uint32_t              identity_bits    = 0;
    uint32_t              max_polls        = 512; ///< well below 65535, where Mesa's CPU driver leaves a shader's loops
    bool                  tickets          = true;  ///< hand out tiles in the order of asking
    uint32_t              fault            = 0;     ///< what is wrong with some workgroups: VKPRIM_FAULT_...
    uint32_t              fault_share      = 0;     ///< of 65536
    std::vector<uint32_t> shader_constants = {};    ///< from VKPRIM_OWN_ID on: by_id()
    VkDescriptorSetLayout set_layout       = {};    ///< of set 0, if there is one
    bool                  own              = false; ///< the shader is not vkprim's: made for one CoreDevice::Variant
    bool                  subgroups        = true;  ///< it uses them, on a device that has them
    bool                  rounds           = false; ///< its results need floats that round to nearest even
};

/// Owns a compute pipeline and its layout.
class Pipeline {
public:
    static Result<Pipeline> create(const CoreDevice& device, const PipelineDesc& desc);

    VkPipeline       handle() const { return pipeline_; }
    VkPipelineLayout layout() const { return layout_; }
    uint32_t         push_size() const { return push_size_; }

    Pipeline() = default;
    Pipeline(Pipeline&& other) noexcept { *this = std::move(other); }
    Pipeline& operator=(Pipeline&& other) noexcept;
    ~Pipeline();

private:
    VkDevice                     device_    = VK_NULL_HANDLE;
    const VkAllocationCallbacks* allocator_ = nullptr;
    DeviceFunctions              functions_;
    VkPipelineLayout             layout_    = VK_NULL_HANDLE;
    VkPipeline                   pipeline_  = VK_NULL_HANDLE;
    uint32_t                     push_size_ = 0;
};

/// The pipelines of one object, which are compiled at once if the caller has something to do that with (Context::parallel_for).
class PipelineList {
public:
    /// It is created into `pipeline`, which must not be moved before.
    void add(Pipeline& pipeline, PipelineDesc desc) { wanted_.push_back({&pipeline, std::move(desc)}); }

    /// All of them, or the error of the first that failed.
    Result<void> create(const CoreDevice& device) const;

private:
    struct Wanted {
        Pipeline*    pipeline;
        PipelineDesc desc;
    };
    std::vector<Wanted> wanted_;
};

} // namespace vkprim
