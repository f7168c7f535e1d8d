// A file that appears only when it is complete.
#pragma once

#include <cstdint>
#include <string>

#include "files.h"

namespace vkprim::tools {

/// A file that is written beside its path, and renamed to it by commit(). Without commit(), the destructor removes it, and so does an
/// interrupt (SIGINT, SIGTERM) that ends the program.
class OutputFile {
public:
    /// Of `size` bytes, for which there is room on the disk from here on; or 0, for any size without that promise. `path` is no file yet,
    /// or a regular one, which keeps its permissions; a symbolic link is followed.
    static Result<OutputFile> create(const std::string& path, uint64_t size = 0);

    /// From `offset` bytes on. Several threads may write to different places, and read what they wrote.
    Result<void> write(uint64_t offset, const void* data, uint64_t size) const;
    Result<void> read(uint64_t offset, void* data, uint64_t size) const;

    /// Where it lies until commit(), for other processes that write it, too.
    const std::string& temporary() const { return temporary_; }

    /// To be called once, at the end.
    Result<void> commit();

    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();

private:
    explicit OutputFile(std::string path) : path_(std::move(path)) {}

    std::string path_;            ///< for reasons
    std::string target_;          ///< where that leads
    std::string temporary_;       ///< beside it
    int         descriptor_ = -1; ///< -1 after commit()
};

/// Whether a path leads to what is no file that could be replaced: "-", a pipe, a device.
bool is_stream(const std::string& path);

} // namespace vkprim::tools
