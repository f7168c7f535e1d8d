// The header of a .npy file: a Python dict as text.
#include "npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "file_io.h"

namespace vkprim::tools {

namespace {

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

constexpr std::string_view supported = "b1, u1, u2, u4, u8, i1, i2, i4, i8, f2, f4 and f8";

Result<NumberType> parse_descr(std::string_view descr, const std::string& name) {
    const auto refuse = [&](std::string_view what, std::string_view todo) {
        return file_error(name, fmt::format("holds {} ('{}'), but only {} are supported; {}", what, printable(descr),
                                            supported, todo));
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

    // What keeps every value, as far as there is such a type.
    const std::string_view to_float = "convert it in numpy with .astype('<f8')";
    const std::string_view numbers =
        "if they are numbers convert it in numpy with .astype('<f8'), or whole ones with .astype('<i8')";
    switch (plain.empty() ? '\0' : plain[0]) {
        case 'f': return refuse("floats of another size", to_float);
        case 'i':
            return refuse("signed integers of another size", "convert it in numpy with .astype('<i8') if all fit");
        case 'u':
            return refuse("unsigned integers of another size", "convert it in numpy with .astype('<u8') if all fit");
        case 'b':
        case '?': return refuse("booleans of another size", "convert it in numpy with .astype('bool')");
        case 'c':
            return refuse("complex numbers",
                          plain == "c8" ? "convert it in numpy with .real.astype('<f4') or .imag.astype('<f4')"
                                        : "convert it in numpy with .real.astype('<f8') or .imag.astype('<f8')");
        case 'S':
        case 'a':
        case 'U': return refuse("strings", numbers);
        case 'O': return refuse("Python objects", numbers);
        case 'M':
        case 'm': return refuse("times", "convert it in numpy with .astype('<i8'), where NaT is the least number");
        case 'V': return refuse("raw records", "say in numpy what they hold, such as bytes with .view('u1')");
        default: return refuse("an unknown type", to_float);
    }
}

/// How many elements a shape has: at most `most`.
Result<uint64_t> element_count(const std::vector<uint64_t>& shape, uint64_t most, const std::string& in_file) {
    if (std::count(shape.begin(), shape.end(), 0u) > 0) return uint64_t(0);
    uint64_t count = 1;
    for (const uint64_t n : shape) {
        if (count > UINT64_MAX / n || n == UINT64_MAX) {
            return Error{
                ErrorKind::other,
                in_file + " has more elements than 64 bits can count; the header is damaged, save the array again"};
        }
        count *= n;
    }
    if (count > most) {
        return Error{ErrorKind::other, fmt::format("{} has {} elements, but at most {} are supported; split the array",
                                                   in_file, count, most)};
    }
    return count;
}

/// Whether it matters which index runs fastest.
bool order_matters(const std::vector<uint64_t>& shape, uint64_t count) {
    return count > 0 && std::count_if(shape.begin(), shape.end(), [](uint64_t n) { return n > 1; }) > 1;
}

} // namespace

Result<NpyHeader> parse_npy_header(std::string_view text, const std::string& name,
                                   uint64_t (*most_of)(NumberType type)) {
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
                return file_error(name, fmt::format("has a structured dtype, but only {} are supported; save one field "
                                                    "in numpy, as a['field']",
                                                    supported));
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
        element_count(*shape, most_of(*type), fmt::format("{}: the array of shape {}", name, shape_text));
    if (!count) return count.error();
    const bool fortran = *fortran_order && order_matters(*shape, *count);
    return NpyHeader{*type, std::move(*shape), fortran, *count, shape_text};
}

} // namespace vkprim::tools
