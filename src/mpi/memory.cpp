#include "memory.h"

#include <algorithm>

namespace vkprim::mpi {

Result<void> grow(runtime::Buffer& buffer, const runtime::Device& device, VkDeviceSize size) {
    if (buffer.size() >= std::max<VkDeviceSize>(size, 1)) return {};
    buffer    = runtime::Buffer(); // first, for both may not fit
    auto made = device.create_buffer((std::max<VkDeviceSize>(size, 1) + 15) / 16 * 16);
    if (!made) {
        Error error = made.error();
        error.reason +=
            "; each rank's part of the array must fit its device, with temporary memory beside it: use more ranks, on "
            "more devices";
        return error;
    }
    buffer = std::move(*made);
    return {};
}

Result<void> grow_host(runtime::Buffer& buffer, const runtime::Device& device, VkDeviceSize size) {
    if (buffer.size() >= std::max<VkDeviceSize>(size, 1)) return {};
    buffer    = runtime::Buffer();
    auto made = device.create_host_buffer(size);
    if (!made) return made.error();
    buffer = std::move(*made);
    return {};
}

Result<void> check_place(const Place& place, const Need& need) {
    const auto wrong = [&](const std::string& what) {
        return Error{ErrorKind::invalid_args, std::string(need.name) + what};
    };
    if (need.count == 0) return {};
    if (!place.buffer) return wrong(" has no buffer");
    if (place.offset % need.align != 0) {
        return wrong(" begins at byte " + std::to_string(place.offset) + ", which is not a multiple of " +
                     std::to_string(need.align));
    }
    if (place.offset > place.buffer->size() || need.count > (place.buffer->size() - place.offset) / need.size) {
        return wrong(" needs " + std::to_string(need.count) + " times " + std::to_string(need.size) +
                     " bytes from byte " + std::to_string(place.offset) + " on, but its buffer has " +
                     std::to_string(place.buffer->size()));
    }
    return {};
}

} // namespace vkprim::mpi
