// Reduction of each of many segments of an array, in one dispatch.
#pragma once

#include <vkprim/core.h>
#include <vkprim/operation.h>
#include <vkprim/segments.h>

namespace vkprim {

/// output[s] = the reduction of segment s; the identity of the operation if the segment has no elements.
///
/// Each result has the bits that Reduce gives for that segment alone. Segments are the rows of a matrix, or lie between offsets. Lengths may
/// differ, and may be anything from 0 to what Args allows. A few invocations reduce a short segment, and many workgroups a long one. No
/// workgroup waits for another. One dispatch; each element is read once.
class VKPRIM_API SegmentedReduce {
public:
    struct Desc {
        ElementType   type      = ElementType::u32;
        Operation     operation = Operation::add; ///< indices of argmin and argmax count from the segment's start
        SegmentLayout segments  = SegmentLayout::offsets; ///< or rows

        /// If set: an element type and an operation of your own, as in Reduce::Desc; `type` and `operation` are ignored. Its load() gets
        /// the number of an element; for rows that is row * count + column, also with count_address. Its store() gets the number of
        /// the segment. Read during create() only.
        const OwnOperation* own = nullptr;

        bool wide = false; ///< as Reduce::Desc: sums and products of integers in 64 bits
    };

    /// For rows, segments.count * (count + 4) must be below 2^32; for offsets, count + 4 * segments.count. If there are several rows, each
    /// must be smaller than 4 GiB. validate() also rejects what needs about 1.5 GiB of scratch; only elements of your own with 3 words or
    /// more can reach that.
    struct Args {
        VkDeviceAddress input   = 0; ///< read: the elements, element-aligned
        VkDeviceAddress output  = 0; ///< written: for each segment a result as in Reduce::Args; must not overlap inputs
        VkDeviceAddress scratch = 0; ///< scratch_size(args) bytes, 16-byte aligned; zero-filled once
        uint32_t        count   = 0; ///< elements of a row, or of the whole input; with count_address, an upper bound
        /// If set: the address of a uint32; the count is the smaller of that number and `count`.
        VkDeviceAddress count_address = 0;
        /// The pitch is ignored if Desc::own has a load(). If offsets descend, scratch must be zero-filled again.
        Segments   segments   = {};
        Part       part       = {}; ///< which part of the operation to record
        Parameters parameters = {}; ///< for the code of Desc::own
    };

    /// Fails with a reason if the device lacks a required feature (requirements.h), if `operation` is not
    /// available for `type`, or if the driver rejects a pipeline.
    static Result<SegmentedReduce> create(const Context& context, const Desc& desc);

    /// Bytes of scratch that record() needs. It depends on count and segments.count alone, and never shrinks as they grow.
    VkDeviceSize scratch_size(const Args& args) const;

    /// Says what is wrong with `args`, if anything. See "Checks" in core.h. It does not read the offsets.
    Result<void> validate(const Args& args) const;

    /// Appends the reductions to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

private:
    struct Plan;
    explicit SegmentedReduce(detail::Owned<Plan> plan) : plan_(std::move(plan)) {}
    detail::Owned<Plan> plan_;
};

} // namespace vkprim
