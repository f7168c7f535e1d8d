// Files that the program reads and writes. Everything here reports through Result: the reason names the file, in one
// line. No exception escapes; where memory runs out the code is VK_ERROR_OUT_OF_HOST_MEMORY.
#pragma once

#include <vkprim/core.h>
#include <vkprim/histogram.h>

#include <optional>
#include <string>
#include <vector>

#include "tools/system/open_file.h"

namespace vkprim::tools {

/// What files hold. The first of them are SampleType's.
enum class NumberType : uint32_t { u8, u16, u32, i32, f32, u64, i64, f64, boolean, i8, i16, f16 };

inline constexpr NumberType number_types[] = {NumberType::u8,      NumberType::u16, NumberType::u32, NumberType::i32,
                                              NumberType::f32,     NumberType::u64, NumberType::i64, NumberType::f64,
                                              NumberType::boolean, NumberType::i8,  NumberType::i16, NumberType::f16};

/// Elements in each dimension, as numpy has it; none: a single element.
using Shape = std::vector<uint64_t>;

struct Array {
    NumberType           type = NumberType::u8;
    std::vector<uint8_t> bytes; ///< count * element_size(type), little-endian
    Shape                shape = {};
    bool     fortran_order     = false; ///< of `bytes`: the first index runs fastest, where that differs from the last
    uint64_t count() const;
};

uint32_t    element_size(NumberType type);  ///< bytes
const char* type_name(NumberType type);     ///< "u8", "f64"
const char* dtype_name(NumberType type);    ///< as numpy has it: "u1", "f8"
std::string shape_text(const Shape& shape); ///< as numpy has it: "(2, 3)", "(2,)", "()"

/// What is read from its beginning to its end: a file, a pipe, or standard input, whose path is "-".
class InputFile {
public:
    static Result<InputFile> open(const std::string& path);

    const std::string& name() const { return name_; } ///< the path, or "standard input": for reasons

    /// Bytes in all; nothing for pipes and devices.
    std::optional<uint64_t> size() const { return size_; }

    /// Appends the next `limit` bytes to `bytes`, fewer only where the file ends.
    Result<void> append(std::vector<uint8_t>& bytes, uint64_t limit);

    /// The next `limit` bytes, or fewer, which stay there for append().
    Result<std::vector<uint8_t>> peek(uint64_t limit);

private:
    explicit InputFile(std::string name) : name_(std::move(name)) {}

    std::string             name_;
    system::OpenFile        file_;
    std::optional<uint64_t> size_;
    uint64_t                whole_ = 0; ///< bytes from the file's beginning, where `size_` is known
    std::vector<uint8_t>    ahead_;     ///< read, but for append()
};

// All readers of a path take "-" for standard input, and all writers for standard output. The others read an open file, from
// where it stands.

/// A .npy file (format 1.0 to 3.0; dtypes b1, u1, u2, u4, u8, i1, i2, i4, i8, f2, f4, f8, little-endian or byte order
/// irrelevant; C or Fortran order). Any shape of at most 2^32 - 1 elements, which stay in the file's order.
Result<Array> read_npy(const std::string& path);
Result<Array> read_npy(InputFile& file);

/// The same for the bytes of a .npy file in memory; `name` is what reasons call them. Any bytes are safe.
Result<Array> parse_npy(const uint8_t* data, size_t size, const std::string& name);

/// The file's bytes as elements of `type`, at most 2^32 - 1. Fails where the size is not a multiple of the element's.
Result<Array> read_raw(const std::string& path, NumberType type);
Result<Array> read_raw(InputFile& file, NumberType type);

/// The file's bytes, at most 2^32 - 1.
Result<std::string> read_text(const std::string& path);

/// A .npy file of that shape, in C order; or of `count` elements in one dimension.
Result<void> write_npy(const std::string& path, NumberType type, const void* data, const Shape& shape);
Result<void> write_npy(const std::string& path, NumberType type, const void* data, uint64_t count);

/// What such a file has ahead of its elements.
std::string npy_head(NumberType type, const Shape& shape);

/// A picture of 8 bits per channel, interleaved.
struct Image {
    uint32_t             width = 0, height = 0, channels = 0; ///< 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha
    std::vector<uint8_t> samples;                             ///< height * width * channels
};

/// PNG, JPEG (both stb_image), binary PGM or PPM. The samples are the file's, without scaling, except that PNG's
/// palettes and 1 to 4 bits become 8 bits. 16-bit pictures are refused with a reason.
Result<Image> read_image(const std::string& path);
Result<Image> read_image(InputFile& file);

/// Through write_file().
Result<void> write_png(const std::string& path, const Image& image);

/// Whether the file goes on like a picture or a .npy file, readable here or not; decides by content, not by name, and takes
/// nothing out of it.
enum class FileKind { npy, image, other };
Result<FileKind> detect_kind(InputFile& file);

/// One histogram, for the writers below.
struct BinSeries {
    std::string           name; ///< "count", or the channel: "red", "green", "blue", "alpha", "gray"
    std::vector<uint64_t> counts;
};

/// bin, lower and upper edge, then one column per series; a header line. `edges`: one more than bins.
Result<void> write_histogram_csv(const std::string& path, const std::vector<double>& edges,
                                 const std::vector<BinSeries>& series);

/// A bar chart with axes, units (samples per bin), tick labels and a title; readable in light and dark; no script.
Result<void> write_histogram_svg(const std::string& path, const std::string& title, const std::vector<double>& edges,
                                 const std::vector<BinSeries>& series);

/// Writes all of `size` bytes as OutputFile does: afterwards the file is complete, or it is as it was before and nothing is left beside it.
/// ErrorKind::other with the system's reason where the disk is full or the folder unwritable. What is_stream() ("-", /dev/stdout, a pipe)
/// is written straight into. All writers here write like this.
Result<void> write_file(const std::string& path, const void* data, uint64_t size);

} // namespace vkprim::tools
