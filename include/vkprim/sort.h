// Stable radix sort of keys, alone or with values.
#pragma once

#include <vkprim/core.h>
#include <vkprim/segments.h>

namespace vkprim {

/// Orders keys, and moves values along with them:
///
///     output_keys[j]    the keys in ascending or descending order; equal keys keep their order
///     output_values[j]  the value of the key at output_keys[j], or its index in `keys`
///
/// Floats have a total order: numbers from -infinity to infinity, with -0 before +0, and then NaN. NaN with a clear sign bit come before
/// NaN with a set one; within each group, NaN are ordered by their bits. Descending is the reverse, so NaN comes first. Equal keys still
/// keep their order.
///
/// With SegmentLayout::rows, each row of a matrix is sorted as if it were alone. Indices count from the row's beginning.
///
/// Integers may be ordered by a range of their bits only. The highest bit of signed integers is the sign, and negative ones come first.
///
/// Exact and stable on every device. If all keys fit into one workgroup (512 to 8192 keys of 4 bytes without values, depending on the
/// device), the sort is one dispatch. Otherwise it takes one pass for each byte of the range of bits; in place, one more if that number is
/// odd. A pass is two or three dispatches, depending on the number of keys; record() records the barriers between them. A pass reads keys
/// twice, writes them once, and reads and writes values once. Many rows take no more dispatches than one row. Rows that fit into one
/// workgroup share it with as many others as have room. No workgroup waits for another.
class VKPRIM_API Sort {
public:
    /// What goes with each key.
    enum class Values : uint32_t {
        none,
        indices, ///< the index of each key in `keys`, as uint32; generated, not read
        bytes4,
        bytes8,
        bytes16,
    };

    struct Desc {
        ElementType   key        = ElementType::u32; ///< any; 1 and 2 bytes need Features::storage_buffer_8bit_access
        Values        values     = Values::none;
        bool          descending = false;
        SegmentLayout segments   = SegmentLayout::none; ///< or rows; for offsets, use SegmentedSort
    };

    struct Args {
        VkDeviceAddress keys          = 0; ///< read: count keys of each row, key-aligned
        VkDeviceAddress values        = 0; ///< read: as many values, value-aligned; unless Values::none or indices
        VkDeviceAddress output_keys   = 0; ///< written: as many keys, key-aligned; may be exactly `keys`
        VkDeviceAddress output_values = 0; ///< written: as many values, value-aligned; may be exactly `values`
        VkDeviceAddress temporary     = 0; ///< temporary_size(args) bytes, 16-byte aligned; need not be initialized
        uint32_t count = 0; ///< keys of a row, up to 2^32 - 1; with count_address, an upper bound; 0 records nothing
        /// If set: the address of a uint32; the count of every row is the smaller of that number and `count`.
        VkDeviceAddress count_address = 0;

        /// The rows that are sorted, each by itself: at most 2^31, a number that the host knows. The pitch is that of `keys`, a multiple of a
        /// key's size; rows of all other memory have as many elements from one to the next. segments.count times these must be below 2^32.
        Segments segments = {};

        /// Integers are ordered by bits begin_bit to end_bit - 1; end_bit 0 means the number of bits of a key. Floats need all bits.
        uint32_t begin_bit = 0, end_bit = 0;
        Indirect indirect = {}; ///< if set: where the dispatch command lies; requires count_address and one row
    };

    /// Fails with a reason if the device lacks a required feature (requirements.h) or the one for keys of 1 and 2 bytes, or
    /// if the driver rejects a pipeline.
    static Result<Sort> create(const Context& context, const Desc& desc);

    /// Bytes of Args::temporary: the size of the keys and values, plus at most 2 KiB for each tile, plus some KiB (for each row, if there
    /// are many). A tile has 2048 keys or more on most devices, 1024 or more if keys or values have more than 4 bytes, and fewer on devices
    /// with little shared memory, few registers or subgroups of 8. 0 if the sort is one dispatch. It depends on count and segments.count
    /// alone, and never shrinks as they grow. The memory need not be initialized, and its content is undefined afterwards. "Barriers" in
    /// core.h applies to it.
    VkDeviceSize temporary_size(const Args& args) const;

    /// 0: unlike other operations, it takes no scratch.
    VkDeviceSize scratch_size(const Args& args) const;

    /// The grid of record() with these `args`, which must have one row. Pass it to IndirectCommand, which writes the command for
    /// Args::indirect. All dispatches of one record() that process keys share it. The grids of the others do not depend on
    /// the count.
    Grid grid(const Args& args) const;

    /// Says what is wrong with `args`, if anything. See "Checks" in core.h.
    Result<void> validate(const Args& args) const;

    /// Appends the sort to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

private:
    struct Plan;
    explicit Sort(detail::Owned<Plan> plan) : plan_(std::move(plan)) {}
    detail::Owned<Plan> plan_;
};

} // namespace vkprim
