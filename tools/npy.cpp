// The .npy format, as numpy's documentation specifies it (numpy.lib.format): a magic number, a version, the length of
// the header, the header, which is a Python dict as text, and the elements.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "file_io.h"
#include "files.h"

namespace vkprim::tools {

namespace {

constexpr std::string_view magic           = "\x93NUMPY";
constexpr uint64_t         max_header_size = 1u << 20; ///< far beyond any that numpy writes for one plain dtype

/// Untrusted text for a one-line reason: short, and without control characters.
std::string printable(std::string_view text) {
    std::string out;
    for (const char c : text.substr(0, 60)) out += c >= ' ' && c <= '~' ? c : '?';
    return text.size() > 60 ? out + "..." : out;
}

/// The pieces of a Python literal, one after the other. Each call skips white space, then takes what it is asked for or
/// leaves the text as it was.
class Tokens {
public:
    explicit Tokens(std::string_view text) : text_(text) {}

    size_t position() {
        while (position_ < text_.size() && std::strchr(" \t\r\n\f", text_[position_]) && text_[position_]) ++position_;
        return position_;
    }
    bool at_end() { return position() == text_.size(); }
    bool next_is(char c) { return !at_end() && text_[position_] == c; }
    bool take(char c) {
        if (!next_is(c)) return false;
        ++position_;
        return true;
    }
    bool take(std::string_view word) {
        if (text_.substr(position(), word.size()) != word) return false;
        position_ += word.size();
        return true;
    }

    /// A quoted string. Escapes are no string here: numpy writes them only into names of fields.
    std::optional<std::string_view> string() {
        if (!next_is('\'') && !next_is('"')) return std::nullopt;
        const size_t begin = position_ + 1;
        const size_t end   = text_.find(text_[position_], begin);
        if (end == std::string_view::npos) return std::nullopt;
        const std::string_view content = text_.substr(begin, end - begin);
        if (content.find_first_of("\\\n\r") != std::string_view::npos) return std::nullopt;
        position_ = end + 1;
        return content;
    }

    /// A whole number; the largest uint64_t stands for all that are larger.
    std::optional<uint64_t> number() {
        size_t   end   = position();
        uint64_t value = 0;
        for (; end < text_.size() && text_[end] >= '0' && text_[end] <= '9'; ++end) {
            const uint64_t digit = static_cast<uint64_t>(text_[end] - '0');
            value                = value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : value * 10 + digit;
        }
        const bool leading_zero = end > position_ + 1 && text_[position_] == '0';
        if (end == position_ || leading_zero) return std::nullopt;
        position_ = end;
        if (position_ < text_.size() && text_[position_] == 'L') ++position_; // written by Python 2
        return value;
    }

    std::string_view since(size_t begin) const { return text_.substr(begin, position_ - begin); }

private:
    std::string_view text_;
    size_t           position_ = 0;
};

struct Header {
    NumberType  type  = NumberType::u8;
    uint64_t    count = 0;
    std::string shape; ///< as written, for reasons

    uint64_t data_size() const { return count * element_size(type); }
};

Result<NumberType> parse_descr(std::string_view descr, const std::string& name) {
    const auto refuse = [&](std::string_view what, std::string_view todo) {
        return file_error(
            name, fmt::format("holds {} ('{}'), but only u1, u2, u4, u8, i4, i8, f4 and f8 are supported; {}", what,
                              printable(descr), todo));
    };
    const bool has_order         = !descr.empty() && std::string_view("<>=|").find(descr[0]) != std::string_view::npos;
    const std::string_view plain = descr.substr(has_order ? 1 : 0);

    for (const NumberType type : number_types) {
        if (plain != dtype_name(type)) continue;
        if (descr[0] == '>' && element_size(type) > 1) {
            return file_error(name,
                              fmt::format("is big-endian ('{}'), but only little-endian is supported; convert it in "
                                          "numpy with .astype('<{}')",
                                          descr, plain));
        }
        return type;
    }

    const std::string_view to_float = "convert it in numpy with .astype('<f4')";
    switch (plain.empty() ? '\0' : plain[0]) {
        case 'f': return refuse("floats of another size", to_float);
        case 'i':
            return refuse("signed integers of another size", "convert it in numpy with .astype('<i4') if all fit");
        case 'u':
            return refuse("unsigned integers of another size", "convert it in numpy with .astype('<u4') if all fit");
        case 'b':
        case '?': return refuse("booleans", "convert it in numpy with .astype('u1')");
        case 'c':
            return refuse("complex numbers", "convert it in numpy with .real.astype('<f4') or .imag.astype('<f4')");
        case 'S':
        case 'a':
        case 'U': return refuse("strings", "if they are numbers convert it in numpy with .astype('<f4')");
        case 'O': return refuse("Python objects", "if they are numbers convert it in numpy with .astype('<f4')");
        case 'M':
        case 'm': return refuse("times", "convert it in numpy with .astype('<i8').astype('<f4')");
        case 'V': return refuse("raw records", "save one field in numpy, for example with a['field'].astype('<f4')");
        default: return refuse("an unknown type", to_float);
    }
}

/// How many elements a shape has; `fortran_order` must make no difference to their order.
Result<uint64_t> element_count(const std::vector<uint64_t>& shape, bool fortran_order, const std::string& in_file) {
    if (std::count(shape.begin(), shape.end(), 0u) > 0) return uint64_t(0);
    if (fortran_order && std::count_if(shape.begin(), shape.end(), [](uint64_t n) { return n > 1; }) > 1) {
        return Error{
            VK_ERROR_UNKNOWN,
            in_file + " is in Fortran order, but only C order is supported; save numpy.ascontiguousarray(a) instead"};
    }
    uint64_t count = 1;
    for (const uint64_t n : shape) {
        if (count > UINT64_MAX / n || n == UINT64_MAX) {
            return Error{
                VK_ERROR_UNKNOWN,
                in_file + " has more elements than 64 bits can count; the header is damaged, save the array again"};
        }
        count *= n;
    }
    if (count > max_element_count) {
        return Error{VK_ERROR_UNKNOWN, fmt::format("{} has {} elements, but at most {} are supported; split the array",
                                                   in_file, count, max_element_count)};
    }
    return count;
}

/// The header's text, without what is before it.
Result<Header> parse_header(std::string_view text, const std::string& name) {
    Tokens     tokens(text);
    const auto invalid = [&](std::string_view what) {
        return file_error(
            name, fmt::format("invalid .npy header: {} at its byte {}; save the array again with numpy.save", what,
                              tokens.position()));
    };
    std::optional<std::string_view>      descr;
    std::optional<bool>                  fortran_order;
    std::optional<std::vector<uint64_t>> shape;
    std::string                          shape_text;

    if (!tokens.take('{')) return invalid("expected a dict, '{',");
    while (!tokens.take('}')) {
        const std::optional<std::string_view> key = tokens.string();
        if (!key) return invalid("expected a key in quotes");
        if (!tokens.take(':')) return invalid("expected ':'");

        if (*key == "descr" && !descr) {
            if (tokens.next_is('[') || tokens.next_is('(')) {
                return file_error(name,
                                  "has a structured dtype, but only u1, u2, u4, u8, i4, i8, f4 and f8 are supported; "
                                  "save one field in "
                                  "numpy, for example with a['field'].astype('<f4')");
            }
            descr = tokens.string();
            if (!descr) return invalid("expected a string as 'descr'");
        } else if (*key == "fortran_order" && !fortran_order) {
            fortran_order = tokens.take("True");
            if (!*fortran_order && !tokens.take("False")) return invalid("expected True or False as 'fortran_order'");
        } else if (*key == "shape" && !shape) {
            const size_t begin = tokens.position();
            shape.emplace();
            if (!tokens.take('(')) return invalid("expected a tuple, '(', as 'shape'");
            while (!tokens.take(')')) {
                if (tokens.next_is('-')) return invalid("expected no negative number in 'shape'");
                const std::optional<uint64_t> n = tokens.number();
                if (!n) return invalid("expected a whole number in 'shape'");
                shape->push_back(*n);
                // (3) is a number to Python; a tuple of one is (3,)
                const bool comma = tokens.take(',');
                if (!comma && (shape->size() == 1 || !tokens.next_is(')'))) return invalid("expected ',' in 'shape'");
            }
            shape_text = printable(tokens.since(begin));
        } else {
            return invalid(fmt::format("expected 'descr', 'fortran_order' and 'shape', each once, but found '{}'",
                                       printable(*key)));
        }
        if (!tokens.take(',') && !tokens.next_is('}')) return invalid("expected ',' or '}'");
    }
    if (!tokens.at_end()) return invalid("expected nothing after the dict");
    if (!descr) return invalid("'descr' is missing");
    if (!fortran_order) return invalid("'fortran_order' is missing");
    if (!shape) return invalid("'shape' is missing");

    const Result<NumberType> type = parse_descr(*descr, name);
    if (!type) return type.error();
    const Result<uint64_t> count =
        element_count(*shape, *fortran_order, fmt::format("{}: the array of shape {}", name, shape_text));
    if (!count) return count.error();
    return Header{*type, *count, shape_text};
}

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

/// The header, from a file's first `size` bytes.
Result<Header> parse_head(const uint8_t* data, size_t size, const std::string& name) {
    const Result<Preamble> preamble = parse_preamble(data, size, name);
    if (!preamble) return preamble.error();
    if (preamble->end > size) {
        return file_error(name,
                          fmt::format("truncated: the .npy header ends at byte {}, but the file has only {}; copy the "
                                      "file again or save the array again",
                                      preamble->end, size));
    }
    const std::string_view text(reinterpret_cast<const char*>(data) + preamble->begin, preamble->end - preamble->begin);
    return parse_header(text, name);
}

/// `available` is how many bytes follow the header; `more_follow` where some were left uncounted.
Result<void> check_data_size(const Header& header, uint64_t available, bool more_follow, const std::string& name) {
    const std::string what =
        fmt::format("shape {} of {} needs {} bytes of data", header.shape, type_name(header.type), header.data_size());
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
        const Result<Header> header = parse_head(data, size, name);
        if (!header) return header.error();
        const uint64_t begin = parse_preamble(data, size, name)->end;
        if (const Result<void> checked = check_data_size(*header, size - begin, false, name); !checked)
            return checked.error();
        return Array{header->type, std::vector<uint8_t>(data + begin, data + size)};
    });
}

Result<Array> read_npy(const std::string& path) {
    return report_exceptions(path, [&]() -> Result<Array> {
        Result<InputFile> file = InputFile::open(path);
        if (!file) return file.error();
        std::vector<uint8_t> head;
        if (const Result<void> read = file->append(head, 12); !read) return read.error();
        const Result<Preamble> preamble = parse_preamble(head.data(), head.size(), path);
        if (!preamble) return preamble.error();
        // A header that ends before byte 12 is too short to be valid, so parse_head() fails before the data is looked
        // at.
        if (preamble->end > head.size()) {
            if (const Result<void> read = file->append(head, preamble->end - head.size()); !read) return read.error();
        }
        const Result<Header> header = parse_head(head.data(), head.size(), path);
        if (!header) return header.error();

        if (file->size()) { // before any memory is taken for it
            const uint64_t     available = *file->size() - std::min<uint64_t>(*file->size(), head.size());
            const Result<void> checked   = check_data_size(*header, available, false, path);
            if (!checked) return checked.error();
        }
        Array                array{header->type, {}};
        std::vector<uint8_t> rest;
        if (const Result<void> read = file->append(array.bytes, header->data_size()); !read) return read.error();
        if (const Result<void> read = file->append(rest, 1); !read) return read.error();
        const Result<void> checked = check_data_size(*header, array.bytes.size(), !rest.empty(), path);
        if (!checked) return checked.error();
        return array;
    });
}

Result<void> write_npy(const std::string& path, NumberType type, const void* data, uint64_t count) {
    return report_exceptions(path, [&] {
        const char  order  = element_size(type) == 1 ? '|' : '<';
        std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({},), }}", order,
                                         dtype_name(type), count);

        constexpr size_t alignment = 64, preamble = 10;
        while ((preamble + header.size() + 1) % alignment != 0) header += ' ';
        header += '\n';
        std::string head(magic);
        head += {'\1', '\0', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
        head += header;
        return write_spans(path, {{head.data(), head.size()}, {data, count * element_size(type)}});
    });
}

} // namespace vkprim::tools
