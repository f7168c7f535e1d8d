// Scan of each of many segments of an array, in one dispatch.
#pragma once

#include <vkprim/scan.h>
#include <vkprim/segments.h>

namespace vkprim {

/// Scans each segment (scan.h) and writes the results at the indices of the segment's elements. Elements in no segment are not written.
///
/// Each result has the bits that Scan gives for that segment alone. Segments are the rows of a matrix, or what
/// lies between offsets. Lengths may differ, and may be anything from 0 to what Args allows. A few invocations scan a short segment, and
/// many workgroups a long one. A workgroup waits only for the workgroups before it in the same segment.
/// With Desc::waits, one dispatch, which reads each element once, or twice in long segments. Otherwise up to four dispatches, which read the
/// input twice; record() records the barriers between them. In long segments, elements of several words, and all with few registers
/// (profile.h), are read once more. Each element is written once.
class VKPRIM_API SegmentedScan {
public:
    struct Desc {
        ElementType   type      = ElementType::u32;
        Operation     operation = Operation::add;
        Scan::Kind    kind      = Scan::Kind::exclusive;
        SegmentLayout segments  = SegmentLayout::offsets; ///< or rows

        /// Whether a workgroup may wait for others: Scan::Desc::waits.
        bool waits = true;

        /// If set: an element type and an operation of your own, as in Scan::Desc; `type` and `operation` are ignored. Its load() and
        /// store() get the number of an element; for rows that is row * count + column, also with count_address. Read during create()
        /// only.
        const OwnOperation* own = nullptr;
    };

    /// For rows, segments.count * (count + 4) must be below 2^32; for offsets, count + 4 * segments.count. If there are several rows, each
    /// must be smaller than 4 GiB. validate() also rejects what needs about 1.5 GiB of scratch; only elements of your own with 3 words or
    /// more can reach that.
    struct Args {
        VkDeviceAddress input = 0; ///< read: the elements, element-aligned

        /// Written: elements of output_type(type), aligned to their size. May be exactly `input` if output_type(type) == type, with the
        /// same pitch for rows; otherwise it must not overlap `input`.
        VkDeviceAddress output  = 0;
        VkDeviceAddress scratch = 0; ///< scratch_size(args) bytes, 16-byte aligned; zero-filled once
        uint32_t        count   = 0; ///< elements of a row, or of the whole input; with count_address, an upper bound
        /// If set: the address of a uint32; the count is the smaller of that number and `count`.
        VkDeviceAddress count_address = 0;
        /// The pitch is that of the input. If offsets descend, scratch must be zero-filled again.
        Segments     segments = {};
        VkDeviceSize output_pitch =
            0; ///< for rows, as segments.pitch: bytes from one row of the output to the next; 0: contiguous

        Part       part       = {}; ///< which part of the operation to record
        Parameters parameters = {}; ///< for the code of Desc::own
    };

    /// Fails with a reason if the device lacks a required feature (requirements.h), if `operation` is not
    /// available for `type`, or if the driver rejects a pipeline.
    static Result<SegmentedScan> create(const Context& context, const Desc& desc);

    /// Bytes of scratch that record() needs. It depends on count and segments.count alone, and never shrinks as they grow.
    VkDeviceSize scratch_size(const Args& args) const;

    /// Says what is wrong with `args`, if anything. See "Checks" in core.h. It does not read the offsets.
    Result<void> validate(const Args& args) const;

    /// Appends the scans to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

private:
    struct Plan;
    explicit SegmentedScan(detail::Owned<Plan> plan) : plan_(std::move(plan)) {}
    detail::Owned<Plan> plan_;
};

} // namespace vkprim
