// What the engine draws, here numbers: a dispatch for each of 16 things, each with its sets.
#pragma once

#include "../plain_vulkan.h"

#include <vector>

constexpr uint32_t draws = 16, slice = 1024, count = draws * slice, frames = 3, slice_size = slice * 4;
constexpr uint32_t frame_stride = 256; // a multiple of every minUniformBufferOffsetAlignment

constexpr uint32_t shader_0_words[] = {
#include "frame_0.inc"
};
constexpr uint32_t shader_1_words[] = {
#include "frame_1.inc"
};
constexpr uint32_t more[] = {5, 7}; // push constants of the two

/// The engine's pipelines, and a set for the frame, one for each material, and one for the draws' slices.
struct Draws {
    const Device&         device;
    Memory                frame, materials, instances, first, drawn;
    VkDescriptorPool      pool = VK_NULL_HANDLE;
    VkDescriptorSetLayout layouts[3]{};
    VkDescriptorSet       frame_set = VK_NULL_HANDLE, slices_set = VK_NULL_HANDLE, material_sets[draws]{};
    VkPipelineLayout      layout = VK_NULL_HANDLE;
    VkPipeline            pipelines[2]{};

    Draws(const Device& owner, VkPipelineCache cache)
        : device(owner),
          frame(owner, frames * frame_stride),
          materials(owner, count * 4),
          instances(owner, count * 4),
          first(owner, count * 4),
          drawn(owner, count * 4) {
        const VkDescriptorType uniform     = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
        const VkDescriptorType storage     = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                               moving      = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
        const VkDescriptorPoolSize sizes[] = {{uniform, 1}, {storage, draws}, {moving, 3}};
        VkDescriptorPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
        pool_info.maxSets       = draws + 2;
        pool_info.poolSizeCount = 3;
        pool_info.pPoolSizes    = sizes;
        check(vkCreateDescriptorPool(device.handle, &pool_info, device.allocator, &pool), "vkCreateDescriptorPool");

        layouts[0] = set_layout(uniform, 1);
        layouts[1] = set_layout(storage, 1);
        layouts[2] = set_layout(moving, 3);
        frame_set  = set(layouts[0], uniform, {{frame.buffer, 0, 4}});
        for (uint32_t d = 0; d < draws; ++d) {
            material_sets[d] = set(layouts[1], storage, {{materials.buffer, d * slice_size, slice_size}});
        }
        slices_set =
            set(layouts[2], moving,
                {{instances.buffer, 0, slice_size}, {first.buffer, 0, slice_size}, {drawn.buffer, 0, slice_size}});

        const VkPushConstantRange  push{VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
        VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
        layout_info.setLayoutCount         = 3;
        layout_info.pSetLayouts            = layouts;
        layout_info.pushConstantRangeCount = 1;
        layout_info.pPushConstantRanges    = &push;
        check(vkCreatePipelineLayout(device.handle, &layout_info, device.allocator, &layout), "vkCreatePipelineLayout");
        pipelines[0] = make_pipeline(device, layout, shader_0_words, sizeof shader_0_words, cache);
        pipelines[1] = make_pipeline(device, layout, shader_1_words, sizeof shader_1_words, cache);
        for (uint32_t i = 0; i < count; ++i) materials.words[i] = i * 2654435761u >> 9;
        for (uint32_t f = 0; f < frames; ++f) frame.words[f * frame_stride / 4] = f;
    }
    Draws(const Draws&) = delete;
    ~Draws() {
        for (VkPipeline p : pipelines) vkDestroyPipeline(device.handle, p, device.allocator);
        vkDestroyPipelineLayout(device.handle, layout, device.allocator);
        for (VkDescriptorSetLayout l : layouts) vkDestroyDescriptorSetLayout(device.handle, l, device.allocator);
        vkDestroyDescriptorPool(device.handle, pool, device.allocator);
    }

    VkDescriptorSetLayout set_layout(VkDescriptorType type, uint32_t bindings) const {
        VkDescriptorSetLayoutBinding all[3]{};
        for (uint32_t b = 0; b < bindings; ++b) all[b] = {b, type, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
        const VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, 0,
                                                   bindings, all};
        VkDescriptorSetLayout                 made = VK_NULL_HANDLE;
        check(vkCreateDescriptorSetLayout(device.handle, &info, device.allocator, &made),
              "vkCreateDescriptorSetLayout");
        return made;
    }

    VkDescriptorSet set(VkDescriptorSetLayout of, VkDescriptorType type,
                        const std::vector<VkDescriptorBufferInfo>& buffers) const {
        const VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 1, &of};
        VkDescriptorSet                   made = VK_NULL_HANDLE;
        check(vkAllocateDescriptorSets(device.handle, &info, &made), "vkAllocateDescriptorSets");
        for (uint32_t b = 0; b < buffers.size(); ++b) {
            const VkWriteDescriptorSet write{
                VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, made, b, 0, 1, type, nullptr, &buffers[b]};
            vkUpdateDescriptorSets(device.handle, 1, &write, 0, nullptr);
        }
        return made;
    }

    void bind_pipeline(VkCommandBuffer commands, uint32_t pass) const {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines[pass]);
        vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &more[pass]);
    }
    void bind_sets(VkCommandBuffer commands, uint32_t first_set, std::vector<VkDescriptorSet> sets,
                   std::vector<uint32_t> offsets) const {
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, first_set,
                                static_cast<uint32_t>(sets.size()), sets.data(), static_cast<uint32_t>(offsets.size()),
                                offsets.data());
    }
    void draw(VkCommandBuffer commands, uint32_t d) const {
        bind_sets(commands, 1, {material_sets[d], slices_set}, {d * slice_size, d * slice_size, d * slice_size});
        vkCmdDispatch(commands, slice / 64, 1, 1);
    }
};
