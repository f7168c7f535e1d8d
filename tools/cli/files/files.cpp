#include "files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "file_io.h"

namespace vkprim::tools {

namespace {

const char* advice(int error_number) {
    switch (error_number) {
        case ENOENT: return "check the path";
        case EISDIR: return "name a file in it";
        case ENOTDIR: return "a part of the path is a file";
        case EACCES:
        case EPERM: return "check the permissions";
        case EROFS: return "choose another folder";
        case ENOSPC:
        case EDQUOT:
        case EFBIG: return "make room or choose another folder";
        default: return "choose another file";
    }
}

/// 0, or the error number.
int write_all(int descriptor, Span span) {
    const uint8_t* next = static_cast<const uint8_t*>(span.data);
    uint64_t       left = span.size;
    while (left > 0) {
        const ssize_t written = ::write(descriptor, next, std::min<uint64_t>(left, 1u << 30));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        next += written;
        left -= static_cast<uint64_t>(written);
    }
    return 0;
}

int write_all(int descriptor, std::initializer_list<Span> spans) {
    for (const Span& span : spans) {
        if (const int error = write_all(descriptor, span)) return error;
    }
    return 0;
}

/// What reasons call the place that `path` leads to.
std::string name_of(const std::string& path, const char* standard) { return path == "-" ? standard : path; }

Result<void> write_straight(const std::string& path, std::initializer_list<Span> spans) {
    const bool standard_output = path == "-" || path == "/dev/stdout";
    // Opening /dev/stdout anew would start at offset 0 of a file that stdout goes to, and fails where that is a socket.
    const int descriptor =
        standard_output ? ::dup(STDOUT_FILENO) : ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    const std::string name = name_of(path, "standard output");
    if (descriptor < 0) return system_error(name, "write", errno);
    int error = write_all(descriptor, spans);
    if (::close(descriptor) != 0 && error == 0) error = errno;
    if (error != 0) return system_error(name, "write", error);
    return {};
}

} // namespace

uint64_t Array::count() const { return bytes.size() / element_size(type); }

namespace {

struct NumberRow {
    const char *name, *dtype;
    uint32_t    size; ///< bytes
};

/// By NumberType.
constexpr NumberRow number_rows[] = {{"u8", "u1", 1},   {"u16", "u2", 2}, {"u32", "u4", 4}, {"i32", "i4", 4},
                                     {"f32", "f4", 4},  {"u64", "u8", 8}, {"i64", "i8", 8}, {"f64", "f8", 8},
                                     {"bool", "b1", 1}, {"i8", "i1", 1},  {"i16", "i2", 2}, {"f16", "f2", 2}};

} // namespace

uint32_t    element_size(NumberType type) { return number_rows[static_cast<uint32_t>(type)].size; }
const char* type_name(NumberType type) { return number_rows[static_cast<uint32_t>(type)].name; }
const char* dtype_name(NumberType type) { return number_rows[static_cast<uint32_t>(type)].dtype; }

std::string shape_text(const Shape& shape) {
    std::string text = "(";
    for (size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
    return text + (shape.size() == 1 ? ",)" : ")"); // (3) is a number to Python
}

Error file_error(const std::string& path, const std::string& reason) {
    return {VK_ERROR_UNKNOWN, path + ": " + reason};
}

Error system_error(const std::string& path, const char* verb, int error_number) {
    std::string reason = std::generic_category().message(error_number);
    if (!reason.empty()) reason[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(reason[0])));
    return file_error(path, fmt::format("cannot {}: {}; {}", verb, reason, advice(error_number)));
}

Result<InputFile> InputFile::open(const std::string& path) {
    const bool  standard_input = path == "-";
    std::string name           = name_of(path, "standard input");
    const int descriptor = standard_input ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) return system_error(name, "read", errno);
    InputFile file(std::move(name), descriptor);

    struct stat status = {};
    if (::fstat(descriptor, &status) != 0) return system_error(file.name_, "read", errno);
    if (S_ISDIR(status.st_mode)) return system_error(file.name_, "read", EISDIR);
    // Others may have read a part of standard input. Files in /proc say that they are regular and empty, and are not.
    const off_t begin = S_ISREG(status.st_mode) ? ::lseek(descriptor, 0, SEEK_CUR) : -1;
    if (begin >= 0 && status.st_size > begin) file.size_ = static_cast<uint64_t>(status.st_size - begin);
    return file;
}

InputFile::InputFile(InputFile&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      ahead_(std::move(other.ahead_)) {}

InputFile::~InputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> InputFile::append(std::vector<uint8_t>& bytes, uint64_t limit) {
    const auto     from_ahead = static_cast<std::ptrdiff_t>(std::min<uint64_t>(limit, ahead_.size()));
    const uint64_t end        = bytes.size() + limit;
    bytes.insert(bytes.end(), ahead_.begin(), ahead_.begin() + from_ahead);
    ahead_.erase(ahead_.begin(), ahead_.begin() + from_ahead);

    size_t used = bytes.size();
    while (used < end) {
        // Nobody vouches for `limit` on a pipe, so its memory grows with what really arrives.
        if (used == bytes.size())
            bytes.resize(size_ ? end : std::min<uint64_t>(end, used + std::max(used, size_t(1) << 20)));
        const ssize_t got = ::read(descriptor_, bytes.data() + used, bytes.size() - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return system_error(name_, "read", errno);
        if (got == 0) break;
        used += static_cast<size_t>(got);
    }
    bytes.resize(used);
    return {};
}

Result<std::vector<uint8_t>> InputFile::peek(uint64_t limit) {
    std::vector<uint8_t> bytes;
    if (const Result<void> read = append(bytes, limit); !read) return read.error();
    ahead_.insert(ahead_.begin(), bytes.begin(), bytes.end());
    return bytes;
}

Result<Array> read_raw(InputFile& file, NumberType type) {
    const std::string& name = file.name();
    return report_exceptions(name, [&]() -> Result<Array> {
        const uint32_t element = element_size(type);
        const auto     check   = [&](uint64_t size) -> Result<void> {
            if (size > max_element_count * element) {
                return file_error(name, fmt::format("more than {} elements of type {}; split the file",
                                                          max_element_count, type_name(type)));
            }
            if (size % element == 0) return {};
            return file_error(name, fmt::format("{} bytes are not a whole number of {} elements of {} bytes each; "
                                                            "choose another type or complete the file",
                                                      size, type_name(type), element));
        };

        if (file.size()) {
            if (const Result<void> checked = check(*file.size()); !checked) return checked.error();
        }
        Array        array{type, {}};
        const auto   limit = file.size().value_or(max_element_count * element + 1);
        Result<void> read  = file.append(array.bytes, limit);
        if (!read) return read.error();
        if (const Result<void> checked = check(array.bytes.size()); !checked) return checked.error();
        array.shape = {array.count()};
        return array;
    });
}

Result<Array> read_raw(const std::string& path, NumberType type) {
    Result<InputFile> file = InputFile::open(path);
    return file ? read_raw(*file, type) : file.error();
}

Result<FileKind> detect_kind(InputFile& file) {
    return report_exceptions(file.name(), [&]() -> Result<FileKind> {
        const Result<std::vector<uint8_t>> start = file.peek(12);
        if (!start) return start.error();
        if (starts_like_npy(start->data(), start->size())) return FileKind::npy;
        return picture_format(start->data(), start->size()) != nullptr ? FileKind::image : FileKind::other;
    });
}

Result<void> write_spans(const std::string& path, std::initializer_list<Span> spans) {
    struct stat status = {};
    const bool  exists = ::stat(path.c_str(), &status) == 0;
    if (path == "-" || path == "/dev/stdout" || (exists && !S_ISREG(status.st_mode)))
        return write_straight(path, spans);
    // Renaming needs no permission on the file that it replaces.
    if (exists && ::access(path.c_str(), W_OK) != 0) return system_error(path, "write", errno);

    std::error_code   unresolved;
    const std::string resolved = exists ? std::filesystem::canonical(path, unresolved).string() : path;
    const std::string target   = unresolved ? path : resolved;
    const size_t      name     = target.rfind('/') + 1; // 0 where there is no folder: npos + 1
    const std::string beside = target.substr(0, name) + "." + target.substr(name, 200); // a name has at most 255 bytes
    std::string       temporary;
    int               descriptor = -1;
    // Not mkstemp(): open() applies the umask, which no thread can ask for without changing it for all.
    for (int attempt = 0; descriptor < 0 && attempt < 1000; ++attempt) {
        temporary  = fmt::format("{}.{}.{}", beside, ::getpid(), attempt);
        descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST) break;
    }
    if (descriptor < 0) return system_error(path, "write", errno);

    int error = exists && ::fchmod(descriptor, status.st_mode & 0777) != 0 ? errno : 0;
    if (error == 0) error = write_all(descriptor, spans);
    if (error == 0 && ::fsync(descriptor) != 0) error = errno;
    if (::close(descriptor) != 0 && error == 0) error = errno;
    if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
    if (error == 0) return {};
    ::unlink(temporary.c_str());
    return system_error(path, "write", error);
}

Result<void> write_file(const std::string& path, const void* data, uint64_t size) {
    return report_exceptions(path, [&] { return write_spans(path, {{data, size}}); });
}

} // namespace vkprim::tools
