#include "lookback.h"

#include <vkprim/glsl/detail/lookback.h>
#include <vkprim/glsl/detail/scratch.h>

namespace vkprim {

Result<Lookback> Lookback::create(const CoreDevice& device, const Desc& desc,
                                  const std::function<PipelineDesc(const LookbackShape&)>& specialize) {
    const LookbackTuning& tuning = desc.tuning;
    Lookback              lookback;
    lookback.device_ = device;
    lookback.waits_  = desc.waits && tuning.waits != 0;
    lookback.slots_  = desc.slots;
    lookback.block_  = VKPRIM_TILE_BLOCK / 16 * desc.run_elements;
    lookback.blocks_ = tuning.blocks;
    // Where all tiles are of a block, few of them need no pipeline of their own.
    if (tuning.blocks > 1) lookback.small_count_ = tuning.small_tiles * lookback.block_;

    const auto build = [&](Pipeline& pipeline, const char* name, bool aligned, bool small,
                           uint32_t stage) -> Result<void> {
        // Few tiles all run at once, with none ahead of them.
        const uint32_t    ahead         = small || stage != 0 ? 0 : tuning.ahead;
        PipelineDesc      pipeline_desc = specialize({aligned, small ? 1 : tuning.blocks, small, ahead, stage});
        const std::string full_name     = desc.primitive + ", " + name;
        pipeline_desc.name              = full_name.c_str();
        pipeline_desc.tickets           = stage == 0 && tuning.tickets != 0;
        pipeline_desc.fault             = tuning.fault;
        pipeline_desc.fault_share       = tuning.fault_share;
        auto created                    = Pipeline::create(device, pipeline_desc);
        if (!created) return created.error();
        pipeline = std::move(*created);
        return {};
    };
    if (lookback.waits_) {
        for (Pipeline* pipeline : {&lookback.small_, &lookback.large_, &lookback.unaligned_}) {
            const bool  aligned = pipeline != &lookback.unaligned_, small = pipeline == &lookback.small_;
            const char* name = small ? "small" : aligned ? "large" : "unaligned";
            if ((small && lookback.small_count_ == 0) || (!aligned && desc.aligned)) continue;
            if (auto done = build(*pipeline, name, aligned, small, 0); !done) return done.error();
        }
        return {std::move(lookback)};
    }
    struct Stage {
        Pipeline*   pipeline;
        const char* name;
        bool        aligned;
        uint32_t    number; ///< in include/vkprim/glsl/detail/lookback.glsl
    };
    for (const Stage& stage : {Stage{&lookback.aligned_stages_.tiles, "tiles", true, 1},
                               {&lookback.unaligned_stages_.tiles, "unaligned tiles", false, 1},
                               {&lookback.groups_, "groups", true, 2},
                               {&lookback.supers_, "supers", true, 3},
                               {&lookback.aligned_stages_.outputs, "outputs", true, 4},
                               {&lookback.unaligned_stages_.outputs, "unaligned outputs", false, 4}}) {
        if (!stage.aligned && desc.aligned) continue;
        if (auto done = build(*stage.pipeline, stage.name, stage.aligned, false, stage.number); !done)
            return done.error();
    }
    return {std::move(lookback)};
}

uint32_t Lookback::scratch_words(uint32_t count) const {
    const uint32_t small = std::min(tiles_of(count, 1), small_count_ / block_);
    const uint32_t large = vkprim_lookback_words(tiles_of(count, blocks_), VKPRIM_TILE_FAN / blocks_, VKPRIM_TILE_FAN);
    return std::max(small, large) * slots_;
}

bool Lookback::fits(uint32_t count) const { return count == 0 || scratch_words(count) < VKPRIM_SCRATCH_MOST_LEFT; }

VkDeviceSize Lookback::scratch_size(uint32_t count) const {
    return vkprim_scratch_bytes(count == 0 ? 0 : scratch_words(count));
}

} // namespace vkprim
