#include <vkprim/segmented_reduce.h>

#include <vkprim/glsl/detail/scratch.h>
#include "../shaders/segmented_reduce/segmented_reduce_push.h"
#include "checks.h"
#include "element.h"
#include "recorder.h"
#include "shaders/segmented_reduce.h"
#include "tuning/segmented_reduce.h"

#include <algorithm>

namespace vkprim {
namespace {

/// Part of a float's result, so the same on every device.
constexpr uint32_t workgroup_size = REDUCE_COLUMNS / 4;

/// What shaders of one's own get behind that.
struct Push {
    SegmentedReducePush   segmented;
    vkprim_ParametersPush own;
};
static_assert(sizeof(Push) <= 128, "what every device has room for");

} // namespace

struct SegmentedReduce::Plan {
    CoreDevice            device;
    Desc                  desc;
    ElementPlan           elements;
    SegmentedReduceTuning tuning;
    Pipeline              aligned  = {}; ///< for rows that begin at multiples of 16, if any
    Pipeline              pipeline = {}; ///< for others

    bool     rows() const { return desc.segments == Segments::rows; }
    uint32_t columns() const { return workgroup_size * elements.vector_width; } ///< elements of the least tile

    /// Elements, and a vector for each segment.
    uint64_t places(const Size& size) const {
        const uint64_t costs = uint64_t{size.segments} * elements.vector_width;
        return costs + (rows() ? uint64_t{size.count} * size.segments : size.segments > 0 ? size.count : 0);
    }

    /// Elements in scratch: none where no segment has several tiles.
    uint64_t scratch_elements(const Size& size) const {
        return size.count <= columns() ? 0 : (places(size) / columns() + 1) * SEGMENTED_REDUCE_BLOCK_ELEMENTS;
    }

    /// Of a workgroup: places, whole vectors.
    uint32_t share(const Size& size) const {
        const uint64_t vectors = places(size) / elements.vector_width, wanted = vectors / tuning.workgroups + 1;
        const uint32_t row = rows() ? std::min(size.count / elements.vector_width, SEGMENTED_REDUCE_MOST_ROW_SHARE) : 0;
        return static_cast<uint32_t>(
                   std::clamp<uint64_t>(wanted, SEGMENTS_LEAST_SHARE, std::max(tuning.share, row))) *
               elements.vector_width;
    }

    uint32_t workgroups(const Size& size) const {
        return size.segments == 0 ? 0 : static_cast<uint32_t>((places(size) - 1) / share(size)) + 1;
    }

    Share    part(const Args& args) const { return share_of_workgroups(workgroups(args.size), args.part, device); }
    bool     has_aligned() const { return rows() && !elements.by_element(); }
    uint32_t pitch(const Args& args) const {
        return args.pitch > 0 ? args.pitch : args.size.count * elements.input_size;
    }
};

Result<SegmentedReduce> SegmentedReduce::create(const Context& context, const Desc& desc) {
    if (desc.segments > Segments::rows) {
        return Error{VK_ERROR_FORMAT_NOT_SUPPORTED, "segmented_reduce: Desc::segments is not a Segments"};
    }
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    const Shader own = desc.own ? own_shader(desc.own->segmented_reduce[device->variant()]) : Shader{};
    const auto   elements =
        desc.own ? plan_own_elements(own, "segmented_reduce") : plan_elements(*device, desc.type, desc.operation);
    if (!elements) return elements.error();
    const auto tuning = tune_segmented_reduce(device->limits, context.profile);
    if (!tuning) return tuning.error();

    PipelineDesc pipeline_desc;
    pipeline_desc.shader         = desc.own ? own : shader_for(*device, *elements, shaders::segmented_reduce_elements);
    pipeline_desc.push_size      = desc.own ? sizeof(Push) : sizeof(SegmentedReducePush);
    pipeline_desc.workgroup_size = workgroup_size;
    pipeline_desc.operation      = static_cast<uint32_t>(desc.operation);
    pipeline_desc.identity_bits  = elements->identity_bits;
    pipeline_desc.rounds         = elements->rounds;

    std::unique_ptr<Plan> plan(new Plan{*device, desc, *elements, *tuning});
    plan->desc.own = nullptr;
    for (Pipeline* variant : {&plan->aligned, &plan->pipeline}) {
        const bool aligned = variant == &plan->aligned;
        if (aligned && !plan->has_aligned()) continue;
        pipeline_desc.name             = aligned ? "segmented_reduce, aligned" : "segmented_reduce";
        pipeline_desc.shader_constants = by_id({{SEGMENTED_REDUCE_ROWS_ID, plan->rows()},
                                                {SEGMENTED_REDUCE_BATCH_ID, tuning->batch},
                                                {SEGMENTED_REDUCE_ALIGNED_ID, aligned}});
        auto pipeline                  = Pipeline::create(*device, pipeline_desc);
        if (!pipeline) return pipeline.error();
        *variant = std::move(*pipeline);
    }
    return SegmentedReduce(std::move(plan));
}

VkDeviceSize SegmentedReduce::scratch_size(const Size& size) const {
    const uint64_t slots = plan_->scratch_elements(size) * plan_->elements.slots();
    return vkprim_scratch_bytes(static_cast<uint32_t>(std::min<uint64_t>(slots, UINT32_MAX / 64)));
}

Result<void> SegmentedReduce::validate(const Args& args) const {
    const Plan&        plan     = *plan_;
    const ElementPlan& elements = plan.elements;
    const Size&        size     = args.size;
    Checks             checks("segmented_reduce");
    checks.part(args.part);
    if (size.segments == 0) return checks.result();
    if (plan.places(size) > UINT32_MAX) {
        checks.fail(std::to_string(size.segments) + " segments with count " + std::to_string(size.count) +
                    " are too many: see SegmentedReduce::Size");
    } else if (plan.scratch_elements(size) * elements.slots() > UINT32_MAX / 64) {
        checks.fail("count " + std::to_string(size.count) +
                    " takes more scratch than a shader can address: record the segments in several operations");
    }
    const bool has_pitch = plan.rows() && elements.loads; // else somebody's load() finds the elements
    if (has_pitch && args.pitch % elements.input_align != 0) {
        checks.fail("pitch is " + std::to_string(args.pitch) + ": it must be a multiple of " +
                    std::to_string(elements.input_align));
    } else if (has_pitch && size.segments > 1 && args.pitch > 0 &&
               args.pitch < VkDeviceSize{size.count} * elements.input_size) {
        checks.fail("pitch is " + std::to_string(args.pitch) + ", and a row has " + std::to_string(size.count) +
                    " elements: rows must not overlap");
    } else if (has_pitch && size.segments > 1 && VkDeviceSize{size.count} * elements.input_size > UINT32_MAX) {
        checks.fail("count is " + std::to_string(size.count) + ": rows have less than 4 GiB each");
    } else if (!plan.rows() && args.offset_size != 4 && args.offset_size != 8) {
        checks.fail("offset_size is " + std::to_string(args.offset_size) + ": offsets have 4 or 8 bytes");
    }
    if (auto wrong = checks.result(); !wrong) return wrong;

    // Of counts on the GPU, the host knows the first element and segment alone.
    const VkDeviceSize count    = args.count_address ? std::min(size.count, 1u) : size.count;
    const VkDeviceSize segments = args.segments_address ? 1 : size.segments;
    const VkDeviceSize last_row = count * elements.input_size;
    const VkDeviceSize read     = elements.loads ? 1 : 0; // else by somebody's load()
    const MemoryRange  input{"input", args.input,
                            read * (plan.rows() && count > 0 ? (segments - 1) * plan.pitch(args) + last_row : last_row),
                            elements.input_align};
    const MemoryRange  output{"output", args.output, elements.stores ? segments * elements.result_size : 0,
                             elements.output_align};
    const MemoryRange  offsets =
        plan.rows() ? MemoryRange{}
                     : MemoryRange{"offsets", args.offsets, (segments + 1) * args.offset_size, args.offset_size};
    const MemoryRange scratch      = scratch_range(args.scratch, scratch_size(size));
    const MemoryRange gpu_count    = count_range(args.count_address);
    MemoryRange       gpu_segments = count_range(args.segments_address);
    gpu_segments.name              = "segments_address";
    checks.memory({input, output, offsets, scratch, gpu_count, gpu_segments});
    checks.apart(output, {input, offsets, gpu_count, gpu_segments});
    checks.apart(scratch, {input, output, offsets, gpu_count, gpu_segments});
    if (auto wrong = checks.result(); !wrong) return wrong;
    checks.grid(size.count, plan.part(args), plan.device);
    return checks.result();
}

void SegmentedReduce::record(VkCommandBuffer commands, const Args& args) const {
    const Plan& plan = *plan_;
    assert_valid(*this, args);
    const Share share = plan.part(args);
    const Push  push{{args.input, args.output, args.scratch, args.offsets, args.count_address, args.segments_address,
                      args.size.count, args.size.segments, plan.rows() ? plan.pitch(args) : 0, args.offset_size,
                      plan.share(args.size), plan.workgroups(args.size), share.first},
                    own_push(args.parameters)};
    const bool  aligned = plan.has_aligned() && is_aligned(args.input, 16) && is_aligned(push.segmented.pitch, 16);
    record_dispatch(commands, plan.device, aligned ? plan.aligned : plan.pipeline, &push, share.count);
}

SegmentedReduce::SegmentedReduce(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
SegmentedReduce::SegmentedReduce(SegmentedReduce&&) noexcept            = default;
SegmentedReduce& SegmentedReduce::operator=(SegmentedReduce&&) noexcept = default;
SegmentedReduce::~SegmentedReduce()                                     = default;

} // namespace vkprim
