// .npy files: from memory and from a file the same; what is taken has the size that it says, and survives write_npy().
#include <cstring>

#include "fuzz.h"
#include "tools/cli/files/files.h"

namespace vkprim::fuzz {

namespace {

using namespace tools;

std::string npy(const std::string& header, const std::string& data) {
    const std::string length = {static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
    return std::string("\x93NUMPY\x01\0", 8) + length + header + data;
}

bool same(const Array& a, const Array& b) {
    return a.type == b.type && a.bytes == b.bytes && a.shape == b.shape && a.fortran_order == b.fortran_order;
}

} // namespace

std::vector<std::string> seeds() {
    const std::string version_2("\x93NUMPY\x02\0\x39\0\0\0", 12);
    return {npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\n", "abc"),
            npy("{'descr': '<u2', 'fortran_order': True, 'shape': (1, 2), }\n", "abcd"),
            npy("{'descr': '|b1', 'fortran_order': True, 'shape': (2, 2), }\n", "abcd"),
            npy("{\"shape\": (2L, 1), \"fortran_order\": False, \"descr\": \"<f4\"}", "12345678"),
            npy("{'descr': '<i4', 'fortran_order': False, 'shape': (), }\n", "1234"),
            npy("{'descr': '<u4', 'fortran_order': False, 'shape': (0, 7), }\n", ""),
            version_2 + "{'descr': '<u4', 'fortran_order': False, 'shape': (1,)}\n\n" + "1234"};
}

void check_input(const uint8_t* data, size_t size) {
    static MemoryFile file;
    static Pipe       pipe;
    file.write(data, size);
    const Result<Array> parsed = parse_npy(data, size, "a.npy"), read = read_npy(file.path());
    require(static_cast<bool>(parsed) == static_cast<bool>(read), "memory and file are taken or refused alike");
    if (!parsed) {
        require_reason(parsed.error(), "a.npy: ");
        require_reason(read.error(), file.path() + ": ");
        return;
    }
    require(same(*parsed, *read), "memory and file hold the same");
    require(parsed->count() * element_size(parsed->type) == parsed->bytes.size(), "whole elements");
    require(parsed->bytes.size() < size, "elements come from the file");
    const uint8_t* tail = data + size - parsed->bytes.size();
    require(parsed->bytes.empty() || std::memcmp(tail, parsed->bytes.data(), parsed->bytes.size()) == 0,
            "elements are the file's end");
    Result<InputFile> opened = InputFile::open(file.path());
    require(opened && *detect_kind(*opened) == FileKind::npy, "detect_kind() knows what read_npy() takes");

    const Result<void> written = write_npy(pipe.path(), parsed->type, parsed->bytes.data(), parsed->shape);
    require(static_cast<bool>(written), "what was read can be written");
    const std::string   content = pipe.take();
    const Result<Array> back    = parse_npy(reinterpret_cast<const uint8_t*>(content.data()), content.size(), "b.npy");
    require(back && back->type == parsed->type && back->bytes == parsed->bytes && back->shape == parsed->shape,
            "what was written can be read");
}

} // namespace vkprim::fuzz
