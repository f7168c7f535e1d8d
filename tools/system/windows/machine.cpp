#include "../machine.h"

#include <cstdlib>
#include <string_view>

#include "terminal.h"
#include "wide.h"

#include <shellapi.h> // after windows.h

namespace vkprim::tools::system {

namespace {

UINT code_page_before = 0; ///< the console's, which others have after this program

} // namespace

uint64_t physical_memory() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : 0;
}

bool is_terminal_of_errors() {
    DWORD mode = 0;
    return GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode) != 0;
}

void restore_terminal() {
    if (code_page_before != 0) SetConsoleOutputCP(code_page_before);
}

void prepare_terminal() {
    code_page_before = GetConsoleOutputCP();
    std::atexit(restore_terminal);
    SetConsoleOutputCP(CP_UTF8);
    DWORD        mode     = 0;
    const HANDLE terminal = GetStdHandle(STD_ERROR_HANDLE);
    if (GetConsoleMode(terminal, &mode)) SetConsoleMode(terminal, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
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
