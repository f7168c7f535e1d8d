// Segments of an array: the rows of a matrix, or what lies between offsets. Every primitive that has segments says them in these words.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>

namespace vkprim {

/// How an array is divided into segments. It is a field of Desc, since pipelines depend on it.
enum class SegmentLayout : uint32_t {
    none,    ///< it is not divided
    offsets, ///< segment s is elements offsets[s] to offsets[s + 1] - 1; lengths may differ, and may be 0
    rows,    ///< segment s is row s of a matrix: all rows have Args::count elements, and begin `pitch` bytes apart
};

/// Which segments there are: a field of Args. With SegmentLayout::rows, Args::count is the number of elements of one row (of Compact, of all
/// rows). With SegmentLayout::offsets, it is that of the whole input. With SegmentLayout::none, all fields must be as they are here.
struct Segments {
    /// Their number; with count_address, an upper bound. If it is 0, record() does nothing, unless Args says otherwise.
    uint32_t count = 1;

    /// Bytes of an offset: 4 or 8.
    uint32_t offset_size = 4;

    /// If set: the address of a uint32, a multiple of 4; the number of segments is the smaller of that number and `count`.
    VkDeviceAddress count_address = 0;

    /// Read, for SegmentLayout::offsets: count + 1 unsigned integers of `offset_size` bytes, aligned to their size, in non-descending order;
    /// otherwise 0. An offset above Args::count is taken as Args::count. If offsets descend, results are undefined, but nothing outside the
    /// ranges in Args is read or written.
    VkDeviceAddress offsets = 0;

    /// For SegmentLayout::rows: 0 if rows are contiguous; otherwise bytes from the beginning of one row to the next, a multiple of the
    /// element's alignment, at least the size of a row. What lies between rows is neither read nor written. For other layouts: 0.
    VkDeviceSize pitch = 0;

    /// A hint, which SegmentedSort alone reads: elements of the longest segment between offsets, or an upper bound; 0: unknown. If a segment
    /// is longer than that, results are undefined, but nothing outside the ranges in Args is read or written.
    uint32_t longest = 0;
};

} // namespace vkprim
