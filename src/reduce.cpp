#include <vkprim/reduce.h>

#include <vkprim/glsl/detail/scratch.h>
#include "../shaders/reduce/reduce_push.h"
#include "checks.h"
#include "element.h"
#include "recorder.h"
#include "shaders/reduce.h"
#include "tuning/reduce.h"

#include <algorithm>

namespace vkprim {
namespace {

/// Part of a float's result, so the same on every device.
constexpr uint32_t workgroup_size = REDUCE_COLUMNS / 4;

uint32_t tiles_of(uint32_t count) { return count == 0 ? 1 : ((count - 1) >> reduce_log2_tile(count)) + 1; }

/// Tiles of any count up to `bound`: a smaller count may have more, where tiles have just grown.
uint32_t most_tiles_of(uint32_t bound) {
    const auto limited = [=](uint32_t log2_tile, uint32_t most) {
        return bound == 0 ? 1 : std::min(((bound - 1) >> log2_tile) + 1, most);
    };
    const uint32_t small = limited(REDUCE_LOG2_COLUMNS, REDUCE_SMALL_TILES);
    const uint32_t large = limited(REDUCE_LOG2_COLUMNS + REDUCE_LOG2_ROWS, REDUCE_FAN * REDUCE_FAN);
    return std::max({tiles_of(bound), small, large});
}

Share share_of_tiles(const Reduce::Args& args, const CoreDevice& device) {
    const uint32_t all = args.count_address ? most_tiles_of(args.count) : tiles_of(args.count);
    return share_of_workgroups(all, args.part, device);
}

/// Of folds: one of all tiles; or of all groups, and for each of them.
uint32_t scratch_words(uint32_t tiles) {
    return tiles <= REDUCE_FAN ? 1 + tiles : (1 + REDUCE_FAN) * (1 + reduce_groups(tiles));
}

} // namespace

struct Reduce::Plan {
    CoreDevice device;
    Desc       desc;
    Pipeline   aligned;   ///< for addresses that are multiples of 16
    Pipeline   unaligned; ///< unless desc.aligned
};

Result<Reduce> Reduce::create(const Context& context, const Desc& desc) {
    auto elements = plan_elements(desc.type, desc.operation);
    if (!elements) return elements.error();
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    const auto tuning = tune_reduce(device->limits, context.profile);
    if (!tuning) return tuning.error();

    constexpr Shader variants[][3] = {
        {shaders::reduce_u32_word32, shaders::reduce_u32_word64, shaders::reduce_u32_plain},
        {shaders::reduce_i32_word32, shaders::reduce_i32_word64, shaders::reduce_i32_plain},
        {shaders::reduce_f32_word32, shaders::reduce_f32_word64, shaders::reduce_f32_plain},
        {shaders::reduce_f32_ordered_word32, shaders::reduce_f32_ordered_word64, shaders::reduce_f32_ordered_plain}};
    PipelineDesc pipeline_desc;
    pipeline_desc.shader         = variants[static_cast<uint32_t>(elements->variant)][device->variant()];
    pipeline_desc.push_size      = sizeof(ReducePush);
    pipeline_desc.workgroup_size = workgroup_size;
    pipeline_desc.operation      = static_cast<uint32_t>(desc.operation);
    pipeline_desc.identity_bits  = elements->identity_bits;
    pipeline_desc.rounds         = elements->variant == ElementVariant::f32;

    std::unique_ptr<Plan> plan(new Plan{*device, desc, {}, {}});
    for (Pipeline* variant : {&plan->aligned, &plan->unaligned}) {
        const bool aligned = variant == &plan->aligned;
        if (!aligned && desc.aligned) continue;
        pipeline_desc.name             = aligned ? "reduce, aligned" : "reduce, unaligned";
        pipeline_desc.shader_constants = {aligned, tuning->batch, tuning->ordered};
        auto pipeline                  = Pipeline::create(*device, pipeline_desc);
        if (!pipeline) return pipeline.error();
        *variant = std::move(*pipeline);
    }
    return Reduce(std::move(plan));
}

VkDeviceSize Reduce::scratch_size(uint32_t count) const {
    return vkprim_scratch_bytes(scratch_words(most_tiles_of(count)));
}

Grid Reduce::grid(const Args& args) const { return {REDUCE_COLUMNS, 1, most_tiles_of(args.count)}; }

Result<void> Reduce::validate(const Args& args) const {
    const MemoryRange input{"input", args.input, sure_count(args) * 4, plan_->desc.aligned ? 16u : 4u},
        output{"output", args.output, 4};
    const MemoryRange scratch = scratch_range(args.scratch, scratch_size(args.count));
    const MemoryRange count   = count_range(args.count_address);
    Checks            checks("reduce");
    checks.memory({input, output, scratch, count});
    checks.apart(output, {input, count});
    checks.apart(scratch, {input, output, count});
    checks.part(args.part);
    checks.indirect(args);
    if (auto wrong = checks.result(); !wrong) return wrong;
    checks.grid(args.count, share_of_tiles(args, plan_->device), plan_->device);
    return checks.result();
}

void Reduce::record(VkCommandBuffer commands, const Args& args) const {
    assert_valid(*this, args);

    const Share      tiles = share_of_tiles(args, plan_->device);
    const ReducePush push{args.input, args.output, args.scratch, args.count_address, args.count, tiles.first};
    const Pipeline&  pipeline = plan_->desc.aligned || is_aligned(args.input, 16) ? plan_->aligned : plan_->unaligned;
    if (args.indirect.buffer) {
        record_indirect(commands, plan_->device, pipeline, &push, args.indirect);
    } else {
        record_dispatch(commands, plan_->device, pipeline, &push, tiles.count);
    }
}

Reduce::Reduce(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
Reduce::Reduce(Reduce&&) noexcept            = default;
Reduce& Reduce::operator=(Reduce&&) noexcept = default;
Reduce::~Reduce()                            = default;

} // namespace vkprim
