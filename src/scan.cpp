#include <vkprim/scan.h>

#include "../shaders/scan/scan_push.h"
#include "checks.h"
#include "element.h"
#include "lookback_plan.h"
#include "shaders/scan.h"

#include <algorithm>

namespace vkprim {

namespace {

/// What follows the push block for operations of your own and for strided elements.
struct ScanOwnPush {
    ScanPush              scan;
    vkprim_ParametersPush own;
};

} // namespace

struct Scan::Plan {
    Lookback    lookback;
    Desc        desc;
    ElementPlan elements;
    bool        only_aligned; ///< whether the pipelines for multiples of 16 do for all addresses

    /// Whether they do for these.
    bool has_vectors(const Args& args) const { return only_aligned || is_aligned(args.input | args.output, 16); }
};

Result<Scan> Scan::create(const Context& context, const Desc& desc) {
    if (desc.kind > Kind::inclusive) return Error{ErrorKind::invalid_desc, "Desc::kind is not a Kind"};
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    const Shader own      = desc.own ? own_shader(desc.own->scan[device->variant()]) : Shader{};
    const auto   elements = plan_of(*device, desc, own, "scan");
    if (!elements) return elements.error();
    if (!elements->scans) {
        return Error{ErrorKind::invalid_desc,
                     std::string("scan has no ") + operation_name(desc.operation) + ": reduce has"};
    }
    const bool by_rows = device->limits.few_registers && !desc.own; // and so in the same way at all addresses
    auto       tuning  = tune_lookback(device->limits, context.profile, "scan", 1, by_rows);
    if (!tuning) return tuning.error();
    if (elements->register_words > 2) tuning->blocks = 1; // an invocation has fewer wide elements

    const bool   only_aligned = desc.aligned || elements->by_element();
    Lookback     lookback(*device,
                          {"scan", desc.waits, only_aligned, *tuning, elements->slots(), elements->run_elements()});
    PipelineList pipelines;
    for (const LookbackShape& shape : lookback.shapes()) {
        PipelineDesc pipeline_desc     = element_pipeline(*elements, shaders::scan_elements, own);
        pipeline_desc.push_size        = desc.own || desc.strided ? sizeof(ScanOwnPush) : sizeof(ScanPush);
        pipeline_desc.shader_constants = by_id({{SCAN_INCLUSIVE_ID, desc.kind == Kind::inclusive},
                                                {SCAN_BLOCKS_ID, shape.blocks},
                                                {SCAN_ADDRESSES_ID, shape.addresses},
                                                {SCAN_PREFETCH_DISTANCE_ID, shape.prefetch_distance},
                                                {SCAN_FAN_ID, VKPRIM_TILE_FAN},
                                                {SCAN_FIRST_WAVE_TILES_ID, tuning->first_wave_tiles},
                                                {SCAN_STAGE_ID, shape.stage},
                                                {SCAN_ONE_GROUP_ID, shape.one_group}});
        lookback.add_to(pipelines, shape, pipeline_desc);
    }
    if (auto made = pipelines.create(*device); !made) return made.error();
    std::unique_ptr<Plan> plan(new Plan{std::move(lookback), desc, *elements, only_aligned});
    plan->desc.own = nullptr;
    return Scan(std::move(plan));
}

VkDeviceSize Scan::scratch_size(const Args& args) const { return plan_->lookback.scratch_size(args.count); }

Grid Scan::grid(const Args& args) const { return plan_->lookback.grid(args.count, plan_->has_vectors(args), 0); }

Result<void> Scan::validate(const Args& args) const {
    if (args.count == 0) return {};
    const ElementPlan& elements = plan_->elements;
    const VkDeviceSize sure     = sure_count(args);
    const uint32_t     align    = plan_->desc.aligned ? 16 : 1;
    const MemoryRange  input{"input", args.input, elements.input_range(sure, args.stride),
                            std::max(align, elements.input_align)};
    const MemoryRange  output{"output", args.output, elements.stores ? sure * elements.output_size : 0,
                             std::max(align, elements.output_align)};
    const MemoryRange  scratch = scratch_range(args.scratch, scratch_size(args));
    const MemoryRange  count   = count_range(args.count_address);
    Checks             checks("scan");
    checks.stride(args.stride, elements.strided);
    checks.memory({input, output, scratch, count});
    if (args.output != args.input || elements.strided || elements.output_size != elements.input_size)
        checks.apart(output, {input});
    checks.apart(output, {count});
    checks.apart(scratch, {input, output, count});
    checks.part(args.part);
    checks.indirect(args);
    if (auto wrong = checks.result(); !wrong) return wrong;
    const Lookback& lookback = plan_->lookback;
    checks.grid(args.count, lookback.share(args.count, plan_->has_vectors(args), args.part), lookback.device());
    if (!lookback.fits(args.count)) {
        checks.fail(
            "count " + std::to_string(args.count) +
            " needs too much scratch for elements of more than four words: counts up to 2^30 are always accepted");
    }
    return checks.result();
}

void Scan::record(VkCommandBuffer commands, const Args& args) const {
    if (args.count == 0) return;
    assert_valid(*this, args);

    const Lookback& lookback = plan_->lookback;
    for (const LookbackStep& step : lookback.steps(args.count, plan_->has_vectors(args), args.part)) {
        const ScanOwnPush push{{args.input, args.output, args.scratch, pushed_count(args.count_address, args.scratch),
                                args.count, step.share.first},
                               last_push(plan_->elements, args)};
        lookback.record(commands, step, &push, args.indirect);
    }
}

} // namespace vkprim
