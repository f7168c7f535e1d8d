// Arrays of several dimensions for primitives that know but one: as rows along an axis.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "files/files.h"

namespace vkprim::tools {

/// How an array lies as rows.
struct Rows {
    uint64_t              count  = 1; ///< rows
    uint64_t              length = 0; ///< elements of each
    Shape                 shape;      ///< of the array without the axis: of one result for each row
    std::optional<size_t> axis;       ///< that the rows run along; nothing: one row of all
};

/// Brings `array` into rows along `axis`, one behind the other in the C order of the other axes. A negative axis counts from
/// the last. Without an axis all elements are one row, in C order. A Failure where there is no such axis, which says `name`.
Rows to_rows(Array& array, std::optional<int64_t> axis, const std::string& name);

/// The elements of such rows in the C order of an array of `shape`, which they came from.
std::vector<uint8_t> from_rows(std::vector<uint8_t> elements, const Rows& rows, const Array& array);

} // namespace vkprim::tools
