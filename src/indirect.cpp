#include <vkprim/indirect.h>

#include "../shaders/indirect/indirect_push.h"
#include "checks.h"
#include "shaders/indirect.h"

namespace vkprim {

static_assert(static_cast<uint32_t>(IndirectCommand::Kind::dispatch) == INDIRECT_DISPATCH &&
              static_cast<uint32_t>(IndirectCommand::Kind::draw) == INDIRECT_DRAW &&
              static_cast<uint32_t>(IndirectCommand::Kind::draw_indexed) == INDIRECT_DRAW_INDEXED);

struct IndirectCommand::Plan {
    CoreDevice device;
    Kind       kind;
    Pipeline   pipeline;
};

Result<IndirectCommand> IndirectCommand::create(const Context& context, const Desc& desc) {
    if (desc.kind > Kind::draw_indexed) {
        return Error{ErrorKind::invalid_desc, "indirect: Desc::kind is not a Kind"};
    }
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    PipelineDesc pipeline_desc;
    pipeline_desc.shader           = shaders::indirect_any;
    pipeline_desc.name             = "indirect";
    pipeline_desc.push_size        = sizeof(IndirectPush);
    pipeline_desc.shader_constants = by_id({{INDIRECT_KIND_ID, static_cast<uint32_t>(desc.kind)}});
    auto pipeline                  = Pipeline::create(*device, pipeline_desc);
    if (!pipeline) return pipeline.error();
    return IndirectCommand(std::unique_ptr<Plan>(new Plan{*device, desc.kind, std::move(*pipeline)}));
}

VkDeviceSize IndirectCommand::scratch_size(const Args&) const { return 0; }

Result<void> IndirectCommand::validate(const Args& args) const {
    const Kind        kind = plan_->kind;
    const MemoryRange count{"count_address", args.count_address, 4};
    const MemoryRange command{"command", args.command,
                              kind == Kind::dispatch ? sizeof(VkDispatchIndirectCommand)
                              : kind == Kind::draw   ? sizeof(VkDrawIndirectCommand)
                                                     : sizeof(VkDrawIndexedIndirectCommand)};
    Checks            checks("indirect");
    checks.memory({command, count});
    checks.apart(command, {count});
    if (kind == Kind::dispatch) {
        if (args.grid.elements == 0) checks.fail("Grid::elements is 0: a workgroup has one at least");
        if (args.grid.least > args.grid.most) {
            checks.fail("Grid::least is " + std::to_string(args.grid.least) + ", above Grid::most, which is " +
                        std::to_string(args.grid.most));
        }
    }
    return checks.result();
}

void IndirectCommand::record(VkCommandBuffer commands, const Args& args) const {
    assert_valid(*this, args);

    const Plan&    plan = *plan_;
    const uint32_t each = plan.kind == Kind::dispatch ? args.grid.elements : args.vertices;
    // Of its bound; with rows that are long enough for that.
    const DeviceLimits& limits = plan.device.limits;
    const uint32_t      filled = each == 0 || args.bound == 0 ? 0 : (args.bound - 1) / each + 1;
    const uint32_t      most   = std::min(std::max(filled, args.grid.least), args.grid.most);
    const IndirectPush  push{args.count_address,
                            args.command,
                            args.bound,
                            each,
                            args.grid.least,
                            args.grid.most,
                            columns_of(most, limits),
                            limits.workgroup_count_y};
    record_dispatch(commands, plan.device, plan.pipeline, &push, 1);
}

} // namespace vkprim
