// Stable radix sort of each of many segments of an array.
#pragma once

#include <vkprim/segments.h>
#include <vkprim/sort.h>

namespace vkprim {

/// Sorts the keys of each segment, and moves values along with them. Each segment is sorted as Sort (sort.h) would sort it alone: with the
/// same order of floats, descending order and ranges of bits, and stably. Indices count from the segment's beginning. Keys and values in no
/// segment are neither moved nor written.
///
/// Segments are the rows of a matrix, or lie between offsets; lengths may differ. Exact and stable on every device.
///
/// A segment is short if it has at most most_short() keys. If all segments are short, many of them share a workgroup, and the sort is one
/// dispatch, which reads and writes each key and value once. For segments between offsets, Segments::longest must say that they are short.
/// Otherwise, rows are sorted as in Sort. For segments between offsets, all keys are then sorted with their indices, the indices are sorted
/// by the number of their segment, and keys and values are gathered. That takes a pass for each byte of a key, and for each byte of
/// segments + 1. record() records the barriers between the dispatches. No workgroup waits for another.
class VKPRIM_API SegmentedSort {
public:
    using Values = Sort::Values;

    struct Desc {
        ElementType   key        = ElementType::u32; ///< any; 1 and 2 bytes need Features::storage_buffer_8bit_access
        Values        values     = Values::none;
        bool          descending = false;
        SegmentLayout segments   = SegmentLayout::offsets; ///< or rows
    };

    /// For rows, there are at most 2^31, and segments.count times the keys from one row to the next must be below 2^32. For segments between
    /// offsets, count + 2 * segments.count must be below 2^32.
    struct Args {
        VkDeviceAddress keys          = 0; ///< read: the keys, key-aligned
        VkDeviceAddress values        = 0; ///< read: as many values, value-aligned; unless Values::none or indices
        VkDeviceAddress output_keys   = 0; ///< written: as many keys, key-aligned; may be exactly `keys`
        VkDeviceAddress output_values = 0; ///< written: as many values, value-aligned; may be exactly `values`
        VkDeviceAddress temporary     = 0; ///< temporary_size(args) bytes, 16-byte aligned; need not be initialized
        /// Keys of a row, or of the whole input; with count_address, an upper bound; 0 records nothing.
        uint32_t count = 0;
        /// If set: the address of a uint32; the count is the smaller of that number and `count`.
        VkDeviceAddress count_address = 0;
        /// The pitch is that of `keys`, a multiple of a key's size; rows of all other memory have as many elements from one to the next. Its
        /// count_address is not for rows.
        Segments segments = {};

        /// As in Sort::Args: integers are ordered by bits begin_bit to end_bit - 1; end_bit 0 means the number of bits of a key.
        uint32_t begin_bit = 0, end_bit = 0;
    };

    /// Fails with a reason if the device lacks a required feature (requirements.h) or the one for keys of 1 and 2 bytes, or
    /// if the driver rejects a pipeline.
    static Result<SegmentedSort> create(const Context& context, const Desc& desc);

    /// The most keys of a short segment, which one workgroup sorts: 64 to 12288, depending on the device, the profile, Desc::segments and
    /// the size of keys. Rows that fit into a tile of Sort take one dispatch, too.
    uint32_t most_short() const;

    /// Bytes of Args::temporary; 0 if the sort is one dispatch. For rows, as in Sort. For segments between offsets, at most
    /// count * (12 + k) and some KiB, and the larger of count * (k + v) and what Sort takes for keys of k bytes with values of 4. There, k is
    /// the size of a key, but at least 4, and v the size of a value that is read. Of `args`, only count, segments.count and segments.longest
    /// matter. It never shrinks as they grow (a `longest` of 0 stands for the count). Sort::temporary_size() says what applies to its content
    /// and barriers.
    VkDeviceSize temporary_size(const Args& args) const;

    /// 0: unlike other operations, it takes no scratch.
    VkDeviceSize scratch_size(const Args& args) const;

    /// Says what is wrong with `args`, if anything. See "Checks" in core.h. It does not read the offsets.
    Result<void> validate(const Args& args) const;

    /// Appends the sort to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

private:
    struct Plan;
    explicit SegmentedSort(detail::Owned<Plan> plan) : plan_(std::move(plan)) {}
    detail::Owned<Plan> plan_;
};

} // namespace vkprim
