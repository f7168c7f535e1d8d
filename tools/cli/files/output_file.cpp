#include "output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "file_io.h"

namespace vkprim::tools {

namespace {

/// Where symbolic links lead, whether a file is there or not.
std::string target_of(const std::string& path) {
    std::filesystem::path at = path;
    for (int links = 0; links < 40; ++links) { // as many as Linux follows
        std::error_code             none;
        const std::filesystem::path next = std::filesystem::read_symlink(at, none);
        if (none) break;
        at = at.parent_path() / next;
    }
    return at.string();
}

/// Whether it has what a new file would not have. Labels that the system gives to all files are none of it.
bool has_attributes(const std::string& path) {
    std::array<char, 4096> names{};
    const ssize_t          size = ::listxattr(path.c_str(), names.data(), names.size());
    if (size < 0) return errno == ERANGE; // more than there is room for, or none on this file system
    for (const char* name = names.data(); name < names.data() + size; name += std::string_view(name).size() + 1) {
        const std::string_view text = name;
        if (text.rfind("user.", 0) == 0 || text == "system.posix_acl_access") return true;
    }
    return false;
}

/// Whether the new file that `descriptor` is can stand for `old`; then it has its owner, group and permissions.
bool can_stand_for(int descriptor, const std::string& path, const struct stat& old) {
    struct stat fresh = {};
    if (old.st_nlink > 1 || has_attributes(path) || ::fstat(descriptor, &fresh) != 0) return false;
    const bool same = fresh.st_uid == old.st_uid && fresh.st_gid == old.st_gid;
    return (same || ::fchown(descriptor, old.st_uid, old.st_gid) == 0) && ::fchmod(descriptor, old.st_mode & 0777) == 0;
}

/// Makes the file at `path` what `from` is. It has room for all of it before any of it changes. The value: 0, or the error number.
int copy_into(const std::string& path, int from) {
    struct stat source = {}, target = {};
    const int   to = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (to < 0) return errno;
    int error = ::fstat(from, &source) != 0 || ::fstat(to, &target) != 0 ? errno : 0;
    if (error == 0 && source.st_size > target.st_size) {
        error = ::posix_fallocate(to, 0, source.st_size);
        if (error != 0 && ::ftruncate(to, target.st_size) != 0) error = errno;
    }
    std::vector<uint8_t> buffer(size_t{1} << 20);
    const auto           copy = [&](uint64_t done, uint64_t step) -> ssize_t {
        const auto    at  = static_cast<off_t>(done);
        const ssize_t got = ::pread(from, buffer.data(), std::min<uint64_t>(step, buffer.size()), at);
        return got <= 0 ? got : ::pwrite(to, buffer.data(), static_cast<size_t>(got), at);
    };
    if (error == 0) error = transfer_all(static_cast<uint64_t>(source.st_size), copy);
    if (error == 0 && (::ftruncate(to, source.st_size) != 0 || ::fsync(to) != 0)) error = errno;
    if (::close(to) != 0 && error == 0) error = errno;
    return error;
}

} // namespace

std::optional<int> standard_descriptor(const std::string& path) {
    if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
    if (path == "/dev/stderr") return STDERR_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (path.rfind(folder, 0) != 0) continue;
        const char* const end    = path.data() + path.size();
        int               number = 0;
        const auto        read   = std::from_chars(path.data() + folder.size(), end, number);
        if (read.ec == std::errc() && read.ptr == end) return number;
    }
    return std::nullopt;
}

bool is_stream(const std::string& path) {
    struct stat status = {};
    return standard_descriptor(path) ||
           (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

Result<OutputFile> OutputFile::create(const std::string& path, uint64_t size) {
    return create(path, size, TemporaryFile::Name::later, "");
}

Result<OutputFile> OutputFile::create_shared(const std::string& path, uint64_t size, const std::string& said) {
    return create(path, size, TemporaryFile::Name::now, said);
}

Result<OutputFile> OutputFile::create(const std::string& path, uint64_t size, TemporaryFile::Name name,
                                      const std::string& said) {
    struct stat status = {};
    const bool  exists = ::stat(path.c_str(), &status) == 0;
    if (!exists && (errno != ENOENT || path.empty())) return system_error(path, "write", errno);
    // Renaming needs no permission on the file that it replaces.
    if (exists && ::access(path.c_str(), W_OK) != 0) return system_error(path, "write", errno);
    if (exists && S_ISDIR(status.st_mode)) return system_error(path, "write", EISDIR);

    const std::string    target = target_of(path);
    TemporaryFile::Place place{target, path};
    // The file that is there may be written where no file may be made beside it.
    const bool elsewhere =
        exists && name != TemporaryFile::Name::now && ::access(folder_of(target).c_str(), W_OK | X_OK) != 0;
    if (elsewhere) {
        std::error_code       none;
        std::filesystem::path folder = std::filesystem::temp_directory_path(none);
        if (none) folder = "/tmp"; // TMPDIR leads nowhere
        place = {(folder / "vkprim").string(), path + ", by way of " + folder.string()};
    }
    Result<TemporaryFile> file = TemporaryFile::create(place, size, name, said);
    if (!file) return file.error();
    OutputFile output(path, target, std::move(*file));
    output.in_place_ = exists && (elsewhere || !can_stand_for(output.file_.descriptor(), target, status));
    // What others may not read in the file that is there, they may not read meanwhile.
    if (output.in_place_ && ::fchmod(output.file_.descriptor(), 0600) != 0) return system_error(path, "write", errno);
    return output;
}

int OutputFile::replace() {
    if (::fsync(file_.descriptor()) != 0) return errno;
    if (const int error = file_.take_name()) return error;
    if (::rename(file_.name().c_str(), target_.c_str()) != 0) return errno;
    file_.forget_name();
    return 0;
}

Result<void> OutputFile::commit() {
    int error = in_place_ ? EBUSY : replace();
    // Also where a container's file is mounted alone: nothing can be renamed to it.
    if (error == EBUSY) error = copy_into(target_, file_.descriptor());
    if (error != 0) return system_error(path_, "write", error);
    return {};
}

} // namespace vkprim::tools
