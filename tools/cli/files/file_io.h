// Reading and writing whole files: what the formats in this folder share, and the errors of files.
#pragma once

#include <algorithm>
#include <cerrno>
#include <exception>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "files.h"
#include "tools/system/open_file.h"

namespace vkprim::tools {

constexpr uint64_t max_element_count = UINT32_MAX; ///< what the primitives' `count` can hold

/// The same of a mapped array of `type`.
uint64_t max_mapped_count(NumberType type);

Error file_error(const std::string& path, const std::string& reason);

/// "<path>: cannot <verb>: <what the system says>; <what to do>".
Error system_error(const std::string& path, const char* verb, int error_number);

struct Span {
    const void* data = nullptr;
    uint64_t    size = 0; ///< bytes
};

/// write_file() of several ranges, one after the other.
Result<void> write_spans(const std::string& path, std::initializer_list<Span> spans);

/// The folder of a file, with '/' at its end.
std::string folder_of(const std::string& path);

/// `transfer` moves up to a number of bytes at an offset, and returns a system::Moved. The value: 0, or the error number.
template <class Transfer>
int transfer_all(uint64_t size, const Transfer& transfer) {
    for (uint64_t done = 0; done < size;) {
        const system::Moved moved = transfer(done, size - done);
        if (moved.error != 0) return moved.error;
        if (moved.size == 0) return EIO; // the file has become shorter
        done += moved.size;
    }
    return 0;
}

/// What kind of picture the bytes begin like ("PNG", "GIF", ...), or nullptr. Twelve bytes are enough.
const char* picture_format(const uint8_t* data, size_t size);

/// Whether the bytes begin like a .npy file, or like the .npz archive that read_npy() refuses with a reason of its own.
bool starts_like_npy(const uint8_t* data, size_t size);

/// The result of `work`, or an Error where it throws: the standard library's way to say that memory ran out.
template <class Work>
auto report_exceptions(const std::string& path, Work work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::exception&) {
        return Error{VK_ERROR_OUT_OF_HOST_MEMORY, path + ": does not fit into memory; use a smaller file"};
    }
}

} // namespace vkprim::tools
