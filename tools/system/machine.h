// The machine and the terminal.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace vkprim::tools::system {

uint64_t physical_memory();       ///< bytes
bool     is_terminal_of_errors(); ///< whether a person sees standard error
void     prepare_terminal();      ///< called once, at the beginning: lines of standard error can be erased

/// Writes UTF-8 to `stream`, which is stdout or stderr, and flushes it. False, with errno, where not all of it was written.
bool write_text(std::FILE* stream, std::string_view text);

/// The program's arguments in UTF-8, without its name.
std::vector<std::string> arguments_of(int argc, const char* const* argv);

/// A word of a command line as people type it, in quotes where the shell would take it for more or less than one word.
std::string shell_word(const std::string& word);

} // namespace vkprim::tools::system
