// Raw bytes: whole elements are taken as they are. The file's kind: whatever it is, somebody says what.
#include <algorithm>

#include "fuzz.h"
#include "tools/cli/files/files.h"

namespace vkprim::fuzz {

using namespace tools;

std::vector<std::string> seeds() {
    return {"",          "a",          "abcd",    "abcdefgh",     "P5 1 1 255 x",
            "\x93NUMPY", "PK\x03\x04", "\x89PNG", "\xff\xd8\xff", "GIF89a"};
}

void check_input(const uint8_t* data, size_t size) {
    static MemoryFile file;
    file.write(data, size);
    for (const NumberType type : {NumberType::u8, NumberType::u16, NumberType::u32, NumberType::i32, NumberType::f32}) {
        const Result<Array> array = read_raw(file.path(), type);
        require(static_cast<bool>(array) == (size % element_size(type) == 0), "whole elements are taken");
        if (!array) {
            require_reason(array.error(), file.path() + ": ");
            continue;
        }
        require(array->type == type && array->count() * element_size(type) == size, "all are taken");
        require(std::equal(array->bytes.begin(), array->bytes.end(), data, data + size), "as they are");
    }

    Result<InputFile> opened = InputFile::open(file.path());
    require(static_cast<bool>(opened), "the file can be opened");
    const Result<FileKind> kind = detect_kind(*opened);
    require(static_cast<bool>(kind), "every file has a kind");
    if (*kind != FileKind::npy) require(!read_npy(file.path()), "read_npy() takes nothing else");
    if (*kind != FileKind::image) require(!read_image(file.path()), "read_image() takes nothing else");
}

} // namespace vkprim::fuzz
