// Paths are UTF-8 in std::string, and the system's own in std::filesystem.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace vkprim::tools::system {

inline std::filesystem::path path_of(const std::string& utf8) { return std::filesystem::u8path(utf8); }
inline std::string           text_of(const std::filesystem::path& path) { return path.u8string(); }

/// What ends the folders of a path; a drive's colon, too.
inline constexpr std::string_view folder_ends = std::filesystem::path::preferred_separator == '/' ? "/" : "\\/:";

} // namespace vkprim::tools::system
