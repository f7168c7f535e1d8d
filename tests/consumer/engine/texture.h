// A texture of the engine's, RGBA in 16-bit floats, and the set that a shader reads it through.
#pragma once

#include "../plain_vulkan.h"

/// A whole number below 2048 in 16 bits.
inline uint16_t half_of(uint32_t number) {
    if (number == 0) return 0;
    uint32_t exponent = 0;
    while (number >> (exponent + 1) != 0) ++exponent;
    return static_cast<uint16_t>((exponent + 15) << 10 | (number << (10 - exponent) & 0x3ff));
}

struct Texture {
    const Device&         device;
    VkExtent3D            extent;
    Memory                texels; ///< what is to be copied into it, 8 bytes each
    VkImage               image      = VK_NULL_HANDLE;
    VkDeviceMemory        memory     = VK_NULL_HANDLE;
    VkImageView           view       = VK_NULL_HANDLE;
    VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
    VkDescriptorPool      pool       = VK_NULL_HANDLE;
    VkDescriptorSet       set        = VK_NULL_HANDLE;

    /// The set has `storage` at binding 1.
    Texture(const Device& owner, uint32_t width, uint32_t height, const Memory& storage)
        : device(owner), extent{width, height, 1}, texels(owner, VkDeviceSize{width} * height * 8) {
        VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
        info.imageType   = VK_IMAGE_TYPE_2D;
        info.format      = VK_FORMAT_R16G16B16A16_SFLOAT;
        info.extent      = extent;
        info.mipLevels   = 1;
        info.arrayLayers = 1;
        info.samples     = VK_SAMPLE_COUNT_1_BIT;
        info.usage       = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
        check(vkCreateImage(device.handle, &info, device.allocator, &image), "vkCreateImage");
        VkMemoryRequirements needs;
        vkGetImageMemoryRequirements(device.handle, image, &needs);
        uint32_t type = 0;
        while (!(needs.memoryTypeBits >> type & 1)) ++type;
        const VkMemoryAllocateInfo allocation{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, needs.size, type};
        check(vkAllocateMemory(device.handle, &allocation, device.allocator, &memory), "vkAllocateMemory");
        check(vkBindImageMemory(device.handle, image, memory, 0), "vkBindImageMemory");
        VkImageViewCreateInfo view_info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
        view_info.image            = image;
        view_info.viewType         = VK_IMAGE_VIEW_TYPE_2D;
        view_info.format           = info.format;
        view_info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        check(vkCreateImageView(device.handle, &view_info, device.allocator, &view), "vkCreateImageView");

        const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
        const VkDescriptorSetLayoutBinding    bindings[] = {{0, types[0], 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                                            {1, types[1], 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}};
        const VkDescriptorSetLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr,
                                                          0, 2, bindings};
        check(vkCreateDescriptorSetLayout(device.handle, &layout_info, device.allocator, &set_layout),
              "vkCreateDescriptorSetLayout");
        const VkDescriptorPoolSize sizes[] = {{types[0], 1}, {types[1], 1}};
        VkDescriptorPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
        pool_info.maxSets       = 1;
        pool_info.poolSizeCount = 2;
        pool_info.pPoolSizes    = sizes;
        check(vkCreateDescriptorPool(device.handle, &pool_info, device.allocator, &pool), "vkCreateDescriptorPool");
        const VkDescriptorSetAllocateInfo of{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 1,
                                             &set_layout};
        check(vkAllocateDescriptorSets(device.handle, &of, &set), "vkAllocateDescriptorSets");
        const VkDescriptorImageInfo  of_image{VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
        const VkDescriptorBufferInfo of_buffer{storage.buffer, 0, VK_WHOLE_SIZE};
        const VkStructureType        write    = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        const VkWriteDescriptorSet   writes[] = {{write, nullptr, set, 0, 0, 1, types[0], &of_image, nullptr, nullptr},
                                                 {write, nullptr, set, 1, 0, 1, types[1], nullptr, &of_buffer, nullptr}};
        vkUpdateDescriptorSets(device.handle, 2, writes, 0, nullptr);
    }
    Texture(const Texture&) = delete;
    ~Texture() {
        vkDestroyDescriptorPool(device.handle, pool, device.allocator);
        vkDestroyDescriptorSetLayout(device.handle, set_layout, device.allocator);
        vkDestroyImageView(device.handle, view, device.allocator);
        vkDestroyImage(device.handle, image, device.allocator);
        vkFreeMemory(device.handle, memory, device.allocator);
    }

    /// Copies the texels, for compute shaders to read.
    void upload(VkCommandBuffer commands) const {
        change(commands, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
        VkBufferImageCopy copy{};
        copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        copy.imageExtent      = extent;
        vkCmdCopyBufferToImage(commands, texels.buffer, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
        change(commands, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    }

private:
    void change(VkCommandBuffer commands, VkImageLayout from, VkImageLayout to) const {
        const bool           is_read = to == VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
        VkImageMemoryBarrier all{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
        all.srcAccessMask       = is_read ? VK_ACCESS_TRANSFER_WRITE_BIT : 0;
        all.dstAccessMask       = is_read ? VK_ACCESS_SHADER_READ_BIT : VK_ACCESS_TRANSFER_WRITE_BIT;
        all.oldLayout           = from;
        all.newLayout           = to;
        all.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        all.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        all.image               = image;
        all.subresourceRange    = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        vkCmdPipelineBarrier(commands, is_read ? VK_PIPELINE_STAGE_TRANSFER_BIT : VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                             is_read ? VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT : VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                             nullptr, 0, nullptr, 1, &all);
    }
};
