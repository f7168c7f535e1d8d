// Pictures: stb_image and stb_image_write for PNG and JPEG. Not for PGM and PPM, where its version 2.27 hands out uninitialized memory when
// the file is truncated and overflows on long numbers.
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "file_io.h"
#include "files.h"

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_FAILURE_USERMSG
// Zero-filled: where a damaged JPEG lacks tables or a part of the picture, stb_image 2.27 goes on with what it finds in memory.
#define STBI_MALLOC(size) std::calloc(1, size)
#define STBI_REALLOC(memory, size) std::realloc(memory, size)
#define STBI_FREE(memory) std::free(memory)
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace vkprim::tools {

namespace {

bool is_space(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// PGM or PPM, binary: "P5" or "P6", width, height, largest sample, one white space, samples.
/// Takes the file's bytes, so that the samples need not be copied.
Result<Image> decode_pnm(std::vector<uint8_t> bytes, const std::string& path) {
    const auto damaged = [&](std::string_view what) {
        return file_error(path, fmt::format("damaged PGM or PPM: {}; save the picture again", what));
    };
    if (bytes[1] != '5' && bytes[1] != '6') {
        return file_error(
            path, fmt::format("is of kind P{} of PNM, but only P5 (binary PGM) and P6 (binary PPM) are supported; "
                              "convert it, for example to PNG",
                              static_cast<char>(bytes[1])));
    }
    size_t   position  = 2;
    uint64_t numbers[] = {0, 0, 0}; // width, height, largest sample
    for (uint64_t& number : numbers) {
        const size_t before = position;
        while (position < bytes.size() && (is_space(bytes[position]) || bytes[position] == '#')) {
            if (bytes[position] == '#') {
                while (position < bytes.size() && bytes[position] != '\n' && bytes[position] != '\r') ++position;
            } else {
                ++position;
            }
        }
        const size_t begin = position;
        for (; position < bytes.size() && bytes[position] >= '0' && bytes[position] <= '9'; ++position) {
            number = number * 10 + bytes[position] - '0';
            if (number > UINT32_MAX) return damaged("a number in the header is too large");
        }
        if (begin == before || begin == position) return damaged("width, height or largest sample is missing");
    }
    const auto [width, height, largest] = numbers;
    if (position == bytes.size() || !is_space(bytes[position]))
        return damaged("no white space after the largest sample");
    ++position;

    if (width == 0 || height == 0) return damaged(fmt::format("it has {} x {} pixels", width, height));
    if (largest == 0 || largest > 65535) return damaged(fmt::format("its largest sample is {}", largest));
    if (largest > 255) {
        return file_error(path, "has 16 bits per channel, but only 8 are supported; convert it to 8 bits per channel");
    }
    const uint32_t channels = bytes[1] == '6' ? 3 : 1;
    if (width * height > max_element_count / channels) {
        return file_error(
            path, fmt::format("has {} x {} pixels of {} channels, but at most {} samples are supported; split the "
                              "picture",
                              width, height, channels, max_element_count));
    }
    const uint64_t expected = width * height * channels, actual = bytes.size() - position;
    if (actual != expected) {
        return damaged(fmt::format("{} x {} pixels of {} channels need {} bytes, but {} follow the header", width,
                                   height, channels, expected, actual));
    }
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(position));
    return Image{static_cast<uint32_t>(width), static_cast<uint32_t>(height), channels, std::move(bytes)};
}

/// Whether no Huffman table of a JPEG has more than 256 codes: stb_image 2.27 writes beyond its own with such a file.
/// Walks from marker to marker as stb_image does, up to the end of the picture; other damage is left to it.
bool huffman_tables_fit(const std::vector<uint8_t>& bytes) {
    const auto byte = [&](size_t i) { return i < bytes.size() ? bytes[i] : uint8_t(0); };
    size_t     at   = 2;
    while (at + 1 < bytes.size()) {
        const uint8_t marker = byte(at + 1);
        if (byte(at) != 0xff || marker == 0xff) { // samples, or padding before a marker
            ++at;
            continue;
        }
        at += 2;
        if (marker == 0xd9) return true;                                     // end of image
        if (marker == 0 || marker == 1 || (marker & 0xf8) == 0xd0) continue; // no segment follows
        const size_t end = at + std::max<size_t>(2, size_t(byte(at)) << 8 | byte(at + 1));
        at += 2;
        while (marker == 0xc4 && at < end) {
            size_t codes = 0;
            for (size_t length = 1; length <= 16; ++length) codes += byte(at + length);
            if (codes > 256) return false;
            at += 17 + codes;
        }
        at = std::max(at, end);
    }
    return true;
}

/// Appends black to the palette of a PNG, since stb_image 2.27 takes colours beyond it from memory that nobody has written. False
/// where a chunk is longer than the file: stb_image takes memory for it before it looks.
bool mend_png(std::vector<uint8_t>& bytes) {
    constexpr size_t largest_palette = 256 * 3;
    bool             complete        = false; // the palette
    for (size_t at = 8; at + 8 <= bytes.size();) {
        size_t length = 0;
        for (size_t i = 0; i < 4; ++i) length = length << 8 | bytes[at + i];
        const std::string_view type(reinterpret_cast<const char*>(&bytes[at + 4]), 4);
        if (type == "IEND") break;
        at += 8;
        if (length > bytes.size() - at) return false;
        if (type == "PLTE" && !complete && length > 0 && length < largest_palette && length % 3 == 0) {
            bytes[at - 6] = largest_palette >> 8;
            bytes[at - 5] = largest_palette & 0xff;
            bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at + length), largest_palette - length, 0);
            length   = largest_palette;
            complete = true; // what comes after may overwrite it, but not make it shorter
        }
        at += length + 4; // the checksum, which stb_image ignores
    }
    return true;
}

Result<Image> decode_stb(std::vector<uint8_t> bytes, const std::string& path, std::string_view format) {
    const bool jpeg        = format == "JPEG";
    const auto undecodable = [&](std::string_view what) {
        return file_error(path, fmt::format("the {} cannot be decoded: {}; save the picture again", format, what));
    };
    // Deflate makes at most 1032 bytes of one, in which a PNG has at most 8 pixels. A JPEG has a bit for every block of 8 by 8 of
    // every channel, and at least 9 of these, with the coarsest sampling, in 32 by 32 pixels.
    const uint64_t pixels_per_byte = jpeg ? 1024 : 1032 * 8, most_pixels = bytes.size() * pixels_per_byte;

    if (jpeg && !huffman_tables_fit(bytes)) return undecodable("a Huffman table is too large");
    if (!jpeg && !mend_png(bytes)) return undecodable("it is truncated");
    if (bytes.size() > INT_MAX) return file_error(path, "is larger than 2 GiB; use a smaller picture");
    const int size = static_cast<int>(bytes.size());
    if (stbi_is_16_bit_from_memory(bytes.data(), size) != 0) {
        return file_error(path, "has 16 bits per channel, but only 8 are supported; convert it to 8 bits per channel");
    }
    int width = 0, height = 0, channels = 0;
    if (stbi_info_from_memory(bytes.data(), size, &width, &height, &channels) != 0 &&
        uint64_t(width) * uint64_t(height) > most_pixels) { // before any memory is taken for them
        return undecodable(fmt::format("{} x {} pixels do not fit into so few bytes", width, height));
    }

    const std::unique_ptr<stbi_uc, void (*)(void*)> samples(
        stbi_load_from_memory(bytes.data(), size, &width, &height, &channels, 0), stbi_image_free);
    if (!samples) {
        const char* reason = stbi_failure_reason();
        return undecodable(reason != nullptr ? reason : "no reason given");
    }
    Image image{static_cast<uint32_t>(width), static_cast<uint32_t>(height), static_cast<uint32_t>(channels), {}};
    image.samples.assign(samples.get(), samples.get() + size_t(image.width) * image.height * image.channels);
    return image;
}

} // namespace

const char* picture_format(const uint8_t* data, size_t size) {
    const std::string_view start(reinterpret_cast<const char*>(data), size);
    const auto             begins = [&](std::string_view with) { return start.substr(0, with.size()) == with; };
    using namespace std::string_view_literals;
    if (begins("\x89PNG")) return "PNG";
    if (begins("\xff\xd8\xff")) return "JPEG";
    if (size >= 3 && data[0] == 'P' && data[1] >= '1' && data[1] <= '7' && (is_space(data[2]) || data[2] == '#'))
        return "PNM";
    if (begins("GIF87a") || begins("GIF89a")) return "GIF";
    if (begins("II*\0"sv) || begins("MM\0*"sv)) return "TIFF";
    if (begins("RIFF") && start.substr(std::min<size_t>(size, 8)) == "WEBP") return "WebP";
    return nullptr;
}

Result<Image> read_image(InputFile& file) {
    const std::string& name = file.name();
    return report_exceptions(name, [&]() -> Result<Image> {
        // The largest picture that decode_pnm() takes, with room for its header and to notice that more follows.
        const uint64_t       limit = file.size().value_or(max_element_count + 65536);
        std::vector<uint8_t> bytes;
        if (const Result<void> read = file.append(bytes, limit); !read) return read.error();
        if (bytes.empty()) return file_error(name, "is empty; name a PNG, JPEG, PGM or PPM file");

        const char*            format = picture_format(bytes.data(), std::min<size_t>(bytes.size(), 12));
        const std::string_view kind   = format != nullptr ? format : "";
        if (kind == "PNM") return decode_pnm(std::move(bytes), name);
        if (kind == "PNG" || kind == "JPEG") return decode_stb(std::move(bytes), name, kind);
        if (format != nullptr) {
            return file_error(
                name, fmt::format("is a {}, but only PNG, JPEG, PGM and PPM are supported; convert it to PNG", kind));
        }
        return file_error(name, "is not a picture in PNG, JPEG, PGM or PPM; convert it to PNG");
    });
}

Result<Image> read_image(const std::string& path) {
    Result<InputFile> file = InputFile::open(path);
    return file ? read_image(*file) : file.error();
}

Result<void> write_png(const std::string& path, const Image& image) {
    return report_exceptions(path, [&]() -> Result<void> {
        std::vector<uint8_t> bytes;
        const auto           append = [](void* context, void* data, int size) {
            const auto* first = static_cast<const uint8_t*>(data);
            static_cast<std::vector<uint8_t>*>(context)->insert(static_cast<std::vector<uint8_t>*>(context)->end(),
                                                                          first, first + size);
        };
        const int width = static_cast<int>(image.width), channels = static_cast<int>(image.channels);
        if (!stbi_write_png_to_func(append, &bytes, width, static_cast<int>(image.height), channels,
                                    image.samples.data(), width * channels)) {
            return Error{VK_ERROR_OUT_OF_HOST_MEMORY, path + ": there is no memory to write the picture"};
        }
        return write_file(path, bytes.data(), bytes.size());
    });
}

} // namespace vkprim::tools
