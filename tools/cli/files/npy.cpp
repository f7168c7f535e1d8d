// The .npy format, as numpy's documentation specifies it (numpy.lib.format): a magic number, a version, the length of
// the header, the header, which is a Python dict as text, and the elements.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "file_io.h"
#include "files.h"
#include "mapped_file.h"
#include "npy_header.h"

namespace vkprim::tools {

namespace {

constexpr std::string_view magic           = "\x93NUMPY";
constexpr uint64_t         max_header_size = 1u << 20; ///< far beyond any that numpy writes for one plain dtype

/// Where the header's text lies.
struct Preamble {
    uint64_t begin = 0; ///< bytes from the file's beginning
    uint64_t end   = 0;
};

/// Reads the first `size` bytes of a file, of which 12 are enough.
Result<Preamble> parse_preamble(const uint8_t* data, size_t size, const std::string& name) {
    const auto truncated = [&] {
        return file_error(name, "truncated inside the .npy header; copy the file again or save the array again");
    };
    if (size == 0) return file_error(name, "is empty, not a .npy file; save the array with numpy.save");
    const size_t compared = std::min(size, magic.size());
    if (std::memcmp(data, magic.data(), compared) != 0) {
        if (starts_like_npy(data, size)) {
            return file_error(name, "is a .npz archive, not a .npy file; unpack it, or save one array with numpy.save");
        }
        return file_error(name, "is not a .npy file; save the array with numpy.save, or read it as raw elements");
    }
    if (size < 8) return truncated();
    const unsigned major = data[6], minor = data[7];
    if (major < 1 || major > 3 || minor != 0) {
        return file_error(name,
                          fmt::format("has version {}.{} of the .npy format, but only 1.0, 2.0 and 3.0 are supported; "
                                      "save the array again with numpy.save",
                                      major, minor));
    }
    const size_t begin = major == 1 ? 10 : 12;
    if (size < begin) return truncated();
    uint64_t length = 0;
    for (size_t i = 8; i < begin; ++i) length |= uint64_t(data[i]) << 8 * (i - 8);
    if (length > max_header_size) {
        return file_error(
            name, fmt::format("says that its .npy header has {} bytes, but at most {} are supported; the file is "
                              "damaged, save the array again",
                              length, max_header_size));
    }
    return Preamble{begin, begin + length};
}

uint64_t max_read_count(NumberType) { return max_element_count; }

/// The header, from a file's first `size` bytes.
Result<NpyHeader> parse_head(const uint8_t* data, size_t size, const std::string& name,
                             uint64_t (*most_of)(NumberType type) = max_read_count) {
    const Result<Preamble> preamble = parse_preamble(data, size, name);
    if (!preamble) return preamble.error();
    if (preamble->end > size) {
        return file_error(name,
                          fmt::format("truncated: the .npy header ends at byte {}, but the file has only {}; copy the "
                                      "file again or save the array again",
                                      preamble->end, size));
    }
    const std::string_view text(reinterpret_cast<const char*>(data) + preamble->begin, preamble->end - preamble->begin);
    return parse_npy_header(text, name, most_of);
}

/// `available` is how many bytes follow the header; `more_follow` where some were left uncounted.
Result<void> check_data_size(const NpyHeader& header, uint64_t available, bool more_follow, const std::string& name) {
    const std::string what = fmt::format("shape {} of {} needs {} bytes of data", header.shape_text,
                                         type_name(header.type), header.data_size());
    if (available < header.data_size()) {
        return file_error(
            name, fmt::format("truncated: {}, but the file has {}; copy the file again or save the array again", what,
                              available));
    }
    if (available > header.data_size() || more_follow) {
        return file_error(
            name, fmt::format("mislabelled: {}, but the file has {}; save the array again with numpy.save", what,
                              more_follow ? "more" : std::to_string(available)));
    }
    return {};
}

} // namespace

bool starts_like_npy(const uint8_t* data, size_t size) {
    const std::string_view start(reinterpret_cast<const char*>(data), size);
    return start.substr(0, magic.size()) == magic || start.substr(0, 4) == "PK\x03\x04";
}

Result<Array> parse_npy(const uint8_t* data, size_t size, const std::string& name) {
    return report_exceptions(name, [&]() -> Result<Array> {
        const Result<NpyHeader> header = parse_head(data, size, name);
        if (!header) return header.error();
        const uint64_t begin = parse_preamble(data, size, name)->end;
        if (const Result<void> checked = check_data_size(*header, size - begin, false, name); !checked)
            return checked.error();
        return Array{header->type, std::vector<uint8_t>(data + begin, data + size), header->shape,
                     header->fortran_order};
    });
}

Result<Array> read_npy(InputFile& file) {
    const std::string& name = file.name();
    return report_exceptions(name, [&]() -> Result<Array> {
        std::vector<uint8_t> head;
        if (const Result<void> read = file.append(head, 12); !read) return read.error();
        const Result<Preamble> preamble = parse_preamble(head.data(), head.size(), name);
        if (!preamble) return preamble.error();
        // A header that ends before byte 12 is too short to be valid, so parse_head() fails before the data is looked
        // at.
        if (preamble->end > head.size()) {
            if (const Result<void> read = file.append(head, preamble->end - head.size()); !read) return read.error();
        }
        const Result<NpyHeader> header = parse_head(head.data(), head.size(), name);
        if (!header) return header.error();

        if (file.size()) { // before any memory is taken for it
            const uint64_t     available = *file.size() - std::min<uint64_t>(*file.size(), head.size());
            const Result<void> checked   = check_data_size(*header, available, false, name);
            if (!checked) return checked.error();
        }
        Array                array{header->type, {}, header->shape, header->fortran_order};
        std::vector<uint8_t> rest;
        if (const Result<void> read = file.append(array.bytes, header->data_size()); !read) return read.error();
        if (const Result<void> read = file.append(rest, 1); !read) return read.error();
        const Result<void> checked = check_data_size(*header, array.bytes.size(), !rest.empty(), name);
        if (!checked) return checked.error();
        return array;
    });
}

Result<Array> read_npy(const std::string& path) {
    Result<InputFile> file = InputFile::open(path);
    return file ? read_npy(*file) : file.error();
}

Result<MappedArray> map_npy(MappedFile file) {
    const std::string name = file.name();
    return report_exceptions(name, [&]() -> Result<MappedArray> {
        const Result<NpyHeader> header = parse_head(file.data(), file.size(), name, max_mapped_count);
        if (!header) return header.error();
        const uint64_t     begin   = parse_preamble(file.data(), file.size(), name)->end;
        const Result<void> checked = check_data_size(*header, file.size() - begin, false, name);
        if (!checked) return checked.error();
        return MappedArray{std::move(file), header->type, begin, header->count, header->shape, header->fortran_order};
    });
}

std::string npy_head(NumberType type, const Shape& shape) {
    const char  order  = element_size(type) == 1 ? '|' : '<';
    std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': {}, }}", order,
                                     dtype_name(type), shape_text(shape));

    constexpr size_t alignment = 64, preamble = 10;
    while ((preamble + header.size() + 1) % alignment != 0) header += ' ';
    header += '\n';
    std::string head(magic);
    head += {'\1', '\0', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
    return head + header;
}

Result<void> write_npy(const std::string& path, NumberType type, const void* data, const Shape& shape) {
    return report_exceptions(path, [&] {
        const std::string head = npy_head(type, shape);
        uint64_t          size = element_size(type);
        for (const uint64_t n : shape) size *= n;
        return write_spans(path, {{head.data(), head.size()}, {data, size}});
    });
}

Result<void> write_npy(const std::string& path, NumberType type, const void* data, uint64_t count) {
    return write_npy(path, type, data, Shape{count});
}

} // namespace vkprim::tools
