// The copy kernel, as every benchmark's yardstick. Not a primitive: it has no cases to verify.
#include "shaders/copy.h"
#include "recorder.h"

#include "elements.h"
#include "harness/shaders/copy/copy_push.h"
#include "workload.h"

#include <cstring>

namespace vkprim::harness::copy_primitive {
namespace {

Result<Pipeline> create_pipeline(const CoreDevice& core) {
    PipelineDesc desc;
    desc.shader    = shaders::copy_any;
    desc.name      = "copy";
    desc.push_size = sizeof(CopyPush);
    return Pipeline::create(core, desc);
}

Result<Workload> prepare(const runtime::Device& device, const BenchSize& bench_size) {
    const uint32_t count = bench_size.count; // the host's alone
    struct Memory {
        CoreDevice      core;
        Pipeline        pipeline;
        runtime::Buffer source, target;
    };
    auto core = CoreDevice::create(device.context());
    if (!core) return core.error();
    auto pipeline = create_pipeline(*core);
    if (!pipeline) return pipeline.error();
    const uint64_t size   = uint64_t{count} * 4;
    const auto     input  = random_bytes({ElementType::u32, Operation::add}, count);
    auto           source = buffer_of(device, *input);
    if (!source) return source.error();
    auto target = device.create_buffer(size);
    if (!target) return target.error();
    auto memory = std::make_shared<Memory>(Memory{*core, std::move(*pipeline), std::move(*source), std::move(*target)});

    const CopyPush push{memory->source.address(), memory->target.address(), count / 4};
    Workload       workload;
    workload.bytes_read    = size;
    workload.bytes_written = size;
    workload.record        = [memory, push](VkCommandBuffer commands) {
        if (push.vectors == 0) return; // fewer than four elements
        const uint32_t tile = 256 * COPY_VECTORS;
        record_dispatch(commands, memory->core, memory->pipeline, &push, (push.vectors + tile - 1) / tile);
    };
    workload.input    = input;
    workload.expected = [input] { return input; };
    workload.check    = [memory, input, &device, size] {
        std::vector<uint8_t> got(size);
        const Result<void>   done = device.download(memory->target, 0, got.data(), size);
        if (!done) return done.error().reason;
        const bool same = std::memcmp(got.data(), input->data(), size / 16 * 16) == 0;
        return same ? std::string() : std::string("the copy differs from the source");
    };
    workload.memory = memory;
    return workload;
}

const Registration registration({"copy", {}, {{"u32", "u32", 4, prepare, Counting::host, {"copy_u32"}}}});

} // namespace
} // namespace vkprim::harness::copy_primitive

vkprim::Result<void> vkprim::harness::compile_copy(const runtime::Device& device) {
    auto core = CoreDevice::create(device.context());
    if (!core) return core.error();
    auto pipeline = copy_primitive::create_pipeline(*core);
    if (!pipeline) return pipeline.error();
    return {};
}
