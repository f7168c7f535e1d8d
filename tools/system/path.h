// Paths are UTF-8 in std::string, and the system's own in std::filesystem.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace vkprim::tools::system {

inline std::filesystem::path path_of(const std::string& utf8) {
#ifdef __cpp_char8_t // from C++20 on
    return std::filesystem::path(std::u8string(utf8.begin(), utf8.end()));
#else
    return std::filesystem::u8path(utf8);
#endif
}

inline std::string text_of(const std::filesystem::path& path) {
    const auto text = path.u8string(); // of char, or of char8_t
    return std::string(text.begin(), text.end());
}

/// What ends the folders of a path; a drive's colon, too.
inline constexpr std::string_view folder_ends = std::filesystem::path::preferred_separator == '/' ? "/" : "\\/:";

} // namespace vkprim::tools::system
