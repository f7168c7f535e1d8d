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

/// Of elements of `words` words.
uint32_t tiles_of(uint32_t count, uint32_t words) {
    return count == 0 ? 1 : ((count - 1) >> reduce_log2_tile(count, words)) + 1;
}

/// Tiles of any count up to `bound`: a smaller count may have more, where tiles have just grown.
uint32_t most_tiles_of(uint32_t bound, uint32_t words) {
    const auto limited = [=](uint32_t log2_tile, uint32_t most) {
        return bound == 0 ? 1 : std::min(((bound - 1) >> log2_tile) + 1, most);
    };
    const uint32_t log2_columns = reduce_log2_tile(1, words);
    const uint32_t small        = limited(log2_columns, REDUCE_SMALL_TILES);
    const uint32_t large        = limited(log2_columns + REDUCE_LOG2_ROWS, REDUCE_FAN * REDUCE_FAN);
    return std::max({tiles_of(bound, words), small, large});
}

/// Of folds: one of all tiles; or of all groups, and for each of them.
uint32_t scratch_elements(uint32_t tiles) {
    return tiles <= REDUCE_FAN ? 1 + tiles : (1 + REDUCE_FAN) * (1 + reduce_groups(tiles));
}

} // namespace

struct Reduce::Plan {
    CoreDevice device;
    Desc       desc;
    uint32_t   memory_words, register_words, result_words; ///< ElementPlan's
    Pipeline   aligned;                                    ///< for addresses that are multiples of 16
    Pipeline   unaligned;                                  ///< unless desc.aligned

    uint32_t most_tiles(uint32_t bound) const { return most_tiles_of(bound, memory_words); }

    Share share(const Args& args) const {
        const uint32_t all = args.count_address ? most_tiles(args.count) : tiles_of(args.count, memory_words);
        return share_of_workgroups(all, args.part, device);
    }
};

Result<Reduce> Reduce::create(const Context& context, const Desc& desc) {
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    const auto elements = plan_elements(*device, desc.type, desc.operation);
    if (!elements) return elements.error();
    const auto tuning = tune_reduce(device->limits, context.profile);
    if (!tuning) return tuning.error();

    PipelineDesc pipeline_desc;
    pipeline_desc.shader         = shader_for(*device, *elements, shaders::reduce_elements);
    pipeline_desc.push_size      = sizeof(ReducePush);
    pipeline_desc.workgroup_size = workgroup_size;
    pipeline_desc.operation      = static_cast<uint32_t>(desc.operation);
    pipeline_desc.identity_bits  = elements->identity_bits;
    pipeline_desc.rounds         = elements->rounds;

    std::unique_ptr<Plan> plan(
        new Plan{*device, desc, elements->memory_words, elements->register_words, elements->result_words, {}, {}});
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
    return vkprim_scratch_bytes(scratch_elements(plan_->most_tiles(count)) * plan_->register_words);
}

Grid Reduce::grid(const Args& args) const {
    return {REDUCE_COLUMNS / plan_->memory_words, 1, plan_->most_tiles(args.count)};
}

Result<void> Reduce::validate(const Args& args) const {
    const uint32_t    size = plan_->memory_words * 4;
    const MemoryRange input{"input", args.input, sure_count(args) * size, plan_->desc.aligned ? 16u : size},
        output{"output", args.output, plan_->result_words * 4, size};
    const MemoryRange scratch = scratch_range(args.scratch, scratch_size(args.count));
    const MemoryRange count   = count_range(args.count_address);
    Checks            checks("reduce");
    checks.memory({input, output, scratch, count});
    checks.apart(output, {input, count});
    checks.apart(scratch, {input, output, count});
    checks.part(args.part);
    checks.indirect(args);
    if (auto wrong = checks.result(); !wrong) return wrong;
    checks.grid(args.count, plan_->share(args), plan_->device);
    return checks.result();
}

void Reduce::record(VkCommandBuffer commands, const Args& args) const {
    assert_valid(*this, args);

    const Share      tiles = plan_->share(args);
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
