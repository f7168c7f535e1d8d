#include "vk_errors.h"

#include <cstdio>

namespace vkprim::runtime {
namespace {

struct Name {
    VkResult    result;
    const char* text;
};

constexpr Name names[] = {
    {VK_SUCCESS, "VK_SUCCESS"},
    {VK_NOT_READY, "VK_NOT_READY"},
    {VK_TIMEOUT, "VK_TIMEOUT"},
    {VK_INCOMPLETE, "VK_INCOMPLETE"},
    {VK_ERROR_OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY"},
    {VK_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY"},
    {VK_ERROR_INITIALIZATION_FAILED, "VK_ERROR_INITIALIZATION_FAILED"},
    {VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST"},
    {VK_ERROR_MEMORY_MAP_FAILED, "VK_ERROR_MEMORY_MAP_FAILED"},
    {VK_ERROR_LAYER_NOT_PRESENT, "VK_ERROR_LAYER_NOT_PRESENT"},
    {VK_ERROR_EXTENSION_NOT_PRESENT, "VK_ERROR_EXTENSION_NOT_PRESENT"},
    {VK_ERROR_FEATURE_NOT_PRESENT, "VK_ERROR_FEATURE_NOT_PRESENT"},
    {VK_ERROR_INCOMPATIBLE_DRIVER, "VK_ERROR_INCOMPATIBLE_DRIVER"},
    {VK_ERROR_TOO_MANY_OBJECTS, "VK_ERROR_TOO_MANY_OBJECTS"},
    {VK_ERROR_INVALID_EXTERNAL_HANDLE, "VK_ERROR_INVALID_EXTERNAL_HANDLE"},
    {VK_ERROR_FRAGMENTATION, "VK_ERROR_FRAGMENTATION"},
    {VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS, "VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS"},
    {VK_ERROR_VALIDATION_FAILED_EXT, "VK_ERROR_VALIDATION_FAILED_EXT"},
    {VK_ERROR_UNKNOWN, "VK_ERROR_UNKNOWN"},
};

std::string result_name(VkResult result) {
    for (const Name& name : names) {
        if (name.result == result) return name.text;
    }
    return "VkResult " + std::to_string(static_cast<int>(result));
}

} // namespace

std::string describe(const char* call, VkResult result) { return std::string(call) + ": " + result_name(result); }

Error failed(const char* call, VkResult result, const char* advice) {
    std::string reason = describe(call, result);
    if (advice) reason += std::string("; ") + advice;
    return {result, std::move(reason)};
}

std::string size_text(VkDeviceSize size) {
    std::string text = std::to_string(size) + " bytes";
    if (size >= VkDeviceSize{1} << 30) {
        char gib[32];
        std::snprintf(gib, sizeof gib, " (%.2f GiB)", static_cast<double>(size) / (1 << 30));
        text += gib;
    }
    return text;
}

} // namespace vkprim::runtime
