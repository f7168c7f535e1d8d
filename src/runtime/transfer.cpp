#include "state.h"
#include "vk_errors.h"

#include <algorithm>
#include <cstring>

namespace vkprim::runtime {
namespace {

constexpr VkDeviceSize min_staging_size = VkDeviceSize{64} << 10;
constexpr VkDeviceSize max_staging_size = VkDeviceSize{64} << 20;

/// Some drivers fill with 32-bit sizes inside.
constexpr VkDeviceSize max_fill_size = VkDeviceSize{1} << 30;

struct Range {
    VkDeviceSize offset;
    VkDeviceSize size;
};

Result<void> check_range(const char* verb, const Buffer& buffer, const Range& range, VkDeviceSize limit) {
    if (range.offset <= limit && range.size <= limit - range.offset) return {};
    return Error{ErrorKind::invalid_args, std::string(verb) + " of " + size_text(range.size) + " at offset " +
                                              std::to_string(range.offset) + " exceeds the buffer of " +
                                              size_text(buffer.size())};
}

VkResult create_staging(DeviceState& device, VkDeviceSize size, std::unique_ptr<Staging>& result) {
    constexpr VkMemoryPropertyFlags visible  = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    constexpr VkMemoryPropertyFlags coherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    constexpr VkMemoryPropertyFlags cached   = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

    const VolkDeviceTable& table   = device.table;
    const VkDevice         handle  = device.context.device;
    auto                   staging = std::make_unique<Staging>(device);
    OwnedBuffer&           buffer  = staging->buffer;

    auto info     = structure<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size     = size;
    info.usage    = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VkResult made = table.vkCreateBuffer(handle, &info, nullptr, &buffer.handle);
    if (made != VK_SUCCESS) {
        buffer.handle = VK_NULL_HANDLE;
        return made;
    }

    // Downloads from memory that the host does not cache are many times slower, and uploads no faster.
    VkMemoryRequirements requirements;
    table.vkGetBufferMemoryRequirements(handle, buffer.handle, &requirements);
    const uint32_t type =
        find_memory_type(device, requirements.memoryTypeBits,
                         {visible | coherent | cached, visible | cached, visible | coherent, visible});
    if (type == UINT32_MAX) return VK_ERROR_OUT_OF_HOST_MEMORY;

    made = allocate(buffer, requirements.size, type, 0);
    if (made != VK_SUCCESS) return made;
    made = table.vkBindBufferMemory(handle, buffer.handle, buffer.memory.back(), 0);
    if (made != VK_SUCCESS) return made;
    made = table.vkMapMemory(handle, buffer.memory.back(), 0, VK_WHOLE_SIZE, 0, &staging->mapped);
    if (made != VK_SUCCESS) return made;

    staging->size     = size;
    staging->coherent = device.memory.memoryTypes[type].propertyFlags & coherent;
    result            = std::move(staging);
    return VK_SUCCESS;
}

/// Staging memory for a transfer of `size` bytes: as large, if that can be had, else the transfer goes in several
/// chunks.
Result<const Staging*> staging_for(DeviceState& device, VkDeviceSize size) {
    VkDeviceSize wanted = min_staging_size;
    while (wanted < size && wanted < max_staging_size) wanted *= 2;
    if (device.staging && device.staging->size >= wanted) return device.staging.get();

    device.staging.reset();
    VkResult result = create_staging(device, wanted, device.staging);
    while (result != VK_SUCCESS && wanted > min_staging_size) {
        wanted /= 2;
        result = create_staging(device, wanted, device.staging);
    }
    if (result != VK_SUCCESS) {
        return failed("vkAllocateMemory", result, "there is no host-visible memory to transfer data through");
    }
    return device.staging.get();
}

/// The first `size` bytes of staging memory, as vkFlush… and vkInvalidateMappedMemoryRanges take them.
VkMappedMemoryRange mapped_range(const DeviceState& device, const Staging& staging, VkDeviceSize size) {
    auto range   = structure<VkMappedMemoryRange>(VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE);
    range.memory = staging.buffer.memory.back();
    range.size   = std::min(round_up(size, device.physical.non_coherent_atom_size), staging.size);
    return range;
}

Result<void> copy_in(DeviceState& device, const Staging& staging, const void* data, VkDeviceSize size) {
    std::memcpy(staging.mapped, data, size);
    if (staging.coherent) return {};
    const auto     range  = mapped_range(device, staging, size);
    const VkResult result = device.table.vkFlushMappedMemoryRanges(device.context.device, 1, &range);
    if (result != VK_SUCCESS) return failed("vkFlushMappedMemoryRanges", result);
    return {};
}

Result<void> copy_out(DeviceState& device, const Staging& staging, void* data, VkDeviceSize size) {
    if (!staging.coherent) {
        const auto     range  = mapped_range(device, staging, size);
        const VkResult result = device.table.vkInvalidateMappedMemoryRanges(device.context.device, 1, &range);
        if (result != VK_SUCCESS) return failed("vkInvalidateMappedMemoryRanges", result);
    }
    std::memcpy(data, staging.mapped, size);
    return {};
}

Result<void> submit(Commands& commands) {
    auto done = commands.submit_and_wait();
    if (!done) return done.error();
    return {};
}

} // namespace

Result<void> Device::upload(const Buffer& target, VkDeviceSize offset, const void* data, VkDeviceSize size) const {
    if (auto inside = check_range("upload", target, {offset, size}, target.size()); !inside) return inside;

    for (VkDeviceSize done = 0; done < size;) {
        const auto staging = staging_for(*impl_, size - done);
        if (!staging) return staging.error();
        const VkDeviceSize chunk = std::min(size - done, (*staging)->size);
        if (auto copied = copy_in(*impl_, **staging, static_cast<const char*>(data) + done, chunk); !copied)
            return copied;

        auto commands = begin_commands();
        if (!commands) return commands.error();
        const VkBufferCopy region{0, offset + done, chunk};
        impl_->table.vkCmdCopyBuffer(commands->handle(), (*staging)->buffer.handle, target.handle(), 1, &region);
        if (auto submitted = submit(*commands); !submitted) return submitted;
        done += chunk;
    }
    return {};
}

Result<void> Device::download(const Buffer& source, VkDeviceSize offset, void* data, VkDeviceSize size) const {
    if (auto inside = check_range("download", source, {offset, size}, source.size()); !inside) return inside;

    for (VkDeviceSize done = 0; done < size;) {
        const auto staging = staging_for(*impl_, size - done);
        if (!staging) return staging.error();
        const VkDeviceSize chunk = std::min(size - done, (*staging)->size);

        auto commands = begin_commands();
        if (!commands) return commands.error();
        const VkBufferCopy region{offset + done, 0, chunk};
        impl_->table.vkCmdCopyBuffer(commands->handle(), source.handle(), (*staging)->buffer.handle, 1, &region);
        auto to_host          = structure<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
        to_host.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
        to_host.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
        impl_->table.vkCmdPipelineBarrier(commands->handle(), VK_PIPELINE_STAGE_TRANSFER_BIT,
                                          VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0, nullptr, 0, nullptr);
        if (auto submitted = submit(*commands); !submitted) return submitted;

        if (auto copied = copy_out(*impl_, **staging, static_cast<char*>(data) + done, chunk); !copied) return copied;
        done += chunk;
    }
    return {};
}

Result<void> Device::fill(const Buffer& target, VkDeviceSize offset, VkDeviceSize size, uint32_t word) const {
    if (auto inside = check_range("fill", target, {offset, size}, target.size()); !inside) return inside;
    if (offset % sizeof word != 0 || size % sizeof word != 0) {
        return Error{ErrorKind::invalid_args, "fill takes an offset and a size that are multiples of 4"};
    }
    if (size == 0) return {};

    auto commands = begin_commands();
    if (!commands) return commands.error();
    for (VkDeviceSize done = 0; done < size; done += max_fill_size) {
        const VkDeviceSize chunk = std::min(size - done, max_fill_size);
        impl_->table.vkCmdFillBuffer(commands->handle(), target.handle(), offset + done, chunk, word);
    }
    return submit(*commands);
}

} // namespace vkprim::runtime
