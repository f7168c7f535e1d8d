// Paths and errors of Windows in the terms of open_file.h.
#pragma once

#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <string>

namespace vkprim::tools::system {

/// UTF-16 of UTF-8; what is no UTF-8 becomes U+FFFD.
std::wstring wide_of(const std::string& text);
std::string  utf8_of(const std::wstring& text);

/// The same of a path. A long one becomes absolute, behind \\?\ or \\?\UNC\, since Windows takes long paths in that form alone.
std::wstring wide_path(const std::string& path);

/// errno's number of an error of GetLastError().
int errno_of(DWORD error);
int last_errno();

} // namespace vkprim::tools::system
