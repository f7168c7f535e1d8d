#include "failure.h"

namespace vkprim::tools {

ExitCode exit_code_of(const Error& error) {
    return error.kind == ErrorKind::invalid_desc || error.kind == ErrorKind::invalid_profile ? exit_usage : exit_device;
}

bool out_of_memory(VkResult code) {
    return code == VK_ERROR_OUT_OF_DEVICE_MEMORY || code == VK_ERROR_OUT_OF_HOST_MEMORY;
}

} // namespace vkprim::tools
