// A file that appears only when it is complete.
#pragma once

#include <cstdint>
#include <string>

#include "files.h"
#include "temporary_file.h"

namespace vkprim::tools {

/// A file that is written without a name, and takes its path's place in commit(). Without commit(), nothing of it is left.
///
/// A symbolic link is followed, also where it leads to no file yet. A file that exists keeps its owner, group and permissions. Where a new
/// file could not have these, or has other names or attributes (hard links, access control lists), or where its folder takes no new file,
/// commit() copies the content into the file that is there: only this may be interrupted halfway.
class OutputFile {
public:
    /// Of `size` bytes, as TemporaryFile has it. `path` is no file yet, or a regular one.
    static Result<OutputFile> create(const std::string& path, uint64_t size = 0);

    /// One that other processes write, too: at temporary(), until commit(). `said`: as Unfinished has it.
    static Result<OutputFile> create_shared(const std::string& path, uint64_t size, const std::string& said);

    /// From `offset` bytes on. Several threads may write to different places, and read what they wrote.
    Result<void> write(uint64_t offset, const void* data, uint64_t size) const {
        return file_.write(offset, data, size);
    }
    Result<void> read(uint64_t offset, void* data, uint64_t size) const { return file_.read(offset, data, size); }

    const std::string& temporary() const { return file_.name(); }

    /// Another file for a while, on the same disk.
    Result<TemporaryFile> create_beside(uint64_t size) const { return TemporaryFile::create(file_.place(), size); }

    /// To be called once, at the end.
    Result<void> commit();

private:
    OutputFile(std::string path, std::string target, TemporaryFile file)
        : path_(std::move(path)), target_(std::move(target)), file_(std::move(file)) {}

    static Result<OutputFile> create(const std::string& path, uint64_t size, TemporaryFile::Name name,
                                     const std::string& said);

    int replace();

    std::string   path_;   ///< for reasons
    std::string   target_; ///< where that leads
    TemporaryFile file_;
    bool          in_place_ = false; ///< into the file that is there
};

/// Whether a path leads to what is no file that could be replaced: "-", a pipe, a device, a file that the program was started with.
bool is_stream(const std::string& path);

/// The number of the open file that a path stands for: "-", "/dev/stdout", "/dev/fd/3".
std::optional<int> standard_descriptor(const std::string& path);

} // namespace vkprim::tools
