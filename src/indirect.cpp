#include <vkprim/indirect.h>

#include "../shaders/indirect/indirect_push.h"
#include "recorder.h"
#include "shaders/indirect.h"

#include <cassert>

namespace vkprim {

struct IndirectCommand::Plan {
    CoreDevice device;
    Kind       kind;
    Pipeline   pipeline;
};

Result<IndirectCommand> IndirectCommand::create(const Context& context, const Desc& desc) {
    if (desc.kind > Kind::draw_indexed) {
        return Error{VK_ERROR_FORMAT_NOT_SUPPORTED, "indirect: Desc::kind is not a Kind"};
    }
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    PipelineDesc pipeline_desc;
    pipeline_desc.shader           = shaders::indirect_any;
    pipeline_desc.name             = "indirect";
    pipeline_desc.push_size        = sizeof(IndirectPush);
    pipeline_desc.shader_constants = {static_cast<uint32_t>(desc.kind)};
    auto pipeline                  = Pipeline::create(*device, pipeline_desc);
    if (!pipeline) return pipeline.error();
    return IndirectCommand(std::unique_ptr<Plan>(new Plan{*device, desc.kind, std::move(*pipeline)}));
}

VkDeviceSize IndirectCommand::scratch_size(uint32_t) const { return 0; }

void IndirectCommand::record(VkCommandBuffer commands, const Args& args) const {
    assert(args.command && is_aligned(args.command, 4) && "command must be the address of an indirect command");
    assert(args.count_address && is_aligned(args.count_address, 4) && "count_address must be the address of a uint32");
    assert(args.grid.elements > 0 && "a workgroup must have elements");
    assert(args.grid.least <= args.grid.most && "Grid::least must not be above Grid::most");

    const Plan&        plan = *plan_;
    const uint32_t     each = plan.kind == Kind::dispatch ? args.grid.elements : args.vertices;
    const IndirectPush push{args.count_address,
                            args.command,
                            args.bound,
                            each,
                            args.grid.least,
                            args.grid.most,
                            columns_of(most, limits),
                            limits.workgroup_count_y};
    record_dispatch(commands, plan.device, plan.pipeline, &push, 1);
}

IndirectCommand::IndirectCommand(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
IndirectCommand::IndirectCommand(IndirectCommand&&) noexcept            = default;
IndirectCommand& IndirectCommand::operator=(IndirectCommand&&) noexcept = default;
IndirectCommand::~IndirectCommand()                                     = default;

} // namespace vkprim
