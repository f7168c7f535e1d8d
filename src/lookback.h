// The C++ side of include/vkprim/glsl/detail/lookback.glsl: the pipelines and dispatches of a primitive whose tiles learn from each other
// what comes before them.
#pragma once

#include "recorder.h"
#include "tuning/lookback.h"

namespace vkprim {

/// What a pipeline is for. All give the same result.
struct LookbackShape {
    bool     aligned;   ///< only addresses at which vectors may be loaded and stored whole
    uint32_t blocks;    ///< in a tile
    bool     one_group; ///< no more tiles than that
    uint32_t ahead;     ///< tiles from one to the one that it prefetches; 0: none
    uint32_t stage;     ///< LOOKBACK_STAGE
};

class Lookback {
public:
    struct Desc {
        std::string    primitive; ///< "scan", for the pipelines' names
        bool           waits   = true;
        bool           aligned = false; ///< no pipelines for other addresses
        LookbackTuning tuning;
        uint32_t       slots        = 1;  ///< words of scratch for what a tile hands over
        uint32_t       run_elements = 16; ///< that an invocation loads of each run
    };

    /// `specialize` sets what the primitive's pipelines need beyond what look-back itself does.
    static Result<Lookback> create(const CoreDevice& device, const Desc& desc,
                                   const std::function<PipelineDesc(const LookbackShape&)>& specialize);

    /// Bytes of scratch for so many elements; never shrinks as count grows.
    VkDeviceSize scratch_size(uint32_t count) const;

    /// Whether scratch can count the words that so many elements leave there: 2^30 elements of more than four words, and any number of others.
    bool fits(uint32_t count) const;

    /// `dispatch(pipeline, share)` appends one dispatch; `count` is at least 1.
    template <class Dispatch>
    void record(VkCommandBuffer commands, uint32_t count, bool aligned, const Part& part,
                const Dispatch& dispatch) const;

    /// Appends a dispatch for a share of the tiles; of the grid that lies on the GPU, if there is one. Where nobody waits there are
    /// several, of other grids, and the host's bounds must do.
    void dispatch(VkCommandBuffer commands, const Pipeline& pipeline, const void* push, const Share& share,
                  const Indirect& indirect) const {
        if (indirect.buffer && waits_) {
            record_indirect(commands, device_, pipeline, push, indirect);
        } else {
            record_dispatch(commands, device_, pipeline, push, share.count);
        }
    }

    /// Of a dispatch over all tiles.
    Grid grid(uint32_t count, bool aligned, uint32_t least) const {
        const uint32_t in_tile = blocks(count, aligned);
        return {block_ * in_tile, least, std::max(least, count == 0 ? 0 : tiles_of(count, in_tile))};
    }

    /// Its workgroups in the largest dispatch of a part.
    Share share(uint32_t count, bool aligned, const Part& part) const {
        return share_of_workgroups(tiles_of(count, blocks(count, aligned)), part, device_);
    }

    const CoreDevice& device() const { return device_; }

private:
    /// Of the dispatches in which nobody waits, those that touch input or output.
    struct Stages {
        Pipeline tiles, outputs;
    };

    bool is_small(uint32_t count, bool aligned) const { return waits_ && aligned && count <= small_count_; }

    const Pipeline& pipeline_for(uint32_t count, bool aligned) const {
        if (!aligned) return unaligned_;
        return is_small(count, aligned) ? small_ : large_;
    }

    /// In a tile.
    uint32_t blocks(uint32_t count, bool aligned) const { return is_small(count, aligned) ? 1 : blocks_; }

    uint32_t tiles_of(uint32_t count, uint32_t blocks) const { return (count - 1) / (block_ * blocks) + 1; }

    uint32_t scratch_words(uint32_t count) const; ///< of a lane

    CoreDevice device_;
    bool       waits_       = true;              ///< whether it has the variants, and not the stages
    uint32_t   slots_       = 1;                 ///< words of scratch for what a tile hands over
    uint32_t   block_       = VKPRIM_TILE_BLOCK; ///< elements
    uint32_t   blocks_      = 2;                 ///< in a tile
    uint32_t   small_count_ = 0;                 ///< up to this many elements, tiles are one block
    Pipeline   small_, large_;                   ///< for aligned addresses
    Pipeline   unaligned_;
    Stages     aligned_stages_, unaligned_stages_;
    Pipeline   groups_, supers_; ///< the stages between
};

template <class Dispatch>
void Lookback::record(VkCommandBuffer commands, uint32_t count, bool aligned, const Part& part,
                      const Dispatch& dispatch) const {
    if (waits_) {
        dispatch(pipeline_for(count, aligned), share(count, aligned, part));
        return;
    }
    const Stages&  stages    = aligned ? aligned_stages_ : unaligned_stages_;
    const uint32_t all_tiles = tiles_of(count, blocks_);
    const Share    tiles     = share(count, aligned, part);
    // Of as many tiles each: those that end in this part, and that others come behind.
    const auto closed = [&](uint32_t size) {
        const uint32_t first = std::min(tiles.first, all_tiles - 1) / size;
        return Share{first, std::min(tiles.first + tiles.count, all_tiles - 1) / size - first};
    };
    const uint32_t group = VKPRIM_TILE_FAN / blocks_, super = group * VKPRIM_TILE_FAN;
    for (const auto& [pipeline, share] :
         {std::pair(&stages.tiles, tiles), {&groups_, closed(group)}, {&supers_, closed(super)}}) {
        if (share.count == 0) continue;
        dispatch(*pipeline, share);
        record_barrier(commands, device_);
    }
    dispatch(stages.outputs, tiles);
}

} // namespace vkprim
