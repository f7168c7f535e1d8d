// Reduction of an array in chunks: one after the other, or on several devices.
#pragma once

#include <vkprim/chunks.h>

namespace vkprim {

/// The reduction of an array that does not fit into one buffer or device. The result has the bits that Reduce (reduce.h) gives for the whole
/// array, however it is divided into chunks, and on any devices.
///
/// First, call record_totals() for each chunk, in any order, on any device. It writes totals of fixed ranges of the array to `totals`, an
/// array of totals_size(whole) bytes. Each chunk writes its totals_range() and nothing else, so no barrier is needed between chunks.
/// If several devices take part, copy each range to the same offset in the totals of the device that combines them.
/// Then call record_result(), on one device or on each. The caller records a barrier before it ("Barriers" in core.h), or after a copy a
/// barrier from the transfer. There is no scratch. Each element is read once.
class VKPRIM_API ChunkedReduce {
public:
    /// argmin and argmax give indices of 32 bits, so their arrays have fewer than 2^32 elements.
    struct Desc {
        ElementType type      = ElementType::u32;
        Operation   operation = Operation::add;
        bool        wide      = false; ///< as Reduce::Desc: sums and products of integers in 64 bits
    };

    struct TotalsArgs {
        VkDeviceAddress input = 0; ///< read: the chunk's elements, element-aligned
        /// Written: totals_range() of the totals that begin here, 16-byte aligned; must not overlap `input`.
        VkDeviceAddress totals = 0;
        Chunk           chunk  = {}; ///< which elements of the array
        uint64_t        whole  = 0;  ///< elements of the array
    };

    struct ResultArgs {
        VkDeviceAddress totals    = 0; ///< read: totals_size(whole) bytes, 16-byte aligned
        VkDeviceAddress temporary = 0; ///< temporary_size() bytes, 16-byte aligned; undefined afterwards
        VkDeviceAddress output    = 0; ///< written: one element, as Reduce::Args::output; overlaps none of the others
        uint64_t        whole     = 0; ///< elements of the array; for 0, the output is the identity
    };

    /// Fails with a reason if the device lacks a required feature (requirements.h), if `operation` is not
    /// available for `type`, or if the driver rejects a pipeline.
    static Result<ChunkedReduce> create(const Context& context, const Desc& desc);

    /// Bytes of the totals of an array of `whole` elements: at most 65536 totals of 4 or 8 bytes.
    VkDeviceSize totals_size(uint64_t whole) const;

    /// The bytes of the totals that record_totals() writes for a chunk of an array of `whole` elements.
    TotalsRange totals_range(const Chunk& chunk, uint64_t whole) const;

    VkDeviceSize temporary_size() const; ///< bytes, at most 2048

    /// Says what is wrong with `args`, if anything. See "Checks" in core.h.
    Result<void> validate(const TotalsArgs& args) const;
    Result<void> validate(const ResultArgs& args) const;

    /// Appends one dispatch to `commands`, or none for an empty chunk. Allocates nothing, submits nothing, waits for nothing.
    void record_totals(VkCommandBuffer commands, const TotalsArgs& args) const;

    /// Appends one dispatch, or two with a barrier between them. Allocates nothing, submits nothing, waits for nothing.
    void record_result(VkCommandBuffer commands, const ResultArgs& args) const;

private:
    struct Plan;
    explicit ChunkedReduce(detail::Owned<Plan> plan) : plan_(std::move(plan)) {}
    detail::Owned<Plan> plan_;
};

} // namespace vkprim
