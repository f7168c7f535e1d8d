#include "temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <utility>

#include "file_io.h"

namespace vkprim::tools {

namespace {

/// Hidden, and of nobody else: even on another machine that writes the same file.
std::string name_beside(const std::string& path) {
    std::random_device random;
    const size_t       begin = path.rfind('/') + 1; // npos + 1 is 0
    // A name has at most 255 bytes.
    return fmt::format("{}.{}.{:08x}{:08x}", folder_of(path), path.substr(begin, 200), random(), random());
}

/// Leads to an open file, with a name or without.
std::string path_of(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

} // namespace

std::string folder_of(const std::string& path) {
    return path.find('/') == std::string::npos ? "./" : path.substr(0, path.rfind('/') + 1);
}

int TemporaryFile::open(Name name, const std::string& said) {
    if (name != Name::now) {
        descriptor_ = ::open(folder_of(place_.beside).c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0666);
        if (descriptor_ >= 0 && (name == Name::never || ::access(path_of(descriptor_).c_str(), F_OK) == 0)) return 0;
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    // Not mkstemp(): open() applies the umask, which no thread can ask for without changing it for all.
    name_ = name_beside(place_.beside);
    unfinished_.emplace(name_, said);
    descriptor_ = ::open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
        const int error = errno;
        forget_name();
        return error;
    }
    if (name == Name::never) {
        ::unlink(name_.c_str());
        forget_name();
    }
    return 0;
}

Result<TemporaryFile> TemporaryFile::create(const Place& place, uint64_t size, Name name, const std::string& said) {
    TemporaryFile file(place);
    int           error = file.open(name, said);
    if (error == 0 && size > 0) error = ::posix_fallocate(file.descriptor_, 0, static_cast<off_t>(size));
    if (error != 0) return system_error(place.called, "write", error);
    return file;
}

int TemporaryFile::take_name() {
    if (!name_.empty()) return 0;
    name_ = name_beside(place_.beside);
    unfinished_.emplace(name_);
    if (::linkat(AT_FDCWD, path_of(descriptor_).c_str(), AT_FDCWD, name_.c_str(), AT_SYMLINK_FOLLOW) == 0) return 0;
    const int error = errno;
    forget_name();
    return error;
}

void TemporaryFile::forget_name() {
    unfinished_.reset();
    name_.clear();
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : place_(std::move(other.place_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      name_(std::exchange(other.name_, "")),
      unfinished_(std::move(other.unfinished_)) {}

TemporaryFile::~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!name_.empty()) ::unlink(name_.c_str());
}

Result<void> TemporaryFile::write(uint64_t offset, const void* data, uint64_t size) const {
    const int error = transfer_all(size, [&](uint64_t done, uint64_t step) {
        return ::pwrite(descriptor_, static_cast<const uint8_t*>(data) + done, step, static_cast<off_t>(offset + done));
    });
    if (error != 0) return system_error(place_.called, "write", error);
    return {};
}

Result<void> TemporaryFile::read(uint64_t offset, void* data, uint64_t size) const {
    const int error = transfer_all(size, [&](uint64_t done, uint64_t step) {
        return ::pread(descriptor_, static_cast<uint8_t*>(data) + done, step, static_cast<off_t>(offset + done));
    });
    if (error != 0) return system_error(place_.called, "read", error);
    return {};
}

} // namespace vkprim::tools
