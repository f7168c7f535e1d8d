// Floats in a uniform buffer, and the descriptor set through which shaders see it.
#pragma once

#include <vkprim/runtime.h>

#include <memory>
#include <vector>

namespace vkprim::tools::ladder {

class UniformSet {
public:
    static Result<std::unique_ptr<UniformSet>> create(const runtime::Device& device, const std::vector<float>& floats);

    VkDescriptorSetLayout layout() const { return layout_; }
    VkDeviceAddress       address() const { return buffer_.address(); }
    void                  bind(VkCommandBuffer commands, VkPipelineLayout pipeline_layout) const;

    UniformSet(const UniformSet&)            = delete;
    UniformSet& operator=(const UniformSet&) = delete;
    ~UniformSet();

private:
    explicit UniformSet(const Context& context) : context_(context) {}

    Context                     context_;
    runtime::Buffer             buffer_;
    VkDescriptorSetLayout       layout_ = VK_NULL_HANDLE;
    VkDescriptorPool            pool_   = VK_NULL_HANDLE;
    VkDescriptorSet             set_    = VK_NULL_HANDLE;
    PFN_vkCmdBindDescriptorSets bind_   = nullptr;
};

} // namespace vkprim::tools::ladder
