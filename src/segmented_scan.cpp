#include <vkprim/segmented_scan.h>

#include <vkprim/glsl/detail/tile.h>
#include "segments.h"
#include "shaders/segmented_scan.h"
#include "tuning/segmented_scan.h"

#include <array>

namespace vkprim {
namespace {

/// What follows the push block for operations of your own.
struct SegmentedScanOwnPush {
    SegmentedScanPush     segmented;
    vkprim_ParametersPush own;
};
static_assert(sizeof(SegmentedScanOwnPush) <= 128, "what every device has room for");

/// So many can arrive in scratch, and clear it. Of many empty segments, small shares would be more.
constexpr uint32_t most_workgroups = VKPRIM_SCRATCH_ARRIVALS / 2;

} // namespace

struct SegmentedScan::Plan {
    CoreDevice    device;
    Desc          desc;
    ElementPlan   elements;
    SegmentShares shares;
    uint32_t      short_share; ///< SegmentedScanTuning

    std::array<Pipeline, 5> pipelines = {}; ///< by VKPRIM_STAGE_...

    uint32_t tile() const { return VKPRIM_TILE_BLOCK / 16 * elements.run_elements(); } ///< elements

    /// Words of a stripe: none if no segment has several tiles. All of each workgroup's share is counted, so that this never shrinks.
    uint64_t scratch_words(const SegmentSize& size) const {
        if (size.count <= tile()) return 0;
        const uint64_t places = shares.places(size) + uint64_t{SEGMENTS_MOST_SHARE} * elements.vector_width;
        return places / tile() * SEGMENTED_SCAN_TILE_WORDS * elements.slots();
    }

    /// Of a workgroup: places.
    uint32_t share(const SegmentSize& size) const {
        const bool mostly_short = !shares.rows && size.count / size.segments < tile();
        const auto few = static_cast<uint32_t>(shares.places(size) / most_workgroups / elements.vector_width) + 1;
        return std::max(shares.share(size, mostly_short ? short_share : 0), few * elements.vector_width);
    }

    uint32_t workgroups(const SegmentSize& size) const {
        return size.segments == 0 ? 0 : SegmentShares::workgroups_of(shares.places(size), share(size));
    }

    Share        part(const Args& args) const { return share_of_workgroups(workgroups(args), args.part, device); }
    VkDeviceSize pitch(const Args& args) const {
        return pitch_of(args.segments.pitch, args.count, elements.input_size);
    }
    VkDeviceSize output_pitch(const Args& args) const {
        return pitch_of(args.output_pitch, args.count, elements.output_size);
    }
};

Result<SegmentedScan> SegmentedScan::create(const Context& context, const Desc& desc) {
    if (desc.kind > Scan::Kind::inclusive) return Error{ErrorKind::invalid_desc, "Desc::kind is not a Kind"};
    if (auto wrong = check_divided("segmented_scan", desc.segments); !wrong) return wrong.error();
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    const Shader own = desc.own ? own_shader(desc.own->segmented_scan[device->variant()]) : Shader{};
    const auto   elements =
        desc.own ? plan_own_elements(own, "segmented_scan") : plan_elements(*device, desc.type, desc.operation);
    if (!elements) return elements.error();
    if (!elements->scans) {
        return Error{ErrorKind::invalid_desc,
                     std::string("segmented_scan has no ") + operation_name(desc.operation) + ": segmented_reduce has"};
    }
    const auto tuning = tune_segmented_scan(device->limits, context.profile);
    if (!tuning) return tuning.error();

    const bool   rows          = desc.segments == SegmentLayout::rows;
    const bool   waits         = desc.waits && tuning->waits.waits != 0;
    PipelineDesc pipeline_desc = element_pipeline(*elements, shaders::segmented_scan_elements, own);
    pipeline_desc.push_size    = desc.own ? sizeof(SegmentedScanOwnPush) : sizeof(SegmentedScanPush);
    pipeline_desc.tickets      = waits && tuning->waits.tickets != 0;
    pipeline_desc.fault        = tuning->waits.fault;
    pipeline_desc.fault_share  = tuning->waits.fault_share;

    std::unique_ptr<Plan> plan(new Plan{*device,
                                        desc,
                                        *elements,
                                        {rows, elements->vector_width, tuning->workgroups, tuning->share},
                                        tuning->short_share});
    plan->desc.own                = nullptr;
    constexpr const char* names[] = {"segmented_scan", "segmented_scan, tiles", "segmented_scan, groups",
                                     "segmented_scan, supergroups", "segmented_scan, outputs"};
    PipelineList          pipelines;
    for (uint32_t stage = VKPRIM_STAGE_ALL; stage <= VKPRIM_STAGE_OUTPUTS; ++stage) {
        if ((stage == VKPRIM_STAGE_ALL) != waits) continue;
        pipeline_desc.name             = names[stage];
        pipeline_desc.shader_constants = by_id({{SEGMENTED_SCAN_ROWS_ID, rows},
                                                {SEGMENTED_SCAN_INCLUSIVE_ID, desc.kind == Scan::Kind::inclusive},
                                                {SEGMENTED_SCAN_STAGE_ID, stage}});
        pipelines.add(plan->pipelines[stage], pipeline_desc);
    }
    if (auto made = pipelines.create(*device); !made) return made.error();
    return SegmentedScan(std::move(plan));
}

VkDeviceSize SegmentedScan::scratch_size(const Args& args) const {
    return vkprim_scratch_bytes(
        static_cast<uint32_t>(std::min<uint64_t>(plan_->scratch_words(args), VKPRIM_SCRATCH_MOST_LEFT)));
}

Result<void> SegmentedScan::validate(const Args& args) const {
    const Plan&        plan     = *plan_;
    const ElementPlan& elements = plan.elements;
    Checks             checks("segmented_scan");
    checks.part(args.part);
    if (args.segments.count == 0) return checks.result();
    check_segments(checks, plan.shares, elements, args);
    const bool rows = plan.shares.rows;
    if (rows && elements.stores) {
        check_pitch(checks, "output_pitch", args.output_pitch, args, elements.output_size, elements.output_align);
    }
    if (plan.scratch_words(args) >= VKPRIM_SCRATCH_MOST_LEFT) {
        checks.fail("count " + std::to_string(args.count) +
                    " needs too much scratch for such elements: record the segments in several operations");
    }
    if (auto wrong = checks.result(); !wrong) return wrong;

    const SegmentRanges read    = segment_ranges(plan.desc.segments, elements, args);
    VkDeviceSize        written = read.count * elements.output_size;
    if (rows) written = rows_size(read.segments, read.count, plan.output_pitch(args), elements.output_size);
    const MemoryRange output{"output", args.output, elements.stores ? written : 0, elements.output_align};
    const MemoryRange scratch = scratch_range(args.scratch, scratch_size(args));
    checks.memory({read.input, output, read.offsets, scratch, read.gpu_count, read.gpu_segments});
    const bool alike = elements.output_size == elements.input_size && plan.pitch(args) == plan.output_pitch(args);
    if (args.output != args.input || (rows && !alike) || elements.output_size != elements.input_size)
        checks.apart(output, {read.input});
    checks.apart(output, {read.offsets, read.gpu_count, read.gpu_segments});
    checks.apart(scratch, {read.input, output, read.offsets, read.gpu_count, read.gpu_segments});
    if (auto wrong = checks.result(); !wrong) return wrong;
    checks.grid(args.count, plan.part(args), plan.device);
    return checks.result();
}

void SegmentedScan::record(VkCommandBuffer commands, const Args& args) const {
    const Plan& plan = *plan_;
    assert_valid(*this, args);
    const Share share = plan.part(args);
    if (share.count == 0) return;
    const bool                 rows = plan.shares.rows;
    const SegmentedScanOwnPush push{
        {args.input, args.output, args.scratch, args.segments.offsets, pushed_count(args.count_address, args.scratch),
         pushed_count(args.segments.count_address, args.scratch), args.count, args.segments.count,
         rows ? static_cast<uint32_t>(plan.pitch(args)) : 0, rows ? static_cast<uint32_t>(plan.output_pitch(args)) : 0,
         args.segments.offset_size, plan.share(args), plan.workgroups(args), share.first},
        own_push(args.parameters)};
    const Pipeline& all = plan.pipelines[VKPRIM_STAGE_ALL];
    if (all.handle()) return record_dispatch(commands, plan.device, all, &push, share.count);
    // For segments of one tile only the outputs, for tiles of one group no groups, and so on.
    for (uint32_t stage = VKPRIM_STAGE_TILES; stage <= VKPRIM_STAGE_OUTPUTS; ++stage) {
        const uint64_t fan = stage == VKPRIM_STAGE_TILES    ? 1
                             : stage == VKPRIM_STAGE_GROUPS ? VKPRIM_TILE_FAN
                                                            : VKPRIM_TILE_FAN * VKPRIM_TILE_FAN;
        if (stage != VKPRIM_STAGE_OUTPUTS && args.count <= fan * plan.tile()) continue;
        record_dispatch(commands, plan.device, plan.pipelines[stage], &push, share.count);
        if (stage != VKPRIM_STAGE_OUTPUTS) record_barrier(commands, plan.device);
    }
}

} // namespace vkprim
