#include <vkprim/expand.h>

#include "../shaders/expand/expand_push.h"
#include "checks.h"
#include "segments.h"
#include "shaders/expand.h"
#include "tuning/expand.h"

#include <algorithm>

namespace vkprim {

struct Expand::Plan {
    CoreDevice   device;
    Desc         desc;
    ExpandTuning tuning;
    Pipeline     pipeline;

    /// Words of a value that is read; 0 for an index.
    uint32_t value_words() const {
        return desc.values == Values::indices ? 0 : 1u << (static_cast<uint32_t>(desc.values) - 1);
    }
    uint32_t output_size() const { return 4 * std::max(value_words(), 1u); }

    uint32_t tiles(const SegmentSize& size) const { return (size.count + size.segments - 1) / EXPAND_TILE + 1; }
    uint32_t share(const SegmentSize& size) const {
        return std::clamp((tiles(size) - 1) / tuning.workgroups + 1, 1u, tuning.share);
    }
    uint32_t workgroups(const SegmentSize& size) const {
        return size.segments == 0 ? 0 : (tiles(size) - 1) / share(size) + 1;
    }
    Share part(const Args& args) const { return share_of_workgroups(workgroups(args), args.part, device); }
};

Result<Expand> Expand::create(const Context& context, const Desc& desc) {
    if (desc.values > Values::bytes16) {
        return Error{ErrorKind::invalid_desc, "expand: Desc::values is not a Values"};
    }
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    const auto tuning = tune_expand(device->limits, context.profile);
    if (!tuning) return tuning.error();
    std::unique_ptr<Plan> plan(new Plan{*device, desc, *tuning, {}});
    PipelineDesc          pipeline_desc;
    pipeline_desc.shader           = shaders::expand_any;
    pipeline_desc.name             = "expand";
    pipeline_desc.push_size        = sizeof(ExpandPush);
    pipeline_desc.workgroup_size   = EXPAND_WORKGROUP;
    pipeline_desc.shader_constants = by_id({{EXPAND_VALUE_WORDS_ID, plan->value_words()}});
    auto pipeline                  = Pipeline::create(*device, pipeline_desc);
    if (!pipeline) return pipeline.error();
    plan->pipeline = std::move(*pipeline);
    return Expand(std::move(plan));
}

VkDeviceSize Expand::scratch_size(const Args&) const { return 0; }

Result<void> Expand::validate(const Args& args) const {
    const Plan& plan = *plan_;
    Checks      checks("expand");
    checks.part(args.part);
    check_layout(checks, SegmentLayout::offsets, args.segments);
    if (args.segments.offset_size == 8) checks.fail("segments.offset_size is 8: offsets have 4 bytes here");
    if (args.segments.count == 0) return checks.result();
    if (uint64_t{args.count} + args.segments.count > UINT32_MAX) {
        checks.fail(std::to_string(args.segments.count) + " segments with count " + std::to_string(args.count) +
                    " are too many: together they must be below 2^32");
    }
    if (auto wrong = checks.result(); !wrong) return wrong;
    const uint32_t     value_size = 4 * plan.value_words();
    const VkDeviceSize segments   = sure_segments(args.segments);
    const MemoryRange  offsets    = offsets_range(SegmentLayout::offsets, args.segments, segments + 1);
    const MemoryRange  values =
        value_size > 0 ? MemoryRange{"values", args.values, segments * value_size, value_size} : MemoryRange{};
    const MemoryRange output{"output", args.output, VkDeviceSize{args.count} * plan.output_size(), plan.output_size()};
    const MemoryRange gpu_segments = segments_range(args.segments);
    checks.memory({offsets, values, output, gpu_segments});
    checks.apart(output, {offsets, values, gpu_segments});
    if (auto wrong = checks.result(); !wrong) return wrong;
    checks.grid(args.count, plan.part(args), plan.device);
    return checks.result();
}

void Expand::record(VkCommandBuffer commands, const Args& args) const {
    const Plan& plan = *plan_;
    assert_valid(*this, args);
    const Share      share = plan.part(args);
    const ExpandPush push{args.segments.offsets,
                          args.values,
                          args.output,
                          pushed_count(args.segments.count_address, args.segments.offsets),
                          args.count,
                          args.segments.count,
                          plan.share(args),
                          plan.workgroups(args),
                          share.first};
    record_dispatch(commands, plan.device, plan.pipeline, &push, share.count);
}

} // namespace vkprim
