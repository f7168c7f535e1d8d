#include <vkprim/scan.h>

#include "../shaders/include/lookback.h"
#include "../shaders/include/scratch.h"
#include "../shaders/scan/scan_push.h"
#include "element.h"
#include "recorder.h"
#include "shaders/scan.h"
#include "tuning/scan.h"

#include <algorithm>
#include <cassert>

namespace vkprim {
namespace {

constexpr uint32_t workgroup_size = 256;

uint32_t divide_up(uint32_t count, uint32_t size) { return count == 0 ? 0 : (count - 1) / size + 1; }

} // namespace

struct Scan::Plan {
    /// All give the same result.
    struct Variant {
        Pipeline pipeline;
        uint32_t blocks = 0; ///< of SCAN_BLOCK elements, in a tile

        uint32_t tiles_of(uint32_t count) const { return divide_up(count, SCAN_BLOCK * blocks); }
    };

    /// Of the dispatches of shaders/include/lookback.glsl in which nobody waits, those that touch input or output.
    struct Stages {
        Pipeline tiles, outputs;
    };

    CoreDevice device;
    bool       waits       = true; ///< whether it has the variants, and not the stages
    uint32_t   small_count = 0;    ///< up to this many elements, tiles are one block
    Variant    small, large;       ///< for addresses that are multiples of 16
    Variant    unaligned;
    Stages     aligned_stages, unaligned_stages;
    Pipeline   groups, supers; ///< the stages between

    const Variant& variant_for(bool aligned, uint32_t count) const {
        if (!aligned) return unaligned;
        return count <= small_count ? small : large;
    }
};

Result<Scan> Scan::create(const Context& context, const Desc& desc) {
    auto elements = plan_elements(desc.type, desc.operation);
    if (!elements) return elements.error();
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    const auto tuning = tune_scan(device->limits, context.profile);
    if (!tuning) return tuning.error();

    constexpr Shader variants[][3] = {
        {shaders::scan_u32_word32, shaders::scan_u32_word64, shaders::scan_u32_plain},
        {shaders::scan_i32_word32, shaders::scan_i32_word64, shaders::scan_i32_plain},
        {shaders::scan_f32_word32, shaders::scan_f32_word64, shaders::scan_f32_plain},
        {shaders::scan_f32_ordered_word32, shaders::scan_f32_ordered_word64, shaders::scan_f32_ordered_plain}};
    PipelineDesc pipeline_desc;
    pipeline_desc.shader         = variants[static_cast<uint32_t>(elements->variant)][device->variant()];
    pipeline_desc.push_size      = sizeof(ScanPush);
    pipeline_desc.workgroup_size = workgroup_size;
    pipeline_desc.operation      = static_cast<uint32_t>(desc.operation);
    pipeline_desc.identity_bits  = elements->identity_bits;
    pipeline_desc.fault          = tuning->fault;
    pipeline_desc.fault_share    = tuning->fault_share;

    std::unique_ptr<Plan> plan(new Plan);
    plan->device      = *device;
    plan->waits       = desc.waits && tuning->waits != 0;
    plan->small_count = tuning->small_tiles * SCAN_BLOCK;
    const auto build  = [&](Pipeline& pipeline, const char* name, bool aligned, uint32_t blocks,
                           uint32_t stage) -> Result<void> {
        // Few tiles all run at once, with none ahead of them.
        const uint32_t ahead           = blocks == 1 || stage != 0 ? 0 : tuning->ahead;
        pipeline_desc.name             = name;
        pipeline_desc.tickets          = stage == 0 && tuning->tickets != 0;
        pipeline_desc.shader_constants = {
            desc.kind == Kind::inclusive, blocks, aligned, ahead, SCAN_FAN, tuning->running, stage};
        auto created = Pipeline::create(*device, pipeline_desc);
        if (!created) return created.error();
        pipeline = std::move(*created);
        return {};
    };
    if (plan->waits) {
        for (Plan::Variant* variant : {&plan->small, &plan->large, &plan->unaligned}) {
            const bool aligned = variant != &plan->unaligned, small = variant == &plan->small;
            variant->blocks  = small ? 1 : 2;
            const char* name = small ? "scan, small" : aligned ? "scan, large" : "scan, unaligned";
            if (auto done = build(variant->pipeline, name, aligned, variant->blocks, 0); !done) return done.error();
        }
        return Scan(std::move(plan));
    }
    struct Stage {
        Pipeline*   pipeline;
        const char* name;
        bool        aligned;
        uint32_t    number; ///< in shaders/include/lookback.glsl
    };
    for (const Stage& stage : {Stage{&plan->aligned_stages.tiles, "scan, tiles", true, 1},
                               {&plan->unaligned_stages.tiles, "scan, unaligned tiles", false, 1},
                               {&plan->groups, "scan, groups", true, 2},
                               {&plan->supers, "scan, supers", true, 3},
                               {&plan->aligned_stages.outputs, "scan, outputs", true, 4},
                               {&plan->unaligned_stages.outputs, "scan, unaligned outputs", false, 4}}) {
        if (auto done = build(*stage.pipeline, stage.name, stage.aligned, 2, stage.number); !done) return done.error();
    }
    return Scan(std::move(plan));
}

VkDeviceSize Scan::scratch_size(uint32_t count) const {
    const uint32_t small = std::min(divide_up(count, SCAN_BLOCK), SCAN_FAN);
    return scratch_bytes(std::max(small, lookback_words(divide_up(count, 2 * SCAN_BLOCK), SCAN_FAN / 2, SCAN_FAN)));
}

void Scan::record(VkCommandBuffer commands, const Args& args) const {
    if (args.count == 0) return;
    assert(args.input && is_aligned(args.input, 4) && "input must be the address of an element");
    assert(args.output && is_aligned(args.output, 4) && "output must be the address of an element");
    assert(args.scratch && is_aligned(args.scratch, 16) && "scratch must be 16-byte aligned memory of scratch_size()");
    assert(is_aligned(args.count_address, 4) && "count_address must be the address of a uint32");

    const Plan& plan     = *plan_;
    const bool  aligned  = is_aligned(args.input | args.output, 16);
    const auto  dispatch = [&](const Pipeline& pipeline, const Share& share) {
        const ScanPush push{args.input, args.output, args.scratch, args.count_address, args.count, share.first};
        record_dispatch(commands, plan.device, pipeline, &push, share.count);
    };
    if (plan.waits) {
        const Plan::Variant& variant = plan.variant_for(aligned, args.count);
        dispatch(variant.pipeline, share_of_workgroups(variant.tiles_of(args.count), args.part, plan.device));
        return;
    }
    const Plan::Stages& stages    = aligned ? plan.aligned_stages : plan.unaligned_stages;
    const uint32_t      all_tiles = divide_up(args.count, 2 * SCAN_BLOCK);
    const Share         tiles     = share_of_workgroups(all_tiles, args.part, plan.device);
    // Of as many tiles each: those that end in this part, and that others come behind.
    const auto closed = [&](uint32_t size) {
        const uint32_t first = std::min(tiles.first, all_tiles - 1) / size;
        return Share{first, std::min(tiles.first + tiles.count, all_tiles - 1) / size - first};
    };
    constexpr uint32_t group = SCAN_FAN / 2, super = group * SCAN_FAN;
    for (const auto& [pipeline, share] :
         {std::pair(&stages.tiles, tiles), {&plan.groups, closed(group)}, {&plan.supers, closed(super)}}) {
        if (share.count == 0) continue;
        dispatch(*pipeline, share);
        record_barrier(commands, plan.device);
    }
    dispatch(stages.outputs, tiles);
}

Scan::Scan(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
Scan::Scan(Scan&&) noexcept            = default;
Scan& Scan::operator=(Scan&&) noexcept = default;
Scan::~Scan()                          = default;

} // namespace vkprim
