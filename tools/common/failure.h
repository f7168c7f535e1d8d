// How the rooms of the program fail: with a line for standard error and an exit code.
#pragma once

#include <vkprim/core.h>

#include <string>
#include <type_traits>
#include <utility>

namespace vkprim::tools {

enum ExitCode : int {
    exit_good   = 0,
    exit_wrong  = 1, ///< the GPU's result is not the CPU reference's
    exit_usage  = 2, ///< bad flags, input or output
    exit_device = 3, ///< no usable device, or its driver failed
};

/// Thrown to end a subcommand: `reason` becomes one line on standard error.
struct Failure {
    ExitCode    code = exit_usage;
    std::string reason;
};

/// The value, or a Failure with exit_usage: for files.
template <class T>
T need_file(Result<T> result) {
    if (!result) throw Failure{exit_usage, result.error().reason};
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// For what went wrong on a device: exit_usage where a Desc or a profile is invalid, which comes from a flag or a file.
ExitCode exit_code_of(const Error& error);

/// The value, or a Failure: for everything that talks to a device.
template <class T>
T need_device(Result<T> result) {
    if (!result) throw Failure{exit_code_of(result.error()), result.error().reason};
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Whether smaller data might have fitted, on the device or on the host.
bool out_of_memory(VkResult code);

} // namespace vkprim::tools
