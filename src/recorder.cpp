#include "recorder.h"

#include <algorithm>
#include <cassert>

namespace vkprim {
namespace {

void bind(VkCommandBuffer commands, const CoreDevice& device, const Pipeline& pipeline, const void* push) {
    const DeviceFunctions& vk = device.functions;
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle());
    vk.CmdPushConstants(commands, pipeline.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, pipeline.push_size(), push);
}

} // namespace

Share share_of(uint32_t total, const Part& part, uint32_t unit) {
    if (total / part.parts < unit) unit = 1;
    const auto before = [&](uint64_t number) {
        const auto place = static_cast<uint32_t>(total * number / part.parts);
        return number == part.parts ? total : place / unit * unit;
    };
    return {before(part.number), before(uint64_t{part.number} + 1) - before(part.number)};
}

uint32_t columns_of(uint32_t workgroups, const DeviceLimits& limits) {
    constexpr uint32_t least   = 65535; // that a device may have
    uint32_t           columns = limits.workgroup_count_x;
    while (uint64_t{columns} * limits.workgroup_count_y < workgroups && columns <= least / 2) columns *= 2;
    return columns;
}

Share share_of_workgroups(uint32_t total, const Part& part, const CoreDevice& device) {
    // A part has at most twice as many workgroups as total / parts, or fits into one row: its own columns divide these.
    uint32_t unit = columns_of(total, device.limits);
    while (unit > device.limits.workgroup_count_x && total / part.parts < unit) unit /= 2;
    return share_of(total, part, unit);
}

void record_dispatch(VkCommandBuffer commands, const CoreDevice& device, const Pipeline& pipeline, const void* push,
                     uint32_t workgroups, const Indirect& indirect) {
    assert(commands && "commands is null");
    if (indirect.buffer) {
        bind(commands, device, pipeline, push);
        device.functions.CmdDispatchIndirect(commands, indirect.buffer, indirect.offset);
        return;
    }
    if (workgroups == 0) return;
    const uint32_t columns = std::min(workgroups, columns_of(workgroups, device.limits));
    const uint32_t rows    = (workgroups - 1) / columns + 1;

    bind(commands, device, pipeline, push);
    device.functions.CmdDispatch(commands, columns, rows, 1);
}

void record_barrier(VkCommandBuffer commands, const CoreDevice& device) {
    VkMemoryBarrier barrier{};
    barrier.sType         = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    device.functions.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

} // namespace vkprim
