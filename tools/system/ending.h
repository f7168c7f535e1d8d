// What is done where a signal ends the program: files that are not complete are removed, and a mapped file that has been cut is named. All
// that handlers of signals read lies in static memory, which is never freed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace vkprim::tools {

/// Called once, at the beginning. `name` begins the lines on standard error; "vkprim" without a call. Writing beyond a limit on the size of
/// files fails from here on, and does not end the program.
void begin_program(const std::string& name);

/// A path that is removed where a signal ends the program while this lives. Of more than 32, the others stay.
class Unfinished {
public:
    /// `said` goes to standard error where this process has removed the path: of several that remember it, one says so.
    explicit Unfinished(const std::string& path, const std::string& said = "");
    Unfinished(Unfinished&& other) noexcept;
    Unfinished& operator=(Unfinished&&) = delete;
    ~Unfinished();

private:
    int slot_;
};

/// Memory into which a file is mapped; `file` is OpenFile::handle(). While this lives, whoever touches a part that the file no longer has ends the program
/// with exit_usage and a sentence that names the file.
class WatchedRange {
public:
    WatchedRange(const void* begin, uint64_t size, intptr_t file, const std::string& name);
    WatchedRange(WatchedRange&& other) noexcept;
    WatchedRange& operator=(WatchedRange&&) = delete;
    ~WatchedRange();

private:
    int slot_;
};

/// What is said of a file that became shorter while it was read.
inline constexpr const char* cut_reason =
    "has become shorter while it was read; run it again when nothing writes to it";

} // namespace vkprim::tools
