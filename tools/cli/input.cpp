#include "input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "array_job.h"
#include "harness/elements.h"

namespace vkprim::tools {

namespace {

constexpr std::string_view type_list = "bool, u8, u16, u32, u64, i8, i16, i32, i64, f16, f32 or f64";

} // namespace

void check_shapes(const Source& source, const Shape& shape, const Source& other, const Shape& of_other) {
    // One dimension goes with any shape: raw bytes have no other, and so have outputs of scans.
    if (shape == of_other || shape.size() < 2 || of_other.size() < 2) return;
    throw Failure{exit_usage, fmt::format("{}: has the shape {}, but {} has {}", name_of(source), shape_text(shape),
                                          name_of(other), shape_text(of_other))};
}

NumberType parse_number_type(const std::string& name) {
    const auto* found = std::find_if(std::begin(number_types), std::end(number_types),
                                     [&](NumberType type) { return type_name(type) == name; });
    if (found == std::end(number_types)) {
        throw Failure{exit_usage, fmt::format("--type {} is no type; choose {}", name, type_list)};
    }
    return *found;
}

void add_source_flags(Options& options, Source& source, const std::string& help) {
    options.add_option("FILE", source.path, help).required().type_name("");
    options
        .add_option("--type", source.type,
                    "type of raw bytes, little-endian: bool, u8, u16, u32, u64,\n"
                    "i8, i16, i32, i64, f16, f32 or f64")
        .type_name("T");
    options.add_flag("--raw", source.raw,
                     "take the file's bytes as they are, even if they look like a\n"
                     ".npy file or a picture; needs --type");
}

std::string name_of(const Source& source) { return source.path == "-" ? "standard input" : source.path; }

Input open_input(const Source& source) {
    if (source.raw && source.type.empty()) throw Failure{exit_usage, fmt::format("--raw needs --type: {}", type_list)};
    if (!source.type.empty()) parse_number_type(source.type);
    InputFile      file = need_file(InputFile::open(source.path));
    const FileKind kind = need_file(detect_kind(file));
    if (source.raw) return {std::move(file), FileKind::other};
    // An empty or mislabelled .npy file is no raw bytes: its reader says what is wrong with it.
    if (ends_with(source.path, ".npy")) return {std::move(file), FileKind::npy};
    if (kind == FileKind::image && !source.type.empty()) {
        throw Failure{exit_usage, name_of(source) +
                                      ": is a picture, which needs no --type; add --raw to take its bytes "
                                      "as they are"};
    }
    if (kind == FileKind::other && source.type.empty()) {
        throw Failure{exit_usage, fmt::format("{}: is neither a .npy file nor a picture; to take its bytes as they "
                                              "are, say their type with --type {}",
                                              name_of(source), type_list)};
    }
    return {std::move(file), kind};
}

Array read_elements(const Source& source, Input& input) {
    if (input.kind == FileKind::image) {
        throw Failure{exit_usage, name_of(source) +
                                      ": is a picture, which only histogram takes; add --raw and --type to "
                                      "take its bytes as they are"};
    }
    if (input.kind == FileKind::other) return need_file(read_raw(input.file, parse_number_type(source.type)));

    Array array = need_file(read_npy(input.file));
    check_type(source, array.type);
    return array;
}

void check_type(const Source& source, NumberType type) {
    if (source.type.empty() || source.type == type_name(type)) return;
    throw Failure{exit_usage, fmt::format("{}: holds {}, but --type says {}; leave --type away, or convert the file",
                                          name_of(source), type_name(type), source.type)};
}

Array read_elements(const Source& source) {
    Input input = open_input(source);
    return read_elements(source, input);
}

NumberType widened(NumberType type) {
    switch (type) {
        case NumberType::boolean:
        case NumberType::u8:
        case NumberType::u16: return NumberType::u32;
        case NumberType::i8:
        case NumberType::i16: return NumberType::i32;
        case NumberType::f16: return NumberType::f32;
        default: return type;
    }
}

namespace {

/// Makes a To of each of `count` elements at `from`, a From, by `convert`.
template <class From, class To>
void convert_each(const uint8_t* from, uint64_t count, uint8_t* to, To (*convert)(From)) {
    for (uint64_t i = 0; i < count; ++i) {
        From narrow;
        std::memcpy(&narrow, from + i * sizeof narrow, sizeof narrow);
        const To value = convert(narrow);
        std::memcpy(to + i * sizeof value, &value, sizeof value);
    }
}

template <class From, class To>
void widen_each(Array& array, To (*convert)(From)) {
    std::vector<uint8_t> wide(array.count() * sizeof(To));
    convert_each(array.bytes.data(), array.count(), wide.data(), convert);
    array.bytes = std::move(wide);
}

template <class From, class To>
To same_value(From value) {
    return value;
}

} // namespace

ElementType computed_type(NumberType type) {
    switch (type) {
        case NumberType::i32: return ElementType::i32;
        case NumberType::f32: return ElementType::f32;
        case NumberType::u64: return ElementType::u64;
        case NumberType::i64: return ElementType::i64;
        case NumberType::f64: return ElementType::f64;
        default: return ElementType::u32;
    }
}

void widen_to(NumberType type, const uint8_t* from, uint64_t count, uint8_t* to) {
    switch (type) {
        case NumberType::boolean:
            return convert_each<uint8_t, uint32_t>(from, count, to, [](uint8_t byte) { return byte != 0 ? 1u : 0u; });
        case NumberType::u8: return convert_each(from, count, to, same_value<uint8_t, uint32_t>);
        case NumberType::u16: return convert_each(from, count, to, same_value<uint16_t, uint32_t>);
        case NumberType::i8: return convert_each(from, count, to, same_value<int8_t, int32_t>);
        case NumberType::i16: return convert_each(from, count, to, same_value<int16_t, int32_t>);
        case NumberType::f16: return convert_each(from, count, to, harness::float_of_half);
        default: break;
    }
    if (count > 0) std::memcpy(to, from, count * element_size(type));
}

ElementType widen(Array& array) {
    if (const NumberType type = widened(array.type); type != array.type) {
        std::vector<uint8_t> wide(array.count() * element_size(type));
        widen_to(array.type, array.bytes.data(), array.count(), wide.data());
        array.bytes = std::move(wide);
        array.type  = type;
    }
    return computed_type(array.type);
}

ElementType widen_to_64(Array& array) {
    const ElementType type = widen(array);
    if (type == ElementType::u32) {
        widen_each(array, same_value<uint32_t, uint64_t>);
        array.type = NumberType::u64;
        return ElementType::u64;
    }
    if (type == ElementType::i32) {
        widen_each(array, same_value<int32_t, int64_t>);
        array.type = NumberType::i64;
        return ElementType::i64;
    }
    return type;
}

} // namespace vkprim::tools
