// Pictures: the samples are as many as the size says, come from the file and not from memory that nobody has written.
#include <sanitizer/allocator_interface.h>

#include <cstring>

#include "../support/pictures.h"
#include "fuzz.h"
#include "tools/cli/files/files.h"

namespace vkprim::fuzz {

namespace {

using namespace tools;

int memory_fill = -1; ///< what new memory is filled with, where it is not negative

void fill(const volatile void* memory, size_t size) {
    constexpr size_t largest = 1 << 16; // AddressSanitizer zeroes large ones for calloc() before this, not after
    if (memory_fill >= 0 && size <= largest) std::memset(const_cast<void*>(memory), memory_fill, size);
}

/// 20 rows of 12 bytes, by each filter in turn.
const uint8_t deflated[] = {120, 218, 61,  79,  73,  2,   0,   33, 8,   130, 244, 194, 255, 63,  60,  33,
                            54,  213, 1,   101, 73,  65,  188, 35, 254, 88,  247, 30,  185, 5,   25,  163,
                            204, 17,  244, 83,  71,  199, 52,  2,  227, 153, 42,  14,  224, 36,  145, 211,
                            174, 95,  113, 139, 54,  142, 104, 13, 41,  184, 65,  75,  29,  127, 255, 152,
                            218, 120, 89,  222, 90,  35,  61,  98, 208, 29,  12,  59,  79,  88,  242, 204,
                            86,  26,  137, 106, 151, 28,  170, 31, 114, 244, 7,   244, 66,  1,   239};

} // namespace

std::vector<std::string> seeds() {
    using namespace tests;
    const std::string compressed  = png_chunk("IDAT", std::string(std::begin(deflated), std::end(deflated)));
    const std::string palette     = png_chunk("PLTE", "abcdefghi") + png_chunk("tRNS", "xyz");
    std::string       progressive = jpeg_of(3), restart = jpeg_of(1);
    progressive.replace(progressive.find("\xff\xc0"), 2, "\xff\xc2");
    restart.insert(2, std::string("\xff\xdd\0\4\0\1", 6));
    return {"P5 3 2 255\nabcdef",
            "P6\n# seed\n1 2\n255\nabcdef",
            png_of({12, 20, 8, 0, 0, compressed}),
            png_of({4, 20, 8, 2, 0, compressed}),
            png_of({3, 20, 8, 6, 0, compressed}),
            png_of({1, 1, 8, 4, 0, png_rows(std::string("\0ab", 3))}),
            png_of({2, 1, 16, 0, 0, png_rows(std::string("\0abcd", 5))}),
            png_of({4, 2, 4, 3, 0, palette + png_rows(std::string("\0\0\x12\0\x21\0", 6))}),
            png_of({2, 2, 8, 0, 1, png_rows(std::string("\0a\0b\0cd", 7))}),
            jpeg_of(1),
            jpeg_of(3),
            jpeg_of(4),
            progressive,
            restart};
}

void check_input(const uint8_t* data, size_t size) {
    static MemoryFile file;
    static const bool hooked = __sanitizer_install_malloc_and_free_hooks(fill, [](const volatile void*) {}) != 0;
    require(hooked, "new memory can be filled");
    file.write(data, size);
    memory_fill               = 0x00;
    const Result<Image> image = read_image(file.path());
    memory_fill               = 0xff;
    const Result<Image> again = read_image(file.path());
    memory_fill               = -1;

    require(static_cast<bool>(image) == static_cast<bool>(again), "a picture is taken always or never");
    if (!image) {
        require_reason(image.error(), file.path() + ": ");
        return;
    }
    require(image->width > 0 && image->height > 0 && image->channels >= 1 && image->channels <= 4,
            "a picture has samples");
    require(image->samples.size() == uint64_t{image->width} * image->height * image->channels, "as many as it says");
    require(image->samples == again->samples, "the file decides about the samples, not what was in memory before");
    Result<InputFile> opened = InputFile::open(file.path());
    require(opened && *detect_kind(*opened) == FileKind::image, "detect_kind() knows what read_image() takes");
    if (data[0] == 'P') {
        require(image->samples.size() < size, "a PGM's samples come from the file");
        require(std::memcmp(data + size - image->samples.size(), image->samples.data(), image->samples.size()) == 0,
                "as they are");
    }
}

} // namespace vkprim::fuzz
