#include "uniform.h"

#include "entry_point.h"

namespace vkprim::tools::ladder {

Result<std::unique_ptr<UniformSet>> UniformSet::create(const runtime::Device&    device,
                                                       const std::vector<float>& floats) {
    std::unique_ptr<UniformSet> made(new UniformSet(device.context()));
    const VkDevice              handle = device.context().device;
    auto                        buffer = device.create_buffer(floats.size() * sizeof(float));
    if (!buffer) return buffer.error();
    made->buffer_   = std::move(*buffer);
    const auto done = device.upload(made->buffer_, 0, floats.data(), floats.size() * sizeof(float));
    if (!done) return done.error();
    made->bind_ = entry_point<PFN_vkCmdBindDescriptorSets>(made->context_, "vkCmdBindDescriptorSets");

    const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                                               nullptr};
    VkDescriptorSetLayoutCreateInfo    layout_info{};
    layout_info.sType        = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    layout_info.bindingCount = 1;
    layout_info.pBindings    = &binding;
    VkResult code = entry_point<PFN_vkCreateDescriptorSetLayout>(made->context_, "vkCreateDescriptorSetLayout")(
        handle, &layout_info, nullptr, &made->layout_);
    if (code != VK_SUCCESS) return Error{code, "vkCreateDescriptorSetLayout failed"};

    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1};
    VkDescriptorPoolCreateInfo pool_info{};
    pool_info.sType         = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    pool_info.maxSets       = 1;
    pool_info.poolSizeCount = 1;
    pool_info.pPoolSizes    = &size;
    code = entry_point<PFN_vkCreateDescriptorPool>(made->context_, "vkCreateDescriptorPool")(handle, &pool_info,
                                                                                             nullptr, &made->pool_);
    if (code != VK_SUCCESS) return Error{code, "vkCreateDescriptorPool failed"};

    VkDescriptorSetAllocateInfo set_info{};
    set_info.sType              = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    set_info.descriptorPool     = made->pool_;
    set_info.descriptorSetCount = 1;
    set_info.pSetLayouts        = &made->layout_;
    code = entry_point<PFN_vkAllocateDescriptorSets>(made->context_, "vkAllocateDescriptorSets")(handle, &set_info,
                                                                                                 &made->set_);
    if (code != VK_SUCCESS) return Error{code, "vkAllocateDescriptorSets failed"};

    const VkDescriptorBufferInfo buffer_info{made->buffer_.handle(), 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet         write{};
    write.sType           = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet          = made->set_;
    write.descriptorCount = 1;
    write.descriptorType  = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    write.pBufferInfo     = &buffer_info;
    entry_point<PFN_vkUpdateDescriptorSets>(made->context_, "vkUpdateDescriptorSets")(handle, 1, &write, 0, nullptr);
    return made;
}

void UniformSet::bind(VkCommandBuffer commands, VkPipelineLayout pipeline_layout) const {
    bind_(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout, 0, 1, &set_, 0, nullptr);
}

UniformSet::~UniformSet() {
    entry_point<PFN_vkDestroyDescriptorPool>(context_, "vkDestroyDescriptorPool")(context_.device, pool_, nullptr);
    entry_point<PFN_vkDestroyDescriptorSetLayout>(context_, "vkDestroyDescriptorSetLayout")(context_.device, layout_,
                                                                                            nullptr);
}

} // namespace vkprim::tools::ladder
