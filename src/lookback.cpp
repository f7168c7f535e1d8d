#include "lookback.h"

#include <vkprim/glsl/detail/lookback.h>
#include <vkprim/glsl/detail/scratch.h>

namespace vkprim {

Result<Lookback> Lookback::create(const CoreDevice& device, const Desc& desc,
                                  const std::function<PipelineDesc(const LookbackShape&)>& specialize) {
    const LookbackTuning& tuning = desc.tuning;
    Lookback              lookback;
    lookback.device_      = device;
    lookback.waits_       = desc.waits && tuning.waits != 0;
    lookback.small_count_ = tuning.small_tiles * VKPRIM_TILE_BLOCK;

    const auto build = [&](Pipeline& pipeline, const char* name, bool aligned, uint32_t blocks,
                           uint32_t stage) -> Result<void> {
        // Few tiles all run at once, with none ahead of them.
        const uint32_t    ahead         = blocks == 1 || stage != 0 ? 0 : tuning.ahead;
        PipelineDesc      pipeline_desc = specialize({aligned, blocks, ahead, stage});
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
        for (Variant* variant : {&lookback.small_, &lookback.large_, &lookback.unaligned_}) {
            const bool  aligned = variant != &lookback.unaligned_, small = variant == &lookback.small_;
            const char* name = small ? "small" : aligned ? "large" : "unaligned";
            variant->blocks  = small ? 1 : 2;
            if (auto done = build(variant->pipeline, name, aligned, variant->blocks, 0); !done) return done.error();
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
        if (auto done = build(*stage.pipeline, stage.name, stage.aligned, 2, stage.number); !done) return done.error();
    }
    return {std::move(lookback)};
}

VkDeviceSize Lookback::scratch_size(uint32_t count) {
    if (count == 0) return vkprim_scratch_bytes(0);
    const uint32_t small = std::min(tiles_of(count, 1), VKPRIM_TILE_FAN);
    return vkprim_scratch_bytes(std::max(small, vkprim_lookback_words(tiles_of(count, 2), VKPRIM_TILE_FAN / 2, VKPRIM_TILE_FAN)));
}

} // namespace vkprim
