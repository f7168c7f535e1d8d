// Commands of indirect dispatches and draws, computed from counts on the GPU.
#pragma once

#include <vkprim/core.h>

namespace vkprim {

/// Writes one command. `count` is the uint32 at count_address, but at most Args::bound:
///
///     dispatch      VkDispatchIndirectCommand: the workgroups that `count` elements need, by Args::grid; spread over several rows (y)
///                   if they exceed maxComputeWorkGroupCount[0]
///     draw          VkDrawIndirectCommand{vertices, count, 0, 0}: `count` instances
///     draw_indexed  VkDrawIndexedIndirectCommand{vertices, count, 0, 0, 0}
///
/// Before the command is used, record a barrier from VK_ACCESS_SHADER_WRITE_BIT in the compute shader stage to
/// VK_ACCESS_INDIRECT_COMMAND_READ_BIT in VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT. Before it is written again, record an execution dependency
/// from VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT to the compute shader stage. count_address needs the barriers of an input (core.h).
///
/// With the grid() of a Reduce, Scan, Compact or Sort, the command is for Args::indirect of that operation. One command serves any number of
/// operations that have the same count and grid().
class VKPRIM_API IndirectCommand {
public:
    enum class Kind : uint32_t { dispatch, draw, draw_indexed };

    struct Desc {
        Kind kind = Kind::dispatch;
    };

    struct Args {
        VkDeviceAddress command       = 0;          ///< written: the command, 4-byte aligned
        VkDeviceAddress count_address = 0;          ///< read: a uint32, 4-byte aligned
        uint32_t        bound         = UINT32_MAX; ///< the largest count: a larger one is treated as the bound
        Grid            grid          = {};         ///< of a dispatch: grid() of the operation
        uint32_t        vertices      = 0;          ///< draw: vertexCount of an instance; draw_indexed: its indexCount
    };

    /// Fails with a reason if the device lacks a required feature (requirements.h), or if the driver rejects the pipeline.
    static Result<IndirectCommand> create(const Context& context, const Desc& desc);

    /// 0: it needs no scratch.
    VkDeviceSize scratch_size(const Args& args) const;

    /// Says what is wrong with `args`, if anything. See "Checks" in core.h.
    Result<void> validate(const Args& args) const;

    /// Appends one dispatch to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

private:
    struct Plan;
    explicit IndirectCommand(detail::Owned<Plan> plan) : plan_(std::move(plan)) {}
    detail::Owned<Plan> plan_;
};

} // namespace vkprim
