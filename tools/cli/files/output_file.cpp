#include "output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "file_io.h"

namespace vkprim::tools {

namespace {

/// Paths of files that are being written, each from strdup(). More than these stay where an interrupt ends the program.
std::array<std::atomic<char*>, 8> unfinished;

extern "C" void remove_unfinished(int signal) {
    for (const std::atomic<char*>& one : unfinished) {
        if (const char* const path = one) ::unlink(path);
    }
    ::raise(signal); // for whoever waits for the program; SA_RESETHAND has brought back what ends it
}

void remember(const std::string& path) {
    for (const int signal : {SIGINT, SIGTERM}) {
        struct sigaction before = {}, action = {};
        ::sigaction(signal, nullptr, &before);
        if (before.sa_handler != SIG_DFL) continue; // somebody else's, or this one
        action.sa_handler = remove_unfinished;
        action.sa_flags   = static_cast<int>(SA_RESETHAND);
        ::sigaction(signal, &action, nullptr);
    }
    char* const text = ::strdup(path.c_str());
    for (std::atomic<char*>& one : unfinished) {
        char* none = nullptr;
        if (text != nullptr && one.compare_exchange_strong(none, text)) return;
    }
    ::free(text);
}

void forget(const std::string& path) {
    for (std::atomic<char*>& one : unfinished) {
        char* text = one;
        if (text == nullptr || path != text || !one.compare_exchange_strong(text, nullptr)) continue;
        ::free(text);
        return;
    }
}

/// `transfer` moves up to a number of bytes at an offset, and returns how many. The value: 0, or the error number.
template <class Transfer>
int transfer_all(uint64_t size, const Transfer& transfer) {
    for (uint64_t done = 0; done < size;) {
        const ssize_t moved = transfer(done, std::min<uint64_t>(size - done, 1u << 30));
        if (moved < 0 && errno == EINTR) continue;
        if (moved < 0) return errno;
        if (moved == 0) return EIO; // the file has become shorter
        done += static_cast<uint64_t>(moved);
    }
    return 0;
}

} // namespace

bool is_stream(const std::string& path) {
    struct stat status = {};
    return path == "-" || path == "/dev/stdout" ||
           (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

Result<OutputFile> OutputFile::create(const std::string& path, uint64_t size) {
    struct stat status = {};
    const bool  exists = ::stat(path.c_str(), &status) == 0;
    // Renaming needs no permission on the file that it replaces.
    if (exists && ::access(path.c_str(), W_OK) != 0) return system_error(path, "write", errno);
    if (exists && S_ISDIR(status.st_mode)) return system_error(path, "write", EISDIR);

    OutputFile        file(path);
    std::error_code   unresolved;
    const std::string resolved = exists ? std::filesystem::canonical(path, unresolved).string() : path;
    file.target_               = unresolved ? path : resolved;
    const size_t      name     = file.target_.rfind('/') + 1; // 0 where there is no folder: npos + 1
    const std::string beside =
        file.target_.substr(0, name) + "." + file.target_.substr(name, 200); // a name has at most 255 bytes
    // Not mkstemp(): open() applies the umask, which no thread can ask for without changing it for all.
    for (int attempt = 0; file.descriptor_ < 0 && attempt < 1000; ++attempt) {
        file.temporary_  = fmt::format("{}.{}.{}", beside, ::getpid(), attempt);
        file.descriptor_ = ::open(file.temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file.descriptor_ < 0 && errno != EEXIST) break;
    }
    if (file.descriptor_ < 0) return system_error(path, "write", errno);
    remember(file.temporary_);

    int error = exists && ::fchmod(file.descriptor_, status.st_mode & 0777) != 0 ? errno : 0;
    if (error == 0 && size > 0) error = ::posix_fallocate(file.descriptor_, 0, static_cast<off_t>(size));
    if (error != 0) return system_error(path, "write", error);
    return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

OutputFile::~OutputFile() {
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
    forget(temporary_);
}

Result<void> OutputFile::write(uint64_t offset, const void* data, uint64_t size) const {
    const int error = transfer_all(size, [&](uint64_t done, uint64_t step) {
        return ::pwrite(descriptor_, static_cast<const uint8_t*>(data) + done, step, static_cast<off_t>(offset + done));
    });
    if (error != 0) return system_error(path_, "write", error);
    return {};
}

Result<void> OutputFile::read(uint64_t offset, void* data, uint64_t size) const {
    const int error = transfer_all(size, [&](uint64_t done, uint64_t step) {
        return ::pread(descriptor_, static_cast<uint8_t*>(data) + done, step, static_cast<off_t>(offset + done));
    });
    if (error != 0) return system_error(path_, "read", error);
    return {};
}

Result<void> OutputFile::commit() {
    const int descriptor = std::exchange(descriptor_, -1);
    int       error      = ::fsync(descriptor) != 0 ? errno : 0;
    if (::close(descriptor) != 0 && error == 0) error = errno;
    if (error == 0 && ::rename(temporary_.c_str(), target_.c_str()) != 0) error = errno;
    if (error != 0) ::unlink(temporary_.c_str());
    forget(temporary_);
    if (error != 0) return system_error(path_, "write", error);
    return {};
}

} // namespace vkprim::tools
