// Where the subcommands on files take their elements from, and how they bring them to types that the primitives take.
#pragma once

#include <string>

#include "files/files.h"
#include "program.h"

namespace vkprim::tools {

struct Source {
    std::string path; ///< "-": standard input
    std::string type; ///< of raw bytes; empty where the file says it
    bool        raw = false;
};

/// FILE, with this help, --type and --raw.
void add_source_flags(Options& options, Source& source, const std::string& help);

/// The path as reasons call it.
std::string name_of(const Source& source);

/// A Failure where two arrays of as many elements, which belong together, have several dimensions, and not the same.
void check_shapes(const Source& source, const Shape& shape, const Source& other, const Shape& of_other);

/// The type that --type names.
NumberType parse_number_type(const std::string& name);

/// A Failure where --type says another type than the file.
void check_type(const Source& source, NumberType type);

struct Input {
    InputFile file;
    FileKind  kind = FileKind::other; ///< by its content, by a name that ends in .npy, or because a flag says so
};

Input open_input(const Source& source);

/// The elements of a .npy file or of raw bytes, in the file's order.
Array read_elements(const Source& source, Input& input);
Array read_elements(const Source& source);

/// What elements of `type` become by widen(): bool, u8 and u16 become u32, i8 and i16 i32, f16 f32; others stay what they are.
NumberType widened(NumberType type);

/// The ElementType of a type that widen() leaves as it is; u32 for others.
ElementType computed_type(NumberType type);

/// Elements as reduce and scan take them, of 32 or 64 bits. No value changes.
ElementType widen(Array& array);

/// The same of `count` elements that lie at `from`, to memory of as many widened ones.
void widen_to(NumberType type, const uint8_t* from, uint64_t count, uint8_t* to);

/// The same with integers in 64 bits, as u64 or i64.
ElementType widen_to_64(Array& array);

} // namespace vkprim::tools
