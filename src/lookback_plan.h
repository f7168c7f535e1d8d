// The C++ side of include/vkprim/glsl/detail/lookback.glsl: the pipelines and dispatches of a primitive whose tiles look back.
#pragma once

#include "recorder.h"
#include "tuning/lookback.h"

#include <array>

namespace vkprim {

/// What a pipeline is for. All give the same result.
struct LookbackShape {
    /// For few or for many tiles, and for addresses that are multiples of a vector or not; without waiting, for one of the stages.
    enum Role : uint32_t {
        small,
        large,
        unaligned,
        tiles,
        unaligned_tiles,
        groups,
        supergroups,
        outputs,
        unaligned_outputs,
        role_count
    };

    Role     role;
    uint32_t addresses;         ///< VKPRIM_RUNS_...
    uint32_t blocks;            ///< in a tile
    bool     one_group;         ///< no more tiles than that
    uint32_t prefetch_distance; ///< tiles from one to the one that it prefetches; 0: none
    uint32_t stage;             ///< VKPRIM_STAGE_...
};

/// One dispatch of an operation: over a share of its tiles, groups or supergroups.
struct LookbackStep {
    const Pipeline* pipeline = nullptr;
    Share           share{};
    bool            is_first = true; ///< otherwise a barrier comes before it
};

/// Up to four of them.
class LookbackSteps {
public:
    void add(const Pipeline& pipeline, const Share& share) {
        steps_[count_] = {&pipeline, share, count_ == 0};
        ++count_;
    }
    const LookbackStep* begin() const { return steps_.data(); }
    const LookbackStep* end() const { return steps_.data() + count_; }

private:
    std::array<LookbackStep, 4> steps_;
    uint32_t                    count_ = 0;
};

/// Created without pipelines: build() one for each of shapes(). To record an operation, record() each of its steps().
class Lookback {
public:
    struct Desc {
        const char*    primitive = ""; ///< "scan", for the pipelines' names
        bool           waits     = true;
        bool           aligned   = false; ///< no pipelines for other addresses
        LookbackTuning tuning;
        uint32_t       slots        = 1;  ///< words of scratch for what a tile hands over
        uint32_t       run_elements = 16; ///< that an invocation loads of each run
    };

    Lookback(const CoreDevice& device, const Desc& desc);

    /// The pipelines that it needs.
    std::vector<LookbackShape> shapes() const;

    /// One of them. `desc` has what the primitive's pipelines need beyond what look-back itself does.
    void add_to(PipelineList& pipelines, const LookbackShape& shape, PipelineDesc desc);

    /// Bytes of scratch for so many elements; never shrinks as count grows.
    VkDeviceSize scratch_size(uint32_t count) const;

    /// Whether the header of scratch can express how many words so many elements leave: true for up to 2^30 elements, and for any number of
    /// elements of up to four words.
    bool fits(uint32_t count) const;

    /// The dispatches of an operation on at least one element, in their order: one, or several without waiting.
    LookbackSteps steps(uint32_t count, bool is_aligned, const Part& part) const;

    /// Appends a step, with the grid in GPU memory, if there is one. Without waiting there are several, of other grids, and the
    /// host's bounds must do.
    void record(VkCommandBuffer commands, const LookbackStep& step, const void* push, const Indirect& indirect) const {
        if (!step.is_first) record_barrier(commands, device_);
        record_dispatch(commands, device_, *step.pipeline, push, step.share.count, waits_ ? indirect : Indirect{});
    }

    /// The grid of a dispatch over all tiles.
    Grid grid(uint32_t count, bool aligned, uint32_t least) const {
        const uint32_t in_tile = blocks(count, has_vectors(aligned));
        return {block_ * in_tile, least, std::max(least, count == 0 ? 0 : tiles_of(count, in_tile))};
    }

    /// Its workgroups in the largest dispatch of a part.
    Share share(uint32_t count, bool aligned, const Part& part) const {
        return share_of_workgroups(tiles_of(count, blocks(count, has_vectors(aligned))), part, device_);
    }

    const CoreDevice& device() const { return device_; }

private:
    /// Whether the roles for multiples of a vector are those for addresses that are `aligned` so, or not.
    bool has_vectors(bool aligned) const { return only_aligned_ || (aligned && tuning_.aligned != 0); }

    bool is_small(uint32_t count, bool aligned) const { return waits_ && aligned && count <= small_count_; }

    /// In a tile.
    uint32_t blocks(uint32_t count, bool aligned) const { return is_small(count, aligned) ? 1 : tuning_.blocks; }

    uint32_t tiles_of(uint32_t count, uint32_t blocks) const { return (count - 1) / (block_ * blocks) + 1; }

    uint32_t scratch_words(uint32_t count) const; ///< of a stripe

    CoreDevice     device_;
    const char*    primitive_;
    bool           waits_;        ///< whether it has the first roles, and not the stages
    bool           only_aligned_; ///< whether it lacks the roles for other addresses
    LookbackTuning tuning_;
    uint32_t       slots_;       ///< words of scratch for what a tile hands over
    uint32_t       block_;       ///< elements
    uint32_t       small_count_; ///< up to this many elements, tiles are one block

    std::array<Pipeline, LookbackShape::role_count> pipelines_;
};

} // namespace vkprim
