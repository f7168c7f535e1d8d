// Reduction of each of many segments of an array, in one dispatch.
#pragma once

#include <vkprim/core.h>

#include <memory>

namespace vkprim {

/// output[s] = the reduction of segment s, as Reduce has it; the identity of a segment without elements.
///
/// Each result has the bits that Reduce gives for that segment alone. Segments are rows of a matrix, or lie between offsets, in any mixture of
/// lengths from 0 to 2^32 - 1. Short ones are reduced by a few invocations each, long ones by many workgroups, so that none waits for another.
/// One dispatch; each element is read once.
class VKPRIM_API SegmentedReduce {
public:
    enum class Segments : uint32_t {
        offsets, ///< segment s begins with element offsets[s], and ends ahead of element offsets[s + 1]
        rows,    ///< all are as long, and from one to the next there are `pitch` bytes
    };

    struct Desc {
        ElementType type    = ElementType::u32;
        Operation operation = Operation::add; ///< of argmin and argmax, indices count from the segment's first element
        Segments  segments  = Segments::offsets;
    };

    /// Of it follows how much scratch is needed. Of rows, segments * (count + 4) must be below 2^32; of others, count + 4 * segments.
    struct Size {
        uint32_t count    = 0; ///< elements: of a row, or of the whole input; with count_address, an upper bound
        uint32_t segments = 0; ///< how many; with segments_address, an upper bound
    };

    struct Args {
        VkDeviceAddress input   = 0; ///< read: the elements, element-aligned
        VkDeviceAddress output  = 0; ///< written: for each segment what Reduce writes; not in `input`
        VkDeviceAddress scratch = 0; ///< scratch_size(size) bytes, 16-byte aligned; zero-filled once
        Size            size    = {};
        VkDeviceAddress count_address =
            0; ///< if set: of a uint32 to use instead of size.count, at most as many; nobody writes to it
        VkDeviceAddress segments_address = 0; ///< if set: of a uint32 to use instead of size.segments, in the same way

        /// Of offsets: read, size.segments + 1 unsigned integers that do not descend, of `offset_size` bytes and aligned to them. What is
        /// beyond size.count counts as that. Where they descend, results are undefined, nothing is read or written that is not
        /// otherwise, and scratch must be zero-filled again.
        VkDeviceAddress offsets     = 0;
        uint32_t        offset_size = 4; ///< 4 or 8

        uint32_t pitch = 0;  ///< of rows: bytes from one to the next, a multiple of the element's alignment; 0: no gap
        Part     part  = {}; ///< which part of it to record, where it is recorded in several
    };

    /// Fails with a reason where the device lacks a required feature (requirements.h), where `type` does not have
    /// `operation`, or where the driver rejects a pipeline.
    static Result<SegmentedReduce> create(const Context& context, const Desc& desc);

    /// Bytes of scratch that record() needs; never shrinks as size.count or size.segments grow.
    VkDeviceSize scratch_size(const Size& size) const;

    /// What is wrong with `args`, if anything: "Checks" in core.h. Offsets are not looked at.
    Result<void> validate(const Args& args) const;

    /// Appends the reductions to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

    SegmentedReduce(SegmentedReduce&&) noexcept;
    SegmentedReduce& operator=(SegmentedReduce&&) noexcept;
    ~SegmentedReduce();

private:
    struct Plan;
    explicit SegmentedReduce(std::unique_ptr<Plan> plan);
    std::unique_ptr<Plan> plan_;
};

} // namespace vkprim
