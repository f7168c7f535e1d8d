#include "state.h"
#include "vk_errors.h"

#include <algorithm>

namespace vkprim::runtime {
namespace {

/// Allocations behind a sparse buffer start at multiples of this, so that the driver can use its large pages.
constexpr VkDeviceSize sparse_granularity = VkDeviceSize{2} << 20;

/// Without these, a memory type needs nothing that the device was not created with.
constexpr VkMemoryPropertyFlags special_memory = VK_MEMORY_PROPERTY_PROTECTED_BIT |
                                                 VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT |
                                                 VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD;

Error out_of_memory(const DeviceState& device, VkDeviceSize size, const Error& cause) {
    Error error  = cause;
    error.reason = "no memory for a buffer of " + size_text(size) + ": " + cause.reason + "; the device's memory is " +
                   size_text(device.physical.info.memory_size) + ": free other buffers or ask for less";
    return error;
}

Result<void> create_handle(OwnedBuffer& buffer, VkDeviceSize size, VkBufferCreateFlags flags) {
    auto info  = structure<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.flags = flags;
    info.size  = size;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;

    const DeviceState& device = *buffer.device;
    const VkResult     result = device.table.vkCreateBuffer(device.context.device, &info, nullptr, &buffer.handle);
    if (result != VK_SUCCESS) {
        buffer.handle = VK_NULL_HANDLE;
        return failed("vkCreateBuffer", result);
    }
    return {};
}

VkMemoryRequirements requirements_of(const OwnedBuffer& buffer) {
    VkMemoryRequirements requirements;
    buffer.device->table.vkGetBufferMemoryRequirements(buffer.device->context.device, buffer.handle, &requirements);
    return requirements;
}

Result<uint32_t> device_local_type(const DeviceState& device, uint32_t type_bits) {
    const uint32_t type = find_memory_type(device, type_bits, {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0});
    if (type == UINT32_MAX) {
        return Error{VK_ERROR_OUT_OF_DEVICE_MEMORY, "the driver offers no memory type for storage buffers"};
    }
    return type;
}

/// One allocation.
Result<void> bind_memory(OwnedBuffer& buffer, const VkMemoryRequirements& requirements) {
    const DeviceState& device = *buffer.device;
    const auto         type   = device_local_type(device, requirements.memoryTypeBits);
    if (!type) return type.error();
    VkResult result = allocate(buffer, requirements.size, *type, VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT);
    if (result != VK_SUCCESS) return failed("vkAllocateMemory", result);
    result = device.table.vkBindBufferMemory(device.context.device, buffer.handle, buffer.memory.back(), 0);
    if (result != VK_SUCCESS) return failed("vkBindBufferMemory", result);
    return {};
}

/// As many allocations as it takes, behind one range of addresses.
Result<void> bind_sparse_memory(OwnedBuffer& buffer) {
    DeviceState& device       = *buffer.device;
    const auto   requirements = requirements_of(buffer);
    const auto   type         = device_local_type(device, requirements.memoryTypeBits);
    if (!type) return type.error();

    const VkDeviceSize granularity = std::max(sparse_granularity, requirements.alignment);
    const VkDeviceSize part_size   = device.physical.info.max_allocation_size / granularity * granularity;
    if (part_size == 0) return Error{VK_ERROR_OUT_OF_DEVICE_MEMORY, "its allocations are too small to join"};

    std::vector<VkSparseMemoryBind> binds;
    for (VkDeviceSize offset = 0; offset < requirements.size; offset += part_size) {
        VkSparseMemoryBind bind{};
        bind.resourceOffset   = offset;
        bind.size             = std::min(part_size, requirements.size - offset);
        const VkResult result = allocate(buffer, bind.size, *type, VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT);
        if (result != VK_SUCCESS) {
            return failed("vkAllocateMemory", result, ("after " + size_text(offset) + " of it").c_str());
        }
        bind.memory = buffer.memory.back();
        binds.push_back(bind);
    }

    VkSparseBufferMemoryBindInfo buffer_binds{};
    buffer_binds.buffer    = buffer.handle;
    buffer_binds.bindCount = static_cast<uint32_t>(binds.size());
    buffer_binds.pBinds    = binds.data();
    auto info              = structure<VkBindSparseInfo>(VK_STRUCTURE_TYPE_BIND_SPARSE_INFO);
    info.bufferBindCount   = 1;
    info.pBufferBinds      = &buffer_binds;
    const auto fence       = start_on_queue(device, "vkQueueBindSparse", [&](VkFence signalled) {
        return device.table.vkQueueBindSparse(device.queues[0], 1, &info, signalled);
    });
    if (!fence) return fence.error();
    return finish(device, *fence);
}

Result<void> create_sparse(OwnedBuffer& buffer, VkDeviceSize size) {
    const PhysicalDevice& physical = buffer.device->physical;
    const std::string     limit =
        "one allocation on this device is at most " + size_text(physical.info.max_allocation_size);
    if (!physical.family.sparse_binding) {
        return Error{VK_ERROR_OUT_OF_DEVICE_MEMORY, limit + ", and it has no sparse binding to join several"};
    }
    if (size > physical.max_sparse_size) {
        return Error{VK_ERROR_OUT_OF_DEVICE_MEMORY,
                     limit + ", and several joined at most " + size_text(physical.max_sparse_size)};
    }
    if (auto created = create_handle(buffer, size, VK_BUFFER_CREATE_SPARSE_BINDING_BIT); !created) return created;
    return bind_sparse_memory(buffer);
}

Result<void> create_with_memory(OwnedBuffer& buffer, VkDeviceSize size) {
    const PhysicalDevice& physical = buffer.device->physical;
    if (size > physical.max_buffer_size) {
        return Error{VK_ERROR_OUT_OF_DEVICE_MEMORY,
                     "one buffer on this device is at most " + size_text(physical.max_buffer_size)};
    }
    if (size > physical.info.max_allocation_size) return create_sparse(buffer, size);

    if (auto created = create_handle(buffer, size, 0); !created) return created;
    return bind_memory(buffer, requirements_of(buffer));
}

} // namespace

OwnedBuffer::~OwnedBuffer() {
    if (device->abandoned) return;
    device->table.vkDestroyBuffer(device->context.device, handle, nullptr);
    for (VkDeviceMemory part : memory) device->table.vkFreeMemory(device->context.device, part, nullptr);
}

uint32_t find_memory_type(const DeviceState& device, uint32_t type_bits,
                          std::initializer_list<VkMemoryPropertyFlags> preferences) {
    // Vulkan orders types so that of those with all the wanted flags, the first has the fewest others.
    for (VkMemoryPropertyFlags wanted : preferences) {
        for (uint32_t i = 0; i < device.memory.memoryTypeCount; ++i) {
            const VkMemoryPropertyFlags flags = device.memory.memoryTypes[i].propertyFlags;
            if ((type_bits >> i & 1) && (flags & wanted) == wanted && !(flags & special_memory)) return i;
        }
    }
    return UINT32_MAX;
}

VkResult allocate(OwnedBuffer& owner, VkDeviceSize size, uint32_t type, VkMemoryAllocateFlags flags) {
    auto flags_info      = structure<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    flags_info.flags     = flags;
    auto info            = structure<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    info.pNext           = &flags_info;
    info.allocationSize  = size;
    info.memoryTypeIndex = type;

    const DeviceState& device = *owner.device;
    VkDeviceMemory     memory = VK_NULL_HANDLE;
    const VkResult     result = device.table.vkAllocateMemory(device.context.device, &info, nullptr, &memory);
    if (result == VK_SUCCESS) owner.memory.push_back(memory);
    return result;
}

struct Buffer::Impl final : OwnedBuffer {
    using OwnedBuffer::OwnedBuffer;
};

Buffer::Buffer() = default;
Buffer::Buffer(Buffer&& other) noexcept { *this = std::move(other); }
Buffer::~Buffer() = default;

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    impl_    = std::move(other.impl_);
    buffer_  = std::exchange(other.buffer_, VkBuffer{VK_NULL_HANDLE});
    address_ = std::exchange(other.address_, 0);
    size_    = std::exchange(other.size_, 0);
    data_    = std::exchange(other.data_, nullptr);
    return *this;
}

Result<Buffer> Device::create_buffer(VkDeviceSize size) const {
    // Not a byte more than asked for, so that validation sees who goes beyond; but no buffer is empty.
    const VkDeviceSize full_size = std::max(size, VkDeviceSize{1});

    Buffer buffer;
    buffer.impl_ = std::make_unique<Buffer::Impl>(*impl_);
    if (auto created = create_with_memory(*buffer.impl_, full_size); !created) {
        const VkResult code      = created.error().code;
        const bool     no_memory = code == VK_ERROR_OUT_OF_DEVICE_MEMORY || code == VK_ERROR_OUT_OF_HOST_MEMORY;
        return no_memory ? out_of_memory(*impl_, size, created.error()) : created.error();
    }

    auto info       = structure<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
    info.buffer     = buffer.impl_->handle;
    buffer.buffer_  = buffer.impl_->handle;
    buffer.address_ = impl_->table.vkGetBufferDeviceAddress(impl_->context.device, &info);
    buffer.size_    = size;
    return buffer;
}

Result<Buffer> Device::create_host_buffer(VkDeviceSize size) const {
    constexpr VkMemoryPropertyFlags coherent =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

    const VolkDeviceTable& table = impl_->table;
    Buffer                 buffer;
    buffer.impl_       = std::make_unique<Buffer::Impl>(*impl_);
    OwnedBuffer& owned = *buffer.impl_;

    auto info       = structure<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size       = std::max(size, VkDeviceSize{1});
    info.usage      = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VkResult result = table.vkCreateBuffer(impl_->context.device, &info, nullptr, &owned.handle);
    if (result != VK_SUCCESS) {
        owned.handle = VK_NULL_HANDLE;
        return failed("vkCreateBuffer", result);
    }
    const VkMemoryRequirements requirements = requirements_of(owned);
    const uint32_t             type         = find_memory_type(*impl_, requirements.memoryTypeBits,
                                                               {coherent | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, coherent});
    if (type == UINT32_MAX) return Error{VK_ERROR_OUT_OF_HOST_MEMORY, "the driver offers no memory that the host sees"};
    result = allocate(owned, requirements.size, type, 0);
    if (result != VK_SUCCESS) return failed("vkAllocateMemory", result, ("for " + size_text(size)).c_str());
    result = table.vkBindBufferMemory(impl_->context.device, owned.handle, owned.memory.back(), 0);
    if (result != VK_SUCCESS) return failed("vkBindBufferMemory", result);
    result = table.vkMapMemory(impl_->context.device, owned.memory.back(), 0, VK_WHOLE_SIZE, 0, &buffer.data_);
    if (result != VK_SUCCESS) return failed("vkMapMemory", result);

    buffer.buffer_ = owned.handle;
    buffer.size_   = size;
    return buffer;
}

} // namespace vkprim::runtime
