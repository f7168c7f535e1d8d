#include "../open_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#if defined(__linux__)
#include <sys/xattr.h>
#endif
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "../path.h"

namespace vkprim::tools::system {

namespace {

int error_of(bool failed) { return failed ? errno : 0; }

int descriptor_of(const OpenFile& file) { return static_cast<int>(file.handle()); }

Status status_from(const struct stat& from) {
    Status status;
    status.kind = S_ISREG(from.st_mode)   ? Status::Kind::file
                  : S_ISDIR(from.st_mode) ? Status::Kind::folder
                                          : Status::Kind::other;
    status.size = static_cast<uint64_t>(from.st_size);
#if defined(__APPLE__)
    const timespec& at = from.st_mtimespec;
#else
    const timespec& at = from.st_mtim;
#endif
    status.modified = int64_t{at.tv_sec} * 1000000000 + at.tv_nsec;
    return status;
}

/// `call` again, where a signal has interrupted it.
template <class Call>
Moved moved(const Call& call) {
    for (;;) {
        const ssize_t size = call();
        if (size >= 0) return {static_cast<uint64_t>(size), 0};
        if (errno != EINTR) return {0, errno};
    }
}

size_t at_once(uint64_t size) { return static_cast<size_t>(std::min<uint64_t>(size, 1u << 30)); }

/// Leads to an open file, with a name or without.
std::string path_of(const OpenFile& file) { return "/proc/self/fd/" + std::to_string(file.handle()); }

/// Whether it has what a new file would not have. Labels that the system gives to all files are none of it.
bool has_attributes(const std::string& path) {
#if defined(__linux__)
    std::array<char, 4096> names{};
    const ssize_t          size = ::listxattr(path.c_str(), names.data(), names.size());
    if (size < 0) return errno == ERANGE; // more than there is room for, or none on this file system
    for (const char* name = names.data(); name < names.data() + size; name += std::string_view(name).size() + 1) {
        const std::string_view text = name;
        if (text.rfind("user.", 0) == 0 || text == "system.posix_acl_access") return true;
    }
#else
    (void)path;
#endif
    return false;
}

} // namespace

int OpenFile::open_to_read(const std::string& path) {
    handle_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    return error_of(handle_ < 0);
}

int OpenFile::open_to_write(const std::string& path) {
    handle_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return error_of(handle_ < 0);
}

// Not mkstemp(): open() applies the umask, which no thread can ask for without changing it for all.
int OpenFile::create(const std::string& path) {
    handle_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return error_of(handle_ < 0);
}

int OpenFile::create_nameless(const std::string& folder) {
#if defined(O_TMPFILE)
    handle_ = ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0666);
    return error_of(handle_ < 0);
#else
    (void)folder;
    return ENOTSUP;
#endif
}

bool OpenFile::can_have_name() const { return ::access(path_of(*this).c_str(), F_OK) == 0; }

int OpenFile::give_name(const std::string& path) {
    return error_of(::linkat(AT_FDCWD, path_of(*this).c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) != 0);
}

int OpenFile::open_standard(int number) {
    handle_ = ::dup(number);
    return error_of(handle_ < 0);
}

Moved OpenFile::read(void* data, uint64_t size) {
    return moved([&] { return ::read(descriptor_of(*this), data, at_once(size)); });
}
Moved OpenFile::write(const void* data, uint64_t size) {
    return moved([&] { return ::write(descriptor_of(*this), data, at_once(size)); });
}
Moved OpenFile::read_at(uint64_t offset, void* data, uint64_t size) const {
    return moved([&] { return ::pread(descriptor_of(*this), data, at_once(size), static_cast<off_t>(offset)); });
}
Moved OpenFile::write_at(uint64_t offset, const void* data, uint64_t size) const {
    return moved([&] { return ::pwrite(descriptor_of(*this), data, at_once(size), static_cast<off_t>(offset)); });
}

int OpenFile::status(Status& status) const {
    struct stat found = {};
    if (::fstat(descriptor_of(*this), &found) != 0) return errno;
    status = status_from(found);
    return 0;
}

std::optional<uint64_t> OpenFile::position() const {
    const off_t at = ::lseek(descriptor_of(*this), 0, SEEK_CUR);
    if (at < 0) return std::nullopt;
    return static_cast<uint64_t>(at);
}

int OpenFile::resize(uint64_t size) const {
    return error_of(::ftruncate(descriptor_of(*this), static_cast<off_t>(size)) != 0);
}

int OpenFile::reserve(uint64_t size) const {
#if defined(__APPLE__)
    fstore_t wanted = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, static_cast<off_t>(size), 0};
    if (::fcntl(descriptor_of(*this), F_PREALLOCATE, &wanted) == -1) return errno;
    return resize(size);
#else
    return ::posix_fallocate(descriptor_of(*this), 0, static_cast<off_t>(size));
#endif
}

int OpenFile::sync() const { return error_of(::fsync(descriptor_of(*this)) != 0); }

int OpenFile::close() {
    if (handle_ == none) return 0;
    return error_of(::close(static_cast<int>(std::exchange(handle_, none))) != 0);
}

int Mapping::map(const OpenFile& file, uint64_t size) {
    void* const data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor_of(file), 0);
    if (data == MAP_FAILED) return errno;
    ::madvise(data, size, MADV_SEQUENTIAL);
    data_ = static_cast<const uint8_t*>(data);
    size_ = size;
    return 0;
}

void Mapping::release(uint64_t begin, uint64_t size) const {
    const auto     page  = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    const uint64_t first = (begin + page - 1) / page * page,
                   end   = begin + size == size_ ? size_ : (begin + size) / page * page;
    if (first < end) ::madvise(const_cast<uint8_t*>(data_) + first, end - first, MADV_DONTNEED);
}

Mapping::~Mapping() {
    if (data_ != nullptr) ::munmap(const_cast<uint8_t*>(data_), size_);
}

bool is_want_of_room(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }

int status_of(const std::string& path, Status& status) {
    struct stat found = {};
    if (::stat(path.c_str(), &found) != 0) return errno;
    status = status_from(found);
    return 0;
}

int  check_writable(const std::string& path) { return error_of(::access(path.c_str(), W_OK) != 0); }
bool takes_files(const std::string& folder) { return ::access(folder.c_str(), W_OK | X_OK) == 0; }
int  remove_file(const std::string& path) { return error_of(::unlink(path.c_str()) != 0); }
int  rename_over(const std::string& from, const std::string& to) {
     return error_of(::rename(from.c_str(), to.c_str()) != 0);
}

std::string target_of(const std::string& path) {
    std::filesystem::path at = path_of(path);
    for (int links = 0; links < 40; ++links) { // as many as Linux follows
        std::error_code             none;
        const std::filesystem::path next = std::filesystem::read_symlink(at, none);
        if (none) break;
        at = at.parent_path() / next;
    }
    return text_of(at);
}

bool inherit(const OpenFile& fresh, const std::string& path) {
    struct stat old = {}, now = {};
    if (::stat(path.c_str(), &old) != 0 || old.st_nlink > 1 || has_attributes(path)) return false;
    const int descriptor = descriptor_of(fresh);
    if (::fstat(descriptor, &now) != 0) return false;
    const bool same = now.st_uid == old.st_uid && now.st_gid == old.st_gid;
    return (same || ::fchown(descriptor, old.st_uid, old.st_gid) == 0) && ::fchmod(descriptor, old.st_mode & 0777) == 0;
}

int make_private(const OpenFile& file) { return error_of(::fchmod(descriptor_of(file), 0600) != 0); }

} // namespace vkprim::tools::system
