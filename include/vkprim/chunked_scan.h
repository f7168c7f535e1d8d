// Scan of an array in chunks: one after the other, as a stream, or on several devices.
#pragma once

#include <vkprim/chunks.h>
#include <vkprim/scan.h>

#include <memory>

namespace vkprim {

/// The scan of an array that no buffer or device holds as a whole, or whose end is not known yet. Each output has the bits that Scan (scan.h)
/// gives for the whole array, however it is cut into chunks, and on whichever devices.
///
/// Chunks share an array of totals. For each group of 2^20 elements (2^19 of 8 bytes) it has the total, in the order of the
/// groups. record_totals() writes those of a chunk, totals_range(). record_outputs() reads those of all elements before the chunk, and writes
/// the chunk's output. So chunk by chunk on one device, record() does both. With several devices, call record_totals() for all chunks, copy
/// the ranges together, and then record_outputs().
/// The input is read twice. Each element of the output is written once.
class VKPRIM_API ChunkedScan {
public:
    struct Desc {
        ElementType type      = ElementType::u32;
        Operation   operation = Operation::add;
        Scan::Kind  kind      = Scan::Kind::exclusive;
    };

    struct Args {
        VkDeviceAddress input = 0; ///< read: the chunk's elements, element-aligned

        /// Written by record_outputs(): the chunk's results, of output_type(type). May be exactly `input` if output_type(type) == type;
        /// otherwise it must not overlap `input`.
        VkDeviceAddress output = 0;

        /// The totals, 16-byte aligned: record_totals() writes totals_range() of it, and record_outputs() reads
        /// totals_size(chunk.begin + chunk.count) bytes.
        VkDeviceAddress totals = 0;

        /// temporary_size(chunk.count) bytes, 16-byte aligned. record_totals() leaves there what record_outputs() of the same chunk reads.
        VkDeviceAddress temporary = 0;

        Chunk chunk = {}; ///< which elements of the array
    };

    /// Fails with a reason where the device lacks a required feature (requirements.h), where `operation` is not
    /// available for `type`, or where the driver rejects a pipeline.
    static Result<ChunkedScan> create(const Context& context, const Desc& desc);

    /// Bytes of the totals of `count` elements: 4 or 8 for each whole group.
    VkDeviceSize totals_size(uint64_t count) const;

    /// The bytes of the totals that record_totals() writes for a chunk.
    TotalsRange totals_range(const Chunk& chunk) const;

    /// Bytes of temporary memory for a chunk of so many elements: about count / 1024, or count / 256 where they have 8 bytes, and 2048.
    VkDeviceSize temporary_size(uint32_t count) const;

    /// Says what is wrong with `args`, if anything: "Checks" in core.h.
    Result<void> validate(const Args& args) const;

    /// Appends the totals, the outputs, or both to `commands`, with the barriers between dispatches. An empty chunk records nothing.
    /// Allocates nothing, submits nothing, waits for nothing.
    void record_totals(VkCommandBuffer commands, const Args& args) const;
    void record_outputs(VkCommandBuffer commands, const Args& args) const;
    void record(VkCommandBuffer commands, const Args& args) const;

    ChunkedScan(ChunkedScan&&) noexcept;
    ChunkedScan& operator=(ChunkedScan&&) noexcept;
    ~ChunkedScan();

private:
    struct Plan;
    explicit ChunkedScan(std::unique_ptr<Plan> plan);
    std::unique_ptr<Plan> plan_;
};

} // namespace vkprim
