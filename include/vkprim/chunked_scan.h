// Scan of an array in chunks: one after the other, as a stream, or on several devices.
#pragma once

#include <vkprim/chunks.h>
#include <vkprim/scan.h>

namespace vkprim {

/// The scan of an array that does not fit into one buffer or device, or whose length is not known yet. Each output has the bits that Scan
/// (scan.h) gives for the whole array, however it is divided into chunks, and on any devices.
///
/// Chunks share an array of totals, one for each whole group of 2^20 elements (2^19 of 8 bytes), in the order of the groups.
/// record_totals() writes the totals of one chunk: totals_range(). record_outputs() reads the totals from the array's beginning to the
/// end of the chunk, and writes the chunk's output.
///
/// If one device takes one chunk after the other, record() does both. It needs the totals of all chunks before, and a barrier after the
/// previous chunk. If the length of the array is not known, `totals` needs room for the largest possible one: totals_size(most). A chunk
/// whose count is not a multiple of chunk_step must be the last.
///
/// With several devices, call record_totals() for all chunks. Then copy each totals_range() to the same offset in every device's totals.
/// Then call record_outputs() for each chunk, on the device that had its record_totals(), with the same Args. Until then the chunk's
/// `input` and `temporary` must not change, so each chunk needs `temporary` of its own.
///
/// The caller records a barrier between record_totals() and record_outputs() ("Barriers" in core.h). No barrier is needed between calls of
/// record_totals() for different chunks, if each has `temporary` of its own. Nor is one needed between calls of record_outputs(), if no
/// chunk's output overlaps the input or output of another chunk. There is no scratch.
/// The input is read twice, and with few registers (profile.h) three times. Each element of the output is written once.
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
        /// otherwise it must not overlap `input`. Aligned to its element. `totals` and `temporary` must not overlap each other, `input`
        /// or `output`.
        VkDeviceAddress output = 0;

        /// The totals, 16-byte aligned: record_totals() writes totals_range() of it, and record_outputs() reads
        /// totals_size(chunk.begin + chunk.count) bytes.
        VkDeviceAddress totals = 0;

        /// temporary_size(chunk.count) bytes, 16-byte aligned. record_totals() writes what record_outputs() of the same chunk reads, and
        /// changes.
        VkDeviceAddress temporary = 0;

        Chunk chunk = {}; ///< which elements of the array
    };

    /// Fails with a reason if the device lacks a required feature (requirements.h), if `operation` is not
    /// available for `type`, or if the driver rejects a pipeline.
    static Result<ChunkedScan> create(const Context& context, const Desc& desc);

    /// Bytes of the totals of `count` elements: 4 or 8 for each whole group.
    VkDeviceSize totals_size(uint64_t count) const;

    /// The bytes of the totals that record_totals() writes for a chunk.
    TotalsRange totals_range(const Chunk& chunk) const;

    /// Bytes of temporary memory for a chunk of `count` elements: about count / 1024 + 1024, or count / 256 + 2048 for elements of 8 bytes.
    VkDeviceSize temporary_size(uint32_t count) const;

    /// Says what is wrong with `args`, if anything. See "Checks" in core.h.
    Result<void> validate(const Args& args) const;

    /// Appends the totals, the outputs, or both to `commands`, with the barriers between dispatches. An empty chunk records nothing.
    /// Allocates nothing, submits nothing, waits for nothing.
    void record_totals(VkCommandBuffer commands, const Args& args) const;
    void record_outputs(VkCommandBuffer commands, const Args& args) const;
    void record(VkCommandBuffer commands, const Args& args) const;

private:
    struct Plan;
    explicit ChunkedScan(detail::Owned<Plan> plan) : plan_(std::move(plan)) {}
    detail::Owned<Plan> plan_;
};

} // namespace vkprim
