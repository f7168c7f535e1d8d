// An open file. What differs between systems is in posix/ and windows/, of which a build has one.
//
// Paths are UTF-8 everywhere. Errors are errno's numbers everywhere: 0 is none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace vkprim::tools::system {

/// What a path leads to, symbolic links followed.
struct Status {
    enum class Kind { file, folder, other }; ///< other: pipes, devices, sockets

    Kind     kind     = Kind::other;
    uint64_t size     = 0;
    int64_t  modified = 0; ///< of the time when it was written to last, in the system's own units
};

/// The value of a call that moves bytes: how many, or an error.
struct Moved {
    uint64_t size  = 0;
    int      error = 0;
};

/// Owns it: the destructor closes it.
class OpenFile {
public:
    static constexpr intptr_t none = -1;

    int open_to_read(const std::string& path);
    int open_to_write(const std::string& path); ///< a file that is there

    /// A new file to read and write; EEXIST if there is one of that name.
    int create(const std::string& path);

    /// The same without a name; ENOTSUP where the system or the file system has none such. Its content is gone when it is closed.
    int create_nameless(const std::string& folder);

    /// Whether give_name() can work for it.
    bool can_have_name() const;
    int  give_name(const std::string& path);

    /// A standard stream's file: 0, 1 or 2; or another number, where the program was started with such a file.
    int open_standard(int number);

    Moved read(void* data, uint64_t size);        ///< from where it stands; size 0 at the end
    Moved write(const void* data, uint64_t size); ///< likewise
    Moved read_at(uint64_t offset, void* data, uint64_t size) const;
    Moved write_at(uint64_t offset, const void* data, uint64_t size) const;

    int                     status(Status& status) const;
    std::optional<uint64_t> position() const; ///< nothing where there is none, as in pipes
    int                     resize(uint64_t size) const;
    int                     reserve(uint64_t size) const; ///< makes it that large, with room for it on the disk
    int                     sync() const;
    int                     close(); ///< an error of this call is one of an earlier write

    bool     is_open() const { return handle_ != none; }
    intptr_t handle() const { return handle_; }

    OpenFile() = default;
    OpenFile(OpenFile&& other) noexcept : handle_(std::exchange(other.handle_, none)) {}
    OpenFile& operator=(OpenFile&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~OpenFile() { close(); }

private:
    intptr_t handle_ = none;
};

/// A file's bytes in memory, to read. Unmapped by the destructor.
class Mapping {
public:
    int map(const OpenFile& file, uint64_t size);

    const uint8_t* data() const { return data_; }

    /// These bytes are not needed soon. Pages of which others may need a part stay.
    void release(uint64_t begin, uint64_t size) const;

    Mapping() = default;
    Mapping(Mapping&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Mapping& operator=(Mapping&&) = delete;
    ~Mapping();

private:
    const uint8_t* data_ = nullptr;
    uint64_t       size_ = 0;
};

bool is_want_of_room(int error); ///< on the disk, or of what a user may have there

int  status_of(const std::string& path, Status& status);
int  check_writable(const std::string& path); ///< 0, or why a file that is there cannot be written
bool takes_files(const std::string& folder);  ///< whether files may be made there
int  remove_file(const std::string& path);
int  rename_over(const std::string& from, const std::string& to); ///< in one step; EBUSY where the target is in use

/// Where symbolic links lead, whether a file is there or not. On Windows, a link to no file leads to itself.
std::string target_of(const std::string& path);

/// Whether the new file can stand for the one at `path`: then it has its owner and permissions. Not if that one has other names or
/// attributes that a new file would not have.
bool inherit(const OpenFile& fresh, const std::string& path);

/// Nobody else may read it.
int make_private(const OpenFile& file);

} // namespace vkprim::tools::system
