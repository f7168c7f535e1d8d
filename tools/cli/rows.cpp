#include "rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "program.h"

namespace vkprim::tools {

namespace {

struct Dimension {
    uint64_t size   = 0; ///< elements
    uint64_t stride = 0; ///< between neighbours, in elements
};

/// Of an array that lies in memory without gaps. Strides mean nothing where it is empty.
std::vector<Dimension> dimensions_of(const Shape& shape, bool fortran_order) {
    std::vector<Dimension> dimensions;
    for (const uint64_t size : shape) dimensions.push_back({size, 0});
    uint64_t   stride = 1;
    const auto place  = [&](Dimension& one) {
        one.stride = stride;
        stride *= one.size;
    };
    if (fortran_order) {
        std::for_each(dimensions.begin(), dimensions.end(), place);
    } else {
        std::for_each(dimensions.rbegin(), dimensions.rend(), place);
    }
    return dimensions;
}

template <size_t element_size>
void copy_in_order(const std::vector<uint8_t>& from, std::vector<uint8_t>& to,
                   const std::vector<Dimension>& dimensions) {
    std::vector<uint64_t> index(dimensions.size());
    uint64_t              at = 0;
    for (size_t end = 0; end < to.size(); end += element_size) {
        std::memcpy(to.data() + end, from.data() + at * element_size, element_size);
        for (size_t i = dimensions.size(); i-- > 0;) {
            at += dimensions[i].stride;
            if (++index[i] < dimensions[i].size) break;
            at -= dimensions[i].stride * dimensions[i].size;
            index[i] = 0;
        }
    }
}

/// Whether elements already lie so that the last of `dimensions` runs fastest, then the one before it.
bool in_order(const std::vector<Dimension>& dimensions) {
    uint64_t stride = 1;
    return std::all_of(dimensions.rbegin(), dimensions.rend(), [&](const Dimension& one) {
        const bool next = one.size == 1 || one.stride == stride;
        stride *= one.size;
        return next;
    });
}

/// The elements, so that the last of `dimensions` runs fastest, then the one before it.
std::vector<uint8_t> ordered(std::vector<uint8_t> bytes, uint32_t element_size,
                             const std::vector<Dimension>& dimensions) {
    if (bytes.empty() || in_order(dimensions)) return bytes;
    std::vector<uint8_t> result(bytes.size());
    switch (element_size) {
        case 1: copy_in_order<1>(bytes, result, dimensions); break;
        case 2: copy_in_order<2>(bytes, result, dimensions); break;
        case 4: copy_in_order<4>(bytes, result, dimensions); break;
        default: copy_in_order<8>(bytes, result, dimensions); break;
    }
    return result;
}

size_t axis_of(const Shape& shape, int64_t axis, const std::string& name) {
    const auto dimensions = static_cast<int64_t>(shape.size());
    if (dimensions == 0) {
        throw Failure{exit_usage,
                      fmt::format("{}: --axis {}: a single element has no axes; leave --axis away", name, axis)};
    }
    if (axis < -dimensions || axis >= dimensions) {
        throw Failure{exit_usage, fmt::format("{}: --axis {}: an array of shape {} has no such axis; choose {} to {}",
                                              name, axis, shape_text(shape), -dimensions, dimensions - 1)};
    }
    return static_cast<size_t>(axis < 0 ? axis + dimensions : axis);
}

} // namespace

Rows to_rows(Array& array, std::optional<int64_t> axis, const std::string& name) {
    Rows rows;
    auto dimensions = dimensions_of(array.shape, array.fortran_order);
    if (axis) {
        rows.axis        = axis_of(array.shape, *axis, name);
        rows.shape       = array.shape;
        rows.length      = array.shape[*rows.axis];
        const auto place = static_cast<std::ptrdiff_t>(*rows.axis);
        rows.shape.erase(rows.shape.begin() + place);
        std::rotate(dimensions.begin() + place, dimensions.begin() + place + 1, dimensions.end());
        if (std::count(rows.shape.begin(), rows.shape.end(), 0u) > 0) rows.count = 0;
        for (const uint64_t size : rows.shape) {
            // Only an empty array can have so many.
            if (rows.count > 0 && size > UINT32_MAX / rows.count) {
                throw Failure{exit_usage, fmt::format("{}: an array of shape {} has more than {} rows along axis {}; "
                                                      "choose another --axis",
                                                      name, shape_text(array.shape), UINT32_MAX, *axis)};
            }
            rows.count *= size;
        }
    } else {
        rows.length = array.count();
    }
    array.bytes         = ordered(std::move(array.bytes), element_size(array.type), dimensions);
    array.fortran_order = false;
    return rows;
}

std::vector<uint8_t> from_rows(std::vector<uint8_t> elements, const Rows& rows, const Array& array) {
    if (!rows.axis) return elements;
    Shape shape = rows.shape;
    shape.push_back(rows.length);
    auto dimensions = dimensions_of(shape, false);
    std::rotate(dimensions.begin() + static_cast<std::ptrdiff_t>(*rows.axis), dimensions.end() - 1, dimensions.end());
    return ordered(std::move(elements), element_size(array.type), dimensions);
}

} // namespace vkprim::tools
