#include <vkprim/chunked_reduce.h>

#include "../shaders/chunked_reduce/chunked_reduce_push.h"
#include "chunk_totals.h"
#include "recorder.h"
#include "shaders/chunked_reduce.h"
#include "tuning/chunked_reduce.h"

#include <algorithm>

namespace vkprim {
namespace {

static_assert(REDUCE_WORKGROUP_SIZE == CHUNKS_FAN, "each invocation of a workgroup folds one total");
static_assert(max_chunked_count / (uint64_t{VKPRIM_FOLD_FAN} * VKPRIM_FOLD_FAN) <= chunk_step,
              "chunks consist of whole tiles");

} // namespace

struct ChunkedReduce::Plan {
    CoreDevice  device;
    ElementPlan elements;
    Pipeline    aligned; ///< tiles at addresses that are multiples of 16, or all, where elements are loaded one by one
    Pipeline    unaligned; ///< the others; or all, without the first
    Pipeline    groups, result;

    /// log2 of a tile's elements, in an array of `whole`: reduce_log2_tile() beyond 32 bits.
    uint32_t log2_tile(uint64_t whole) const {
        const uint32_t width = elements.vector_width;
        if (whole <= UINT32_MAX) return reduce_log2_tile(static_cast<uint32_t>(std::max<uint64_t>(whole, 1)), width);
        uint32_t log2_tile = 0;
        while ((whole - 1) >> log2_tile >= reduce_most_tiles(width)) ++log2_tile;
        return log2_tile;
    }

    /// Of `count` elements.
    uint32_t tiles(uint64_t count, uint64_t whole) const {
        return count == 0 ? 0 : static_cast<uint32_t>(((count - 1) >> log2_tile(whole)) + 1);
    }

    /// Indices have 32 bits, and the last of these stands for no element.
    uint64_t most() const { return elements.indexed ? UINT32_MAX : most_elements(elements); }

    void record(VkCommandBuffer commands, const Pipeline& pipeline, const ChunkedReducePush& push) const {
        record_dispatch(commands, device, pipeline, &push, push.workgroups);
    }
};

Result<ChunkedReduce> ChunkedReduce::create(const Context& context, const Desc& desc) {
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    const auto elements = plan_elements(*device, desc.type, desc.operation, desc.wide);
    if (!elements) return elements.error();
    const auto tuning = tune_chunked_reduce(device->limits, context.profile);
    if (!tuning) return tuning.error();

    PipelineDesc pipeline_desc   = element_pipeline(*elements, shaders::chunked_reduce_elements);
    pipeline_desc.push_size      = sizeof(ChunkedReducePush);
    pipeline_desc.workgroup_size = REDUCE_WORKGROUP_SIZE;

    std::unique_ptr<Plan> plan(new Plan{*device, *elements, {}, {}, {}, {}});
    struct Build {
        Pipeline*   pipeline;
        const char* name;
        uint32_t    stage;
        bool        aligned, wanted;
    };
    const bool  by_element = elements->by_element(), has_aligned = by_element || tuning->aligned != 0;
    const Build builds[] = {
        {&plan->groups, "chunked_reduce, groups", CHUNKED_REDUCE_GROUPS, true, true},
        {&plan->result, "chunked_reduce, result", CHUNKED_REDUCE_RESULT, true, true},
        {&plan->aligned, "chunked_reduce, aligned", CHUNKED_REDUCE_TILES, true, has_aligned},
        {&plan->unaligned, "chunked_reduce, unaligned", CHUNKED_REDUCE_TILES, false, !by_element},
    };
    PipelineList pipelines;
    for (const Build& build : builds) {
        if (!build.wanted) continue;
        pipeline_desc.name             = build.name;
        pipeline_desc.shader_constants = by_id({{CHUNKED_REDUCE_ALIGNED_ID, build.aligned},
                                                {CHUNKED_REDUCE_BATCH_ID, tuning->batch},
                                                {CHUNKED_REDUCE_STAGE_ID, build.stage}});
        pipelines.add(*build.pipeline, pipeline_desc);
    }
    if (auto made = pipelines.create(*device); !made) return made.error();
    return ChunkedReduce(std::move(plan));
}

VkDeviceSize ChunkedReduce::totals_size(uint64_t whole) const {
    return totals_bytes(plan_->elements, plan_->tiles(whole, whole));
}

TotalsRange ChunkedReduce::totals_range(const Chunk& chunk, uint64_t whole) const {
    const Plan& plan = *plan_;
    return {totals_bytes(plan.elements, chunk.begin >> plan.log2_tile(whole)),
            totals_bytes(plan.elements, plan.tiles(chunk.count, whole))};
}

VkDeviceSize ChunkedReduce::temporary_size() const { return totals_bytes(plan_->elements, CHUNKS_FAN); }

Result<void> ChunkedReduce::validate(const TotalsArgs& args) const {
    const Plan& plan = *plan_;
    Checks      checks("chunked_reduce");
    check_chunk(checks, args.chunk, args.whole, plan.most());
    if (auto wrong = checks.result(); !wrong) return wrong;
    if (args.chunk.count == 0) return {};
    const TotalsRange range = totals_range(args.chunk, args.whole);
    const MemoryRange input{"input", args.input, plan.elements.input_range(args.chunk.count, 0),
                            plan.elements.input_align};
    const MemoryRange totals{"totals", args.totals, range.offset + range.size, 16};
    checks.memory({input, totals});
    if (auto wrong = checks.result(); !wrong) return wrong;
    checks.apart({"totals", args.totals + range.offset, range.size, 4}, {input});
    checks.grid(args.chunk.count, {0, plan.tiles(args.chunk.count, args.whole)}, plan.device);
    return checks.result();
}

Result<void> ChunkedReduce::validate(const ResultArgs& args) const {
    const Plan& plan = *plan_;
    Checks      checks("chunked_reduce");
    check_chunk(checks, {}, args.whole, plan.most());
    if (auto wrong = checks.result(); !wrong) return wrong;
    const MemoryRange totals{"totals", args.totals, totals_size(args.whole), 16};
    const MemoryRange temporary{"temporary", args.temporary, temporary_size(), 16};
    const MemoryRange output{"output", args.output, plan.elements.result_size, plan.elements.output_align};
    checks.memory({totals, temporary, output});
    checks.apart(temporary, {totals, output});
    checks.apart(output, {totals});
    return checks.result();
}

void ChunkedReduce::record_totals(VkCommandBuffer commands, const TotalsArgs& args) const {
    assert_valid(*this, args);
    if (args.chunk.count == 0) return;
    const Plan&     plan    = *plan_;
    const bool      aligned = plan.elements.by_element() || (plan.aligned.handle() && is_aligned(args.input, 16));
    const Pipeline& tiles   = aligned ? plan.aligned : plan.unaligned;
    plan.record(commands, tiles,
                {args.input, args.totals + totals_range(args.chunk, args.whole).offset, args.chunk.count,
                 static_cast<uint32_t>(args.chunk.begin), plan.log2_tile(args.whole),
                 plan.tiles(args.chunk.count, args.whole)});
}

void ChunkedReduce::record_result(VkCommandBuffer commands, const ResultArgs& args) const {
    assert_valid(*this, args);
    const Plan&       plan   = *plan_;
    const uint32_t    tiles  = plan.tiles(args.whole, args.whole);
    ChunkedReducePush result = {args.totals, args.output, tiles, 0, 0, 1};
    if (tiles > CHUNKS_FAN) {
        plan.record(commands, plan.groups, {args.totals, args.temporary, tiles, 0, 0, total_groups(tiles)});
        record_barrier(commands, plan.device);
        result.input_address = args.temporary;
        result.count         = total_groups(tiles);
    }
    plan.record(commands, plan.result, result);
}

} // namespace vkprim
