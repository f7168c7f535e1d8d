#include "workload.h"

#include <algorithm>
#include <cstring>

namespace vkprim::harness {

Result<runtime::Buffer> buffer_of(const runtime::Device& device, const Bytes& contents, VkDeviceSize offset) {
    auto buffer = device.create_buffer(std::max<VkDeviceSize>(offset + contents.size(), 16));
    if (!buffer) return buffer.error();
    if (auto done = device.upload(*buffer, offset, contents.data(), contents.size()); !done) return done.error();
    return buffer;
}

Result<runtime::Buffer> zeroed_buffer(const runtime::Device& device, VkDeviceSize size) {
    auto buffer = device.create_buffer((size + 3) / 4 * 4);
    if (!buffer) return buffer.error();
    if (auto done = device.fill(*buffer, 0, (size + 3) / 4 * 4, 0); !done) return done.error();
    return buffer;
}

Result<std::shared_ptr<WorkloadMemory>> WorkloadMemory::create(const runtime::Device& device, const WorkloadDesc& desc,
                                                               VkDeviceSize scratch_size, VkDeviceSize temporary_size) {
    std::shared_ptr<WorkloadMemory> memory(new WorkloadMemory(device, desc));
    auto                            input = buffer_of(device, *desc.input, desc.input_offset);
    if (!input) return input.error();
    auto output = device.create_buffer(desc.output_offset + std::max<VkDeviceSize>(desc.output_size, 16));
    if (!output) return output.error();
    // Nothing that memory was before can be taken for a result.
    if (auto done = device.fill(*output, 0, output->size() / 4 * 4, 0xcdcdcdcd); !done) return done.error();
    auto scratch = zeroed_buffer(device, std::max<VkDeviceSize>(scratch_size, 16));
    if (!scratch) return scratch.error();
    auto temporary = device.create_buffer(std::max<VkDeviceSize>(temporary_size, 16));
    if (!temporary) return temporary.error();
    memory->temporary_ = std::move(*temporary);
    memory->input_     = std::move(*input);
    memory->output_    = std::move(*output);
    memory->scratch_   = std::move(*scratch);
    if (desc.size.bound == 0) return memory;

    Bytes bytes(command_offset + sizeof(VkDispatchIndirectCommand));
    std::memcpy(bytes.data(), &desc.size.count, 4);
    auto count = buffer_of(device, bytes);
    if (!count) return count.error();
    memory->count_ = std::move(*count);
    if (!desc.size.indirect) return memory;

    const Context& context = device.context();
    auto           command = IndirectCommand::create(context, {});
    if (!command) return command.error();
    memory->indirect_         = std::move(*command);
    memory->pipeline_barrier_ = reinterpret_cast<PFN_vkCmdPipelineBarrier>(
        context.get_instance_proc_addr(context.instance, "vkCmdPipelineBarrier"));
    return memory;
}

Operands WorkloadMemory::operands() const {
    Operands operands;
    operands.input     = input_.address() + desc_.input_offset;
    operands.output    = output_.address() + desc_.output_offset;
    operands.scratch   = scratch_.address();
    operands.temporary = temporary_.address();
    operands.count     = desc_.size.host_count();
    if (desc_.size.bound > 0) operands.count_address = count_.address();
    return operands;
}

Workload WorkloadMemory::workload(std::shared_ptr<WorkloadMemory> memory) {
    const WorkloadDesc& desc = memory->desc_;
    Workload            workload;
    workload.bytes_read    = desc.input->size();
    workload.bytes_written = desc.bytes_written;
    workload.memory        = memory;
    workload.input         = desc.input;
    workload.expected      = [compute = desc.expected, bytes = std::make_shared<std::shared_ptr<const Bytes>>()] {
        if (!*bytes) *bytes = std::make_shared<const Bytes>(compute());
        return *bytes;
    };
    workload.upload   = [memory] { return memory->upload(); };
    workload.download = [memory] { return memory->download(memory->desc_.output_size); };
    workload.check    = [memory, expected = workload.expected] { return memory->check(*expected()); };
    return workload;
}

Result<void> WorkloadMemory::upload() const {
    return device_.upload(input_, desc_.input_offset, desc_.input->data(), desc_.input->size());
}

Result<Bytes> WorkloadMemory::download(uint64_t size) const {
    Bytes      bytes(size);
    const auto done = device_.download(output_, desc_.output_offset, bytes.data(), bytes.size());
    if (!done) return done.error();
    return bytes;
}

std::string WorkloadMemory::check(const Bytes& expected) const {
    const auto got = download(expected.size());
    if (!got) return got.error().reason;
    return difference_of({expected.data(), got->data(), got->size(), desc_.format});
}

void WorkloadMemory::record_command(VkCommandBuffer commands, const Grid& grid) const {
    IndirectCommand::Args args;
    args.command       = count_.address() + command_offset;
    args.count_address = count_.address();
    args.grid          = grid;
    VkMemoryBarrier barrier{};
    barrier.sType         = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
    // Of the operation before, the command has been read.
    pipeline_barrier_(commands, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0,
                      nullptr, 0, nullptr, 0, nullptr);
    indirect_->record(commands, args);
    pipeline_barrier_(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0, 1,
                      &barrier, 0, nullptr, 0, nullptr);
}

} // namespace vkprim::harness
