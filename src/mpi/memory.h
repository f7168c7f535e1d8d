// Memory on a rank's device: the caller's, and what an object keeps.
#pragma once

#include <vkprim/mpi.h>

#include <string>

namespace vkprim::mpi {

/// Makes `buffer` at least `size` bytes large, with any content.
Result<void> grow(runtime::Buffer& buffer, const runtime::Device& device, VkDeviceSize size);

/// The same of host memory that the device copies from and to.
Result<void> grow_host(runtime::Buffer& buffer, const runtime::Device& device, VkDeviceSize size);

/// What an object needs of a place.
struct Need {
    const char* name  = ""; ///< "input"
    uint64_t    count = 0;  ///< elements; 0: nothing
    uint32_t    size  = 0;  ///< bytes of an element
    uint32_t    align = 4;  ///< bytes
};

/// Says what is wrong with `place`, if anything.
Result<void> check_place(const Place& place, const Need& need);

/// 0 where there is no buffer.
inline VkDeviceAddress address_of(const Place& place) {
    return place.buffer ? place.buffer->address() + place.offset : 0;
}

/// Begins a command buffer, records into it, and waits until it has completed.
template <class Record>
Result<void> submit(const runtime::Device& device, const Record& record) {
    auto commands = device.begin_commands();
    if (!commands) return commands.error();
    record(*commands);
    const auto done = commands->submit_and_wait();
    return done ? Result<void>() : done.error();
}

} // namespace vkprim::mpi
