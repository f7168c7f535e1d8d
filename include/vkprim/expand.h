// Run-length decoding: each value is repeated for all elements of its segment. Or, for each element, the index of its segment.
#pragma once

#include <vkprim/core.h>
#include <vkprim/segments.h>

namespace vkprim {

/// For each segment s, and offsets[s] <= i < offsets[s + 1]:
///
///     output[i] = values[s]   run-length decoding
///     output[i] = s           with Values::indices: the segment of each element
///
/// This is the inverse of Compact with Keep::run_heads and Desc::indices_end: the kept keys are the values, and the indices are the offsets.
/// To repeat value s a given number of times, use the exclusive sum of these numbers, followed by the total, as offsets. It also distributes
/// work: if item s makes offsets[s + 1] - offsets[s] tasks, Values::indices gives each task its item.
///
/// Exact on every device. One dispatch, which reads each offset and value about once and writes each element once. Workgroups have equal
/// shares of segments and elements together, so neither long nor empty segments make one of them slow (Green, Odeh and Birk, "Merge Path - A
/// Visually Intuitive Approach to Parallel Merging", 2014). No workgroup waits for another.
class VKPRIM_API Expand {
public:
    /// What is written for each element.
    enum class Values : uint32_t {
        indices, ///< the index of its segment, as uint32; only offsets are read
        bytes4,
        bytes8,
        bytes16,
    };

    struct Desc {
        Values values = Values::bytes4;
    };

    /// count + segments.count must be below 2^32.
    struct Args {
        VkDeviceAddress values = 0; ///< read: segments.count values, value-aligned; not with Values::indices
        /// Written: `count` values, value-aligned; must not overlap anything else in Args. Elements before the first offset are not written.
        VkDeviceAddress output = 0;
        uint32_t        count  = 0; ///< elements that the output has room for; no more are written
        /// With `offsets` of 4 bytes, and no pitch.
        Segments segments = {};
        Part     part     = {}; ///< which part of the operation to record
    };

    /// Fails with a reason if the device lacks a required feature (requirements.h), or if the driver rejects a pipeline.
    static Result<Expand> create(const Context& context, const Desc& desc);

    /// 0: it takes no scratch.
    VkDeviceSize scratch_size(const Args& args) const;

    /// Says what is wrong with `args`, if anything. See "Checks" in core.h. It does not read the offsets.
    Result<void> validate(const Args& args) const;

    /// Appends the operation to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

private:
    struct Plan;
    explicit Expand(detail::Owned<Plan> plan) : plan_(std::move(plan)) {}
    detail::Owned<Plan> plan_;
};

} // namespace vkprim
