#include <vkprim/scan.h>

#include "../shaders/scan/scan_push.h"
#include "checks.h"
#include "element.h"
#include "lookback.h"
#include "shaders/scan.h"

namespace vkprim {

namespace {

/// Whether input and output may be loaded and stored in whole vectors.
bool has_vectors(const Scan::Desc& desc, const Scan::Args& args) {
    return desc.aligned || is_aligned(args.input | args.output, 16);
}

} // namespace

struct Scan::Plan {
    Lookback lookback;
    Desc     desc;
    uint32_t element_size; ///< bytes
};

Result<Scan> Scan::create(const Context& context, const Desc& desc) {
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    const auto elements = plan_elements(*device, desc.type, desc.operation);
    if (!elements) return elements.error();
    if (!elements->scans) {
        return Error{VK_ERROR_FORMAT_NOT_SUPPORTED,
                     std::string("scan has no ") + operation_name(desc.operation) + ": reduce has"};
    }
    const auto tuning = tune_lookback(device->limits, context.profile, "scan");
    if (!tuning) return tuning.error();

    const auto specialize = [&](const LookbackShape& shape) {
        PipelineDesc pipeline_desc;
        pipeline_desc.shader           = shader_for(*device, *elements, shaders::scan_elements);
        pipeline_desc.push_size        = sizeof(ScanPush);
        pipeline_desc.operation        = static_cast<uint32_t>(desc.operation);
        pipeline_desc.identity_bits    = elements->identity_bits;
        pipeline_desc.rounds           = elements->rounds;
        pipeline_desc.shader_constants = {desc.kind == Kind::inclusive,
                                          shape.blocks,
                                          shape.aligned,
                                          shape.ahead,
                                          VKPRIM_TILE_FAN,
                                          tuning->running,
                                          shape.stage,
                                          shape.one_group};
        return pipeline_desc;
    };
    auto lookback =
        Lookback::create(*device, {"scan", desc.waits, desc.aligned, *tuning, elements->memory_words}, specialize);
    if (!lookback) return lookback.error();
    return Scan(std::unique_ptr<Plan>(new Plan{std::move(*lookback), desc, elements->memory_words * 4}));
}

VkDeviceSize Scan::scratch_size(uint32_t count) const { return plan_->lookback.scratch_size(count); }

Grid Scan::grid(const Args& args) const { return plan_->lookback.grid(args.count, has_vectors(plan_->desc, args), 0); }

Result<void> Scan::validate(const Args& args) const {
    if (args.count == 0) return {};
    const VkDeviceSize size      = sure_count(args) * plan_->element_size;
    const uint32_t     alignment = plan_->desc.aligned ? 16 : plan_->element_size;
    const MemoryRange  input{"input", args.input, size, alignment}, output{"output", args.output, size, alignment};
    const MemoryRange  scratch = scratch_range(args.scratch, scratch_size(args.count));
    const MemoryRange  count   = count_range(args.count_address);
    Checks             checks("scan");
    checks.memory({input, output, scratch, count});
    if (args.output != args.input) checks.apart(output, {input});
    checks.apart(output, {count});
    checks.apart(scratch, {input, output, count});
    checks.part(args.part);
    checks.indirect(args);
    if (auto wrong = checks.result(); !wrong) return wrong;
    const Lookback& lookback = plan_->lookback;
    checks.grid(args.count, lookback.share(args.count, has_vectors(plan_->desc, args), args.part), lookback.device());
    return checks.result();
}

void Scan::record(VkCommandBuffer commands, const Args& args) const {
    if (args.count == 0) return;
    assert_valid(*this, args);

    const Lookback& lookback = plan_->lookback;
    const auto      dispatch = [&](const Pipeline& pipeline, const Share& share) {
        const ScanPush push{args.input, args.output, args.scratch, args.count_address, args.count, share.first};
        lookback.dispatch(commands, pipeline, &push, share, args.indirect);
    };
    lookback.record(commands, args.count, has_vectors(plan_->desc, args), args.part, dispatch);
}

Scan::Scan(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
Scan::Scan(Scan&&) noexcept            = default;
Scan& Scan::operator=(Scan&&) noexcept = default;
Scan::~Scan()                          = default;

} // namespace vkprim
