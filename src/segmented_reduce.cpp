#include <vkprim/segmented_reduce.h>

#include <vkprim/glsl/detail/scratch.h>
#include "../shaders/segmented_reduce/segmented_reduce_push.h"
#include "segments.h"
#include "shaders/segmented_reduce.h"
#include "tuning/segmented_reduce.h"

namespace vkprim {
namespace {

/// What follows the push block for operations of your own.
struct SegmentedReduceOwnPush {
    SegmentedReducePush   segmented;
    vkprim_ParametersPush own;
};
static_assert(sizeof(SegmentedReduceOwnPush) <= 128, "what every device has room for");

} // namespace

struct SegmentedReduce::Plan {
    CoreDevice    device;
    Desc          desc;
    ElementPlan   elements;
    SegmentShares shares;
    Pipeline      aligned  = {}; ///< for rows that begin at multiples of 16, if any
    Pipeline      pipeline = {}; ///< for others

    uint32_t columns() const { return REDUCE_WORKGROUP_SIZE * elements.vector_width; } ///< elements of the least tile

    /// Elements in scratch: none if no segment has several tiles.
    uint64_t scratch_elements(const SegmentSize& size) const {
        return size.count <= columns() ? 0 : (shares.places(size) / columns() + 1) * SEGMENTED_REDUCE_BLOCK_ELEMENTS;
    }

    /// The share of a workgroup, in places. It may be a whole long row, so that its totals are published at once.
    uint32_t share(const SegmentSize& size) const {
        const uint32_t row = std::min(size.count / elements.vector_width, SEGMENTED_REDUCE_MOST_ROW_SHARE);
        return shares.share(size, shares.rows ? row : 0);
    }

    uint32_t workgroups(const SegmentSize& size) const {
        return SegmentShares::workgroups_of(shares.places(size), share(size));
    }

    Share    part(const Args& args) const { return share_of_workgroups(workgroups(args), args.part, device); }
    bool     has_aligned() const { return shares.rows && !elements.by_element(); }
    uint32_t pitch(const Args& args) const {
        return static_cast<uint32_t>(pitch_of(args.segments.pitch, args.count, elements.input_size));
    }
};

Result<SegmentedReduce> SegmentedReduce::create(const Context& context, const Desc& desc) {
    if (auto wrong = check_divided("segmented_reduce", desc.segments); !wrong) return wrong.error();
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    const Shader own      = desc.own ? own_shader(desc.own->segmented_reduce[device->variant()]) : Shader{};
    const auto   elements = desc.own ? plan_own_elements(own, "segmented_reduce")
                                     : plan_elements(*device, desc.type, desc.operation, desc.wide);
    if (!elements) return elements.error();
    const auto tuning = tune_segmented_reduce(device->limits, context.profile);
    if (!tuning) return tuning.error();

    PipelineDesc pipeline_desc   = element_pipeline(*elements, shaders::segmented_reduce_elements, own);
    pipeline_desc.push_size      = desc.own ? sizeof(SegmentedReduceOwnPush) : sizeof(SegmentedReducePush);
    pipeline_desc.workgroup_size = REDUCE_WORKGROUP_SIZE;

    const bool            rows = desc.segments == SegmentLayout::rows;
    std::unique_ptr<Plan> plan(
        new Plan{*device, desc, *elements, {rows, elements->vector_width, tuning->workgroups, tuning->share}});
    plan->desc.own = nullptr;
    PipelineList pipelines;
    for (Pipeline* variant : {&plan->aligned, &plan->pipeline}) {
        const bool aligned = variant == &plan->aligned;
        if (aligned && !plan->has_aligned()) continue;
        pipeline_desc.name             = aligned ? "segmented_reduce, aligned" : "segmented_reduce";
        pipeline_desc.shader_constants = by_id({{SEGMENTED_REDUCE_ROWS_ID, rows},
                                                {SEGMENTED_REDUCE_BATCH_ID, tuning->batch},
                                                {SEGMENTED_REDUCE_ALIGNED_ID, aligned}});
        pipelines.add(*variant, pipeline_desc);
    }
    if (auto made = pipelines.create(*device); !made) return made.error();
    return SegmentedReduce(std::move(plan));
}

VkDeviceSize SegmentedReduce::scratch_size(const Args& args) const {
    const uint64_t slots = plan_->scratch_elements(args) * plan_->elements.slots();
    return vkprim_scratch_bytes(static_cast<uint32_t>(std::min<uint64_t>(slots, UINT32_MAX / 64)));
}

Result<void> SegmentedReduce::validate(const Args& args) const {
    const Plan&        plan     = *plan_;
    const ElementPlan& elements = plan.elements;
    Checks             checks("segmented_reduce");
    checks.part(args.part);
    if (args.segments.count == 0) return checks.result();
    check_segments(checks, plan.shares, elements, args);
    if (plan.scratch_elements(args) * elements.slots() > UINT32_MAX / 64) {
        checks.fail("count " + std::to_string(args.count) +
                    " takes more scratch than a shader can address: record the segments in several operations");
    }
    if (auto wrong = checks.result(); !wrong) return wrong;

    const SegmentRanges read = segment_ranges(plan.desc.segments, elements, args);
    const MemoryRange   output{"output", args.output, elements.stores ? read.segments * elements.result_size : 0,
                             elements.output_align};
    const MemoryRange   scratch = scratch_range(args.scratch, scratch_size(args));
    checks.memory({read.input, output, read.offsets, scratch, read.gpu_count, read.gpu_segments});
    checks.apart(output, {read.input, read.offsets, read.gpu_count, read.gpu_segments});
    checks.apart(scratch, {read.input, output, read.offsets, read.gpu_count, read.gpu_segments});
    if (auto wrong = checks.result(); !wrong) return wrong;
    checks.grid(args.count, plan.part(args), plan.device);
    return checks.result();
}

void SegmentedReduce::record(VkCommandBuffer commands, const Args& args) const {
    const Plan& plan = *plan_;
    assert_valid(*this, args);
    const Share                  share = plan.part(args);
    const SegmentedReduceOwnPush push{
        {args.input, args.output, args.scratch, args.segments.offsets, pushed_count(args.count_address, args.scratch),
         pushed_count(args.segments.count_address, args.scratch), args.count, args.segments.count,
         plan.shares.rows ? plan.pitch(args) : 0, args.segments.offset_size, plan.share(args), plan.workgroups(args),
         share.first},
        own_push(args.parameters)};
    const bool aligned = plan.has_aligned() && is_aligned(args.input, 16) && is_aligned(push.segmented.pitch, 16);
    record_dispatch(commands, plan.device, aligned ? plan.aligned : plan.pipeline, &push, share.count);
}

} // namespace vkprim
