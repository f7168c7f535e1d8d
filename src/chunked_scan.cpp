#include <vkprim/chunked_scan.h>

#include "../shaders/chunked_scan/chunked_scan_push.h"
#include "chunk_totals.h"
#include "recorder.h"
#include "shaders/chunked_scan.h"
#include "tuning/chunked_scan.h"

#include <algorithm>

namespace vkprim {

static_assert(VKPRIM_TILE_FAN == CHUNKS_FAN, "the tree of look-back");

struct ChunkedScan::Plan {
    CoreDevice  device;
    ElementPlan elements;
    Pipeline    blocks, unaligned_blocks; ///< without the first, the second is for all addresses
    Pipeline    outputs, unaligned_outputs;
    Pipeline    groups;

    uint32_t block() const { return VKPRIM_TILE_BLOCK / 16 * elements.run_elements(); } ///< elements
    uint32_t group() const { return block() * CHUNKS_FAN; }                             ///< elements
    uint32_t block_count(uint32_t count) const { return count == 0 ? 0 : (count - 1) / block() + 1; }

    bool has_vectors(const Args& args) const {
        return elements.by_element() || (blocks.handle() && is_aligned(args.input | args.output, 16));
    }

    /// In temporary memory, after the totals of blocks.
    VkDeviceAddress supergroups(const Args& args) const {
        return args.temporary + totals_bytes(elements, block_count(args.chunk.count));
    }

    ChunkedScanPush push(const Args& args) const {
        return {args.input,
                args.output,
                args.temporary,
                args.totals,
                supergroups(args),
                args.chunk.count,
                static_cast<uint32_t>(args.chunk.begin / group()),
                block_count(args.chunk.count)};
    }

    /// Folds the totals from `from` on, in groups.
    void record_groups(VkCommandBuffer commands, VkDeviceAddress from, VkDeviceAddress to, uint32_t group_count) const {
        const ChunkedScanPush push{from, to, 0, 0, 0, group_count * CHUNKS_FAN, 0, group_count};
        record_dispatch(commands, device, groups, &push, group_count);
    }
};

Result<ChunkedScan> ChunkedScan::create(const Context& context, const Desc& desc) {
    if (desc.kind > Scan::Kind::inclusive) return Error{ErrorKind::invalid_desc, "Desc::kind is not a Kind"};
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    const auto elements = plan_elements(*device, desc.type, desc.operation);
    if (!elements) return elements.error();
    const auto tuning = tune_chunked_scan(device->limits, context.profile);
    if (!tuning) return tuning.error();
    if (!elements->scans) {
        return Error{ErrorKind::invalid_desc,
                     std::string("chunked_scan has no ") + operation_name(desc.operation) + ": chunked_reduce has"};
    }

    PipelineDesc pipeline_desc = element_pipeline(*elements, shaders::chunked_scan_elements);
    pipeline_desc.push_size    = sizeof(ChunkedScanPush);

    std::unique_ptr<Plan> plan(new Plan{*device, *elements, {}, {}, {}, {}, {}});
    struct Build {
        Pipeline*   pipeline;
        const char* name;
        uint32_t    stage;
        bool        aligned, wanted;
    };
    const bool  by_element = elements->by_element(), has_aligned = by_element || tuning->aligned != 0;
    const Build builds[] = {
        {&plan->groups, "chunked_scan, groups", CHUNKED_SCAN_GROUPS, true, true},
        {&plan->blocks, "chunked_scan, blocks", CHUNKED_SCAN_BLOCKS, true, has_aligned},
        {&plan->unaligned_blocks, "chunked_scan, unaligned blocks", CHUNKED_SCAN_BLOCKS, false, !by_element},
        {&plan->outputs, "chunked_scan, outputs", CHUNKED_SCAN_OUTPUTS, true, has_aligned},
        {&plan->unaligned_outputs, "chunked_scan, unaligned outputs", CHUNKED_SCAN_OUTPUTS, false, !by_element},
    };
    PipelineList pipelines;
    for (const Build& build : builds) {
        if (!build.wanted) continue;
        pipeline_desc.name = build.name;
        pipeline_desc.shader_constants =
            by_id({{CHUNKED_SCAN_INCLUSIVE_ID, desc.kind == Scan::Kind::inclusive},
                   {CHUNKED_SCAN_ADDRESSES_ID, build.aligned ? VKPRIM_RUNS_ALIGNED : VKPRIM_RUNS_ANYWHERE},
                   {CHUNKED_SCAN_STAGE_ID, build.stage}});
        pipelines.add(*build.pipeline, pipeline_desc);
    }
    if (auto made = pipelines.create(*device); !made) return made.error();
    return ChunkedScan(std::move(plan));
}

VkDeviceSize ChunkedScan::totals_size(uint64_t count) const {
    return totals_bytes(plan_->elements, count / plan_->group());
}

TotalsRange ChunkedScan::totals_range(const Chunk& chunk) const {
    return {totals_size(chunk.begin), totals_size(chunk.count)};
}

VkDeviceSize ChunkedScan::temporary_size(uint32_t count) const {
    return totals_bytes(plan_->elements, plan_->block_count(count) + uint64_t{CHUNKS_FAN});
}

Result<void> ChunkedScan::validate(const Args& args) const {
    const Plan&        plan     = *plan_;
    const ElementPlan& elements = plan.elements;
    const Chunk&       chunk    = args.chunk;
    Checks             checks("chunked_scan");
    check_chunk(checks, chunk, chunk.begin + chunk.count, most_elements(elements));
    if (auto wrong = checks.result(); !wrong) return wrong;
    if (chunk.count == 0) return {};
    const MemoryRange input{"input", args.input, elements.input_range(chunk.count, 0), elements.input_align};
    const MemoryRange output{"output", args.output, VkDeviceSize{chunk.count} * elements.output_size,
                             elements.output_align};
    const MemoryRange totals{"totals", args.totals, totals_size(chunk.begin + chunk.count), 16};
    const MemoryRange temporary{"temporary", args.temporary, temporary_size(chunk.count), 16};
    checks.memory({input, output, totals, temporary});
    if (args.output != args.input || elements.output_size != elements.input_size) checks.apart(output, {input});
    checks.apart(output, {totals});
    checks.apart(totals, {input});
    checks.apart(temporary, {input, output, totals});
    if (auto wrong = checks.result(); !wrong) return wrong;
    checks.grid(chunk.count, {0, plan.block_count(chunk.count)}, plan.device);
    return checks.result();
}

void ChunkedScan::record_totals(VkCommandBuffer commands, const Args& args) const {
    assert_valid(*this, args);
    if (args.chunk.count == 0) return;
    const Plan&           plan = *plan_;
    const ChunkedScanPush push = plan.push(args);
    record_dispatch(commands, plan.device, plan.has_vectors(args) ? plan.blocks : plan.unaligned_blocks, &push,
                    push.workgroups);
    const uint32_t groups = args.chunk.count / plan.group();
    if (groups == 0) return;
    record_barrier(commands, plan.device);
    plan.record_groups(commands, args.temporary, args.totals + totals_range(args.chunk).offset, groups);
}

void ChunkedScan::record_outputs(VkCommandBuffer commands, const Args& args) const {
    assert_valid(*this, args);
    if (args.chunk.count == 0) return;
    const Plan&    plan        = *plan_;
    const uint64_t last        = args.chunk.begin + args.chunk.count - 1;
    const auto     supergroups = static_cast<uint32_t>(last / plan.group() / CHUNKS_FAN);
    if (supergroups > 0) {
        plan.record_groups(commands, args.totals, plan.supergroups(args), supergroups);
        record_barrier(commands, plan.device);
    }
    const ChunkedScanPush push = plan.push(args);
    record_dispatch(commands, plan.device, plan.has_vectors(args) ? plan.outputs : plan.unaligned_outputs, &push,
                    push.workgroups);
}

void ChunkedScan::record(VkCommandBuffer commands, const Args& args) const {
    if (args.chunk.count == 0) return;
    record_totals(commands, args);
    record_barrier(commands, plan_->device);
    record_outputs(commands, args);
}

} // namespace vkprim
