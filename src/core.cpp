#include <vkprim/core.h>

#include <cstdio>
#include <cstdlib>

namespace vkprim {
namespace {

VkResult code_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::invalid_desc:
        case ErrorKind::invalid_profile: return VK_ERROR_FORMAT_NOT_SUPPORTED;
        case ErrorKind::invalid_args: return VK_ERROR_VALIDATION_FAILED_EXT;
        case ErrorKind::invalid_context: return VK_ERROR_INITIALIZATION_FAILED;
        case ErrorKind::invalid_operation: return VK_ERROR_INVALID_SHADER_NV;
        case ErrorKind::unsupported_device: return VK_ERROR_FEATURE_NOT_PRESENT;
        case ErrorKind::vulkan:
        case ErrorKind::other: break;
    }
    return VK_ERROR_UNKNOWN;
}

} // namespace

Error::Error(ErrorKind error_kind, std::string text)
    : kind(error_kind), code(code_of(error_kind)), reason(std::move(text)) {}

Error::Error(VkResult vulkan_result, std::string text)
    : kind(ErrorKind::vulkan), code(vulkan_result), reason(std::move(text)) {}

void give_up(const std::string& reason) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    std::abort();
}

} // namespace vkprim
