// Stable radix sort of each of many segments of an array.
#pragma once

#include <vkprim/segmented_reduce.h>
#include <vkprim/sort.h>

#include <memory>

namespace vkprim {

/// Sorts the keys of each segment by itself, and moves values along with them. At the places of segment s, the output has what Sort makes
/// of that segment alone (sort.h): the order of floats, descending order, ranges of bits, and equal keys that keep their order. Indices
/// count from the segment's beginning. What lies in no segment is neither moved nor written.
///
/// Segments are the rows of a matrix, or lie between offsets, in any mix of lengths. Exact and stable on every device.
/// Where all segments are short, many of them share a workgroup, and the sort is one dispatch, which reads and writes each key and value
/// once. A segment is short if it has at most most_short() keys. Between offsets, Size::longest has to say so. Otherwise, rows are sorted
/// as in Sort. Between offsets, all keys are sorted with their indices, and then the indices by the number of their segment. That takes a
/// pass for each byte of a key, and for each byte of segments + 1. Then keys and values are gathered. record() records the barriers
/// between the dispatches. No workgroup waits for another.
class VKPRIM_API SegmentedSort {
public:
    using Segments = SegmentedReduce::Segments;
    using Values   = Sort::Values;

    struct Desc {
        ElementType key        = ElementType::u32; ///< any; 1 and 2 bytes need Features::storage_buffer_8bit_access
        Values      values     = Values::none;
        bool        descending = false;
        Segments    segments   = Segments::offsets;
    };

    /// It determines how much temporary memory is needed. Between offsets, count + 2 * segments must be below 2^32.
    struct Size {
        uint32_t count =
            0; ///< keys of a row, or of the whole input; with count_address, an upper bound; 0 records nothing
        uint32_t segments = 0; ///< with segments_address, an upper bound; 0 records nothing

        /// Keys of the longest segment between offsets, or an upper bound; 0: any. If a segment is longer than that, the results are
        /// undefined, but nothing outside of the ranges in Args is read or written.
        uint32_t longest = 0;
    };

    struct Args {
        VkDeviceAddress keys          = 0; ///< read: the keys, key-aligned
        VkDeviceAddress values        = 0; ///< read: as many values, value-aligned; unless Values::none or indices
        VkDeviceAddress output_keys   = 0; ///< written: as many keys, key-aligned; may be exactly `keys`
        VkDeviceAddress output_values = 0; ///< written: as many values, value-aligned; may be exactly `values`
        VkDeviceAddress temporary     = 0; ///< temporary_size(size) bytes, 16-byte aligned; of any content
        Size            size          = {};
        VkDeviceAddress count_address =
            0; ///< if set: a uint32 on the GPU, used instead of size.count and at most size.count
        VkDeviceAddress segments_address = 0; ///< if set: likewise, instead of size.segments; not of rows

        /// Read, for Segments::offsets: size.segments + 1 unsigned integers of `offset_size` bytes, aligned so, in non-descending order.
        /// An offset above the count is taken as the count. If offsets descend, results are undefined, but nothing outside of the ranges
        /// in Args is read or written.
        VkDeviceAddress offsets     = 0;
        uint32_t        offset_size = 4; ///< 4 or 8

        /// For Segments::rows: elements from one row to the next, as in Sort::Args; at least size.count; 0: size.count. Rows times
        /// row_stride must be below 2^32.
        uint32_t row_stride = 0;

        /// As in Sort::Args: integers are ordered by bits begin_bit to end_bit - 1; end_bit 0 means the number of bits of a key.
        uint32_t begin_bit = 0, end_bit = 0;
    };

    /// Fails with a reason where the device lacks a required feature (requirements.h) or the one for keys of 1 and 2 bytes, or
    /// where the driver rejects a pipeline.
    static Result<SegmentedSort> create(const Context& context, const Desc& desc);

    /// Keys of a short segment, at most: 64 to 12288, depending on the device, the profile, Desc::segments and the size of keys. Rows up
    /// to a tile of Sort take one dispatch, too.
    uint32_t most_short() const;

    /// Bytes of Args::temporary; 0 where the sort is one dispatch. Of rows, as in Sort. Between offsets, at most count * (12 + k + max(k
    /// + v, 5/4 * (k + 4))) and some KiB, where a key has k bytes, but at least 4, and a value that is read has v. Never shrinks as the
    /// numbers in `size` grow, where a longest of 0 is the count. Its content and its barriers: Sort::temporary_size().
    VkDeviceSize temporary_size(const Size& size) const;

    /// 0: unlike other operations, it takes no scratch.
    VkDeviceSize scratch_size(const Size& size) const;

    /// Says what is wrong with `args`, if anything: "Checks" in core.h. It does not read the offsets.
    Result<void> validate(const Args& args) const;

    /// Appends the sort to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

    SegmentedSort(SegmentedSort&&) noexcept;
    SegmentedSort& operator=(SegmentedSort&&) noexcept;
    ~SegmentedSort();

private:
    struct Plan;
    explicit SegmentedSort(std::unique_ptr<Plan> plan);
    std::unique_ptr<Plan> plan_;
};

} // namespace vkprim
