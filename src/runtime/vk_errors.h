// Vulkan result codes as Errors that a person can read.
#pragma once

#include <vkprim/core.h>

namespace vkprim::runtime {

/// "vkCreateDevice: VK_ERROR_DEVICE_LOST".
std::string describe(const char* call, VkResult result);

/// An Error with that text, and `advice` after it where there is any.
Error failed(const char* call, VkResult result, const char* advice = nullptr);

/// "123 bytes", from 1 GiB on with the GiB after it.
std::string size_text(VkDeviceSize size);

/// A Vulkan structure, all zero but for its type.
template <class T>
T structure(VkStructureType type) {
    T result{};
    result.sType = type;
    return result;
}

} // namespace vkprim::runtime
