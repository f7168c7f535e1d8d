#include "../machine.h"

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "wide.h"

#include <shellapi.h> // after windows.h

namespace vkprim::tools::system {

uint64_t physical_memory() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : 0;
}

bool is_terminal_of_errors() {
    DWORD mode = 0;
    return GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode) != 0;
}

void prepare_terminal() {
    DWORD        mode     = 0;
    const HANDLE terminal = GetStdHandle(STD_ERROR_HANDLE);
    if (GetConsoleMode(terminal, &mode)) SetConsoleMode(terminal, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

// A console takes bytes in its code page, which all of its programs share, and UTF-16 in any.
bool write_text(std::FILE* stream, std::string_view text) {
    const HANDLE terminal = GetStdHandle(stream == stdout ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
    DWORD        mode     = 0;
    if (!GetConsoleMode(terminal, &mode))
        return std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
    while (!text.empty()) { // handlers of crashes write, too: nothing is allocated
        wchar_t wide[1024];
        size_t  part = std::min(text.size(), std::size(wide)); // UTF-16 has no more units than UTF-8
        while (part > 1 && part < text.size() && (text[part] & 0xC0) == 0x80) --part; // a character is not cut
        const int length  = MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(part), wide,
                                                static_cast<int>(std::size(wide)));
        DWORD     written = 0;
        if (!WriteConsoleW(terminal, wide, static_cast<DWORD>(length), &written, nullptr)) {
            errno = EIO;
            return false;
        }
        text.remove_prefix(part);
    }
    return true;
}

std::vector<std::string> arguments_of(int, const char* const*) {
    int                      count = 0;
    LPWSTR* const            all   = CommandLineToArgvW(GetCommandLineW(), &count);
    std::vector<std::string> arguments;
    for (int i = 1; i < count; ++i) arguments.push_back(utf8_of(all[i]));
    LocalFree(all);
    return arguments;
}

// Single quotes are none to cmd. In double ones PowerShell replaces what `$` leads, which no name has.
std::string shell_word(const std::string& word) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./\\:=+";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    return '"' + word + '"';
}

} // namespace vkprim::tools::system
