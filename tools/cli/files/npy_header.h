// What the header of a .npy file says. Private to the reader of these files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "files.h"

namespace vkprim::tools {

struct NpyHeader {
    NumberType            type = NumberType::u8;
    std::vector<uint64_t> shape;
    bool                  fortran_order = false; ///< only where that differs from C order
    uint64_t              count         = 0;     ///< elements
    std::string           shape_text;            ///< as written, for reasons

    uint64_t data_size() const { return count * element_size(type); }
};

/// Reads the dict, without what is before it, of an array of at most most_of(type) elements; `name` is what reasons call the file. Any text
/// is safe.
Result<NpyHeader> parse_npy_header(std::string_view text, const std::string& name,
                                   uint64_t (*most_of)(NumberType type));

} // namespace vkprim::tools
