// Small pictures made by hand, for tests and as seeds of a fuzz target: stb_image_write knows no palettes, and for a JPEG it
// shifts negative numbers, which the undefined behaviour sanitizer objects to.
#pragma once

#include <cstdint>
#include <string>

namespace vkprim::tests {

/// A JPEG of 8 by 8 pixels whose components are all 100.
inline std::string jpeg_of(uint32_t components) {
    const auto segment = [](int marker, const std::string& content) {
        const size_t size = content.size() + 2;
        return std::string{'\xff', static_cast<char>(marker), static_cast<char>(size >> 8), static_cast<char>(size)} +
               content;
    };
    // Huffman tables of one code, the bit 0: for DC it says that 8 bits follow, for AC that the block ends.
    const std::string one_code = '\1' + std::string(15, '\0');
    const std::string n(1, static_cast<char>(components));
    std::string       frame = std::string("\x08\x00\x08\x00\x08", 5) + n, scan = n, bits;
    for (uint32_t i = 0; i < components; ++i) {
        frame += {static_cast<char>(i + 1), '\x11', '\0'};
        scan += {static_cast<char>(i + 1), '\0'};
        bits += "0000111110"; // the code for DC, (100 - 128) * 8 in 8 bits, the code for AC
    }
    bits.append((8 - bits.size() % 8) % 8, '1');
    std::string out = "\xff\xd8" + segment(0xdb, '\0' + std::string(64, '\1')) + segment(0xc0, frame) +
                      segment(0xc4, '\0' + one_code + '\x08') + segment(0xc4, '\x10' + one_code + '\0') +
                      segment(0xda, scan + std::string("\x00\x3f\x00", 3));
    for (size_t i = 0; i < bits.size(); i += 8) out += static_cast<char>(std::stoi(bits.substr(i, 8), nullptr, 2));
    return out + "\xff\xd9";
}

inline std::string big_endian(uint32_t number) {
    return {static_cast<char>(number >> 24), static_cast<char>(number >> 16), static_cast<char>(number >> 8),
            static_cast<char>(number)};
}

/// Without a right checksum, for which stb_image does not look.
inline std::string png_chunk(const std::string& type, const std::string& data) {
    return big_endian(static_cast<uint32_t>(data.size())) + type + data + "sum.";
}

struct Png {
    uint32_t    width = 0, height = 0;
    char        depth = 8, color_type = 0, interlace = 0;
    std::string chunks; ///< between the header and the end
};

inline std::string png_of(const Png& png) {
    return "\x89PNG\r\n\x1a\n" +
           png_chunk("IHDR", big_endian(png.width) + big_endian(png.height) +
                                 std::string{png.depth, png.color_type, '\0', '\0', png.interlace}) +
           png.chunks + png_chunk("IEND", "");
}

/// The rows of a PNG, at most 255 bytes with the filter in front of each, without compression.
inline std::string png_rows(const std::string& rows) {
    const auto size = static_cast<char>(rows.size());
    return png_chunk("IDAT",
                     std::string{'\x78', '\1', '\1', size, '\0', static_cast<char>(~size), '\xff'} + rows + "sum.");
}

} // namespace vkprim::tests
