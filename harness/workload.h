// What the primitives' benchmarks share: memory, a count that may lie on the GPU, and the comparison with the CPU reference.
#pragma once

#include <vkprim/indirect.h>

#include "harness.h"

#include <optional>
#include <utility>

namespace vkprim::harness {

/// A buffer with `contents` in it, `offset` bytes after its beginning.
Result<runtime::Buffer> buffer_of(const runtime::Device& device, const Bytes& contents, VkDeviceSize offset = 0);

/// Scratch memory as the primitives ask for it.
Result<runtime::Buffer> zeroed_buffer(const runtime::Device& device, VkDeviceSize size);

/// One operation to measure.
struct WorkloadDesc {
    BenchSize                    size = 0;
    std::shared_ptr<const Bytes> input;
    std::function<Bytes()>       expected;          ///< what the CPU reference makes of it
    uint64_t                     output_size   = 0; ///< bytes; no less than are expected
    uint64_t                     bytes_written = 0; ///< as in Workload
    Format                       format        = Format::u32;

    /// Bytes behind a multiple of 16 at which they begin.
    VkDeviceSize input_offset = 0, output_offset = 0;
};

/// What the operation works on.
class WorkloadMemory {
public:
    static Result<std::shared_ptr<WorkloadMemory>> create(const runtime::Device& device, const WorkloadDesc& desc,
                                                          VkDeviceSize scratch_size, VkDeviceSize temporary_size = 0);

    Operands operands() const;

    /// All of a workload but what is recorded.
    static Workload workload(std::shared_ptr<WorkloadMemory> memory);

    /// record(), behind what makes its grid where that lies on the GPU.
    template <class Primitive>
    void record(VkCommandBuffer commands, const Primitive& primitive, typename Primitive::Args args) const {
        if constexpr (has_grid<Primitive>(0)) {
            if (indirect_) {
                args.indirect = {count_.handle(), command_offset};
                record_command(commands, primitive.grid(args));
            }
        }
        primitive.record(commands, args);
    }

private:
    static constexpr VkDeviceSize command_offset = 16;

    template <class Primitive>
    static constexpr auto has_grid(int) -> decltype(&Primitive::grid, true) {
        return true;
    }
    template <class>
    static constexpr bool has_grid(long) {
        return false;
    }

    WorkloadMemory(const runtime::Device& device, const WorkloadDesc& desc) : device_(device), desc_(desc) {}

    void          record_command(VkCommandBuffer commands, const Grid& grid) const;
    Result<void>  upload() const;
    Result<Bytes> download(uint64_t size) const;
    std::string   check(const Bytes& expected) const;

    const runtime::Device&         device_;
    WorkloadDesc                   desc_;
    runtime::Buffer                input_, output_, scratch_, temporary_;
    runtime::Buffer                count_; ///< where the count lies, if on the GPU, and behind it the indirect command
    std::optional<IndirectCommand> indirect_; ///< that makes it, if anybody
    PFN_vkCmdPipelineBarrier       pipeline_barrier_ = nullptr;
};

/// `args_of` makes a Primitive::Args of Operands, as for operator_of().
template <class Primitive, class Function>
Result<Workload> workload_of(const runtime::Device& device, const typename Primitive::Desc& desc,
                             const WorkloadDesc& workload_desc, Function args_of) {
    auto created = Primitive::create(device.context(), desc);
    if (!created) return created.error();
    const auto primitive = std::make_shared<Primitive>(std::move(*created));
    Operands   sizes;
    sizes.count       = workload_desc.size.host_count();
    const auto memory = WorkloadMemory::create(device, workload_desc, primitive->scratch_size(args_of(sizes)),
                                               temporary_size_of(*primitive, args_of(sizes)));
    if (!memory) return memory.error();
    const auto args = args_of((*memory)->operands());
    if (auto valid = primitive->validate(args); !valid) return valid.error();
    Workload workload = WorkloadMemory::workload(*memory);
    workload.record   = [=, memory = *memory](VkCommandBuffer commands) { memory->record(commands, *primitive, args); };
    return workload;
}

} // namespace vkprim::harness
