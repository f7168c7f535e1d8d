#include "files.h"

#include <fmt/format.h>
#include <vkprim/chunks.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <system_error>

#include "file_io.h"
#include "mapped_file.h"
#include "output_file.h"

namespace vkprim::tools {

namespace {

const char* advice(int error_number) {
    switch (error_number) {
        case ENOENT: return "check the path";
        case EISDIR: return "name a file in it";
        case ENOTDIR: return "a part of the path is a file";
        case EACCES:
        case EPERM: return "check the permissions";
        case EBUSY: return "close it where it is open";
        case EROFS: return "choose another folder";
        default:
            return system::is_want_of_room(error_number) ? "make room or choose another folder" : "choose another file";
    }
}

/// 0, or the error number.
int write_all(system::OpenFile& file, std::initializer_list<Span> spans) {
    for (const Span& span : spans) {
        const auto* const data = static_cast<const uint8_t*>(span.data);
        const int         error =
            transfer_all(span.size, [&](uint64_t done, uint64_t step) { return file.write(data + done, step); });
        if (error != 0) return error;
    }
    return 0;
}

/// What reasons call the place that `path` leads to.
std::string name_of(const std::string& path, const char* standard) { return path == "-" ? standard : path; }

Result<void> write_straight(const std::string& path, std::initializer_list<Span> spans) {
    // Opening /dev/stdout anew would start at offset 0 of a file that stdout goes to, and fails where that is a socket.
    const std::optional<int> open_one = standard_descriptor(path);
    const std::string        name     = name_of(path, "standard output");
    system::OpenFile         file;
    int                      error = open_one ? file.open_standard(*open_one) : file.open_to_write(path);
    if (error == 0) error = write_all(file, spans);
    const int closed = file.close();
    if (error == 0) error = closed;
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
    return {ErrorKind::other, path + ": " + reason};
}

Error system_error(const std::string& path, const char* verb, int error_number) {
    // The words for EBUSY differ between systems, and tell nobody what to do.
    std::string reason = error_number == EBUSY ? "in use" : std::generic_category().message(error_number);
    if (!reason.empty()) reason[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(reason[0])));
    return file_error(path, fmt::format("cannot {}: {}; {}", verb, reason, advice(error_number)));
}

Result<InputFile> InputFile::open(const std::string& path) {
    InputFile file(name_of(path, "standard input"));
    const int error = path == "-" ? file.file_.open_standard(0) : file.file_.open_to_read(path);
    if (error != 0) return system_error(file.name_, "read", error);

    system::Status status;
    if (const int unknown = file.file_.status(status)) return system_error(file.name_, "read", unknown);
    if (status.kind == system::Status::Kind::folder) return system_error(file.name_, "read", EISDIR);
    // Others may have read a part of standard input. Files in /proc say that they are regular and empty, and are not.
    const auto begin = status.kind == system::Status::Kind::file ? file.file_.position() : std::nullopt;
    if (begin && status.size > *begin) {
        file.size_  = status.size - *begin;
        file.whole_ = status.size;
    }
    return file;
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
        const system::Moved got = file_.read(bytes.data() + used, bytes.size() - used);
        if (got.error != 0) return system_error(name_, "read", got.error);
        if (got.size == 0) {
            system::Status status;
            if (file_.status(status) == 0 && status.size < whole_) return file_error(name_, cut_reason);
            break;
        }
        used += static_cast<size_t>(got.size);
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

namespace {

/// Whether `size` bytes are whole elements, and at most `most` of them.
Result<void> check_raw_size(const std::string& name, NumberType type, uint64_t size, uint64_t most) {
    const uint32_t element = element_size(type);
    if (size > most * element) {
        return file_error(name, fmt::format("more than {} elements of type {}; split the file", most, type_name(type)));
    }
    if (size % element == 0) return {};
    return file_error(name, fmt::format("{} bytes are not a whole number of {} elements of {} bytes each; "
                                        "choose another type or complete the file",
                                        size, type_name(type), element));
}

} // namespace

Result<Array> read_raw(InputFile& file, NumberType type) {
    const std::string& name = file.name();
    return report_exceptions(name, [&]() -> Result<Array> {
        const uint32_t element = element_size(type);
        const auto     check   = [&](uint64_t size) { return check_raw_size(name, type, size, max_element_count); };

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

Result<std::string> read_text(const std::string& path) {
    return report_exceptions(path, [&]() -> Result<std::string> {
        const Result<Array> file = read_raw(path, NumberType::u8);
        if (!file) return file.error();
        return std::string(file->bytes.begin(), file->bytes.end());
    });
}

uint64_t max_mapped_count(NumberType type) {
    return element_size(type) == 8 ? max_chunked_long_count : max_chunked_count;
}

Result<MappedArray> map_raw(MappedFile file, NumberType type) {
    const uint64_t size = file.size();
    if (const Result<void> checked = check_raw_size(file.name(), type, size, max_mapped_count(type)); !checked)
        return checked.error();
    const uint64_t count = size / element_size(type);
    return MappedArray{std::move(file), type, 0, count, {count}};
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
    if (is_stream(path)) return write_straight(path, spans);
    Result<OutputFile> file = OutputFile::create(path);
    if (!file) return file.error();
    uint64_t at = 0;
    for (const Span& span : spans) {
        if (const Result<void> written = file->write(at, span.data, span.size); !written) return written;
        at += span.size;
    }
    return file->commit();
}

Result<void> write_file(const std::string& path, const void* data, uint64_t size) {
    return report_exceptions(path, [&] { return write_spans(path, {{data, size}}); });
}

} // namespace vkprim::tools
