#include <vkprim/top.h>

#include "../shaders/top/top_push.h"
#include "segments.h"
#include "shaders/top.h"
#include "sorter.h"
#include "tuning/top.h"

#include <algorithm>

namespace vkprim {
namespace {

/// Where the parts of temporary memory begin.
struct TopLayout {
    VkDeviceSize states = 0, counters = 0, tallies = 0, keys = 0, indices = 0, sort = 0;
};

} // namespace

struct Top::Plan {
    CoreDevice device;
    Desc       desc;
    TopTuning  tuning;
    Sorter     sort; ///< of keys and indices that were found
    Pipeline   count = {}, tally = {}, gather = {};

    uint32_t  key_size() const { return element_type_size(desc.key); }
    uint32_t  found(const Args& args) const { return desc.nth ? 1 : args.wanted; } ///< of a row, at most
    uint32_t  most_chunks(const Args& args) const; ///< of a row; never less for more keys
    uint32_t  chunk(const Args& args) const;       ///< keys
    uint32_t  chunks(const Args& args) const { return (args.count - 1) / chunk(args) + 1; }
    TopLayout layout(const Args& args) const;
    void      find(VkCommandBuffer commands, const Args& args, const TopLayout& layout) const;
    void      sort_found(VkCommandBuffer commands, const Args& args, const TopLayout& layout) const;
};

uint32_t Top::Plan::most_chunks(const Args& args) const {
    const uint32_t wanted = std::max(tuning.workgroups / std::max(args.segments.count, 1u), 1u);
    return std::min(wanted, (args.count - 1) / tuning.chunk + 1);
}

uint32_t Top::Plan::chunk(const Args& args) const {
    return std::max((args.count - 1) / most_chunks(args) + 1, tuning.chunk);
}

TopLayout Top::Plan::layout(const Args& args) const {
    const VkDeviceSize rows = args.segments.count, found = desc.nth ? 0 : rows * args.wanted, levels = key_size();
    TopLayout          layout;
    layout.counters = layout.states + rows * (levels + 1) * TOP_STATE_SIZE;
    layout.tallies  = layout.counters + rows * levels * TOP_DIGITS * 4;
    layout.keys     = layout.tallies + up_to_next_part(rows * most_chunks(args) * 8);
    layout.indices  = layout.keys + up_to_next_part(found * key_size());
    layout.sort     = layout.indices + up_to_next_part(found * 4);
    return layout;
}

Result<Top> Top::create(const Context& context, const Desc& desc) {
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    if (auto wrong = check_sort_key("top", desc.key, *device); !wrong) return wrong.error();
    const auto tuning = tune_top(device->limits, context.profile);
    if (!tuning) return tuning.error();
    // With rows: short ones share a workgroup of record_rows().
    auto sort =
        Sorter::create(*device, context.profile, {desc.key, Sort::Values::bytes4, desc.largest, SegmentLayout::rows});
    if (!sort) return sort.error();

    std::unique_ptr<Plan> plan(new Plan{*device, desc, *tuning, std::move(*sort)});
    constexpr Shader      counts[]  = {shaders::top_count_word, shaders::top_count_long, shaders::top_count_narrow};
    constexpr Shader      tallies[] = {shaders::top_tally_word, shaders::top_tally_long, shaders::top_tally_narrow};
    constexpr Shader      gathers[] = {shaders::top_gather_word, shaders::top_gather_long, shaders::top_gather_narrow};
    const uint32_t        kind      = sort_key_kind(desc.key);
    struct Wanted {
        Pipeline&   pipeline;
        Shader      shader;
        const char* name;
    };
    PipelineList pipelines;
    for (const Wanted& wanted :
         {Wanted{plan->count, counts[kind], "top, count"}, Wanted{plan->tally, tallies[kind], "top, tally"},
          Wanted{plan->gather, gathers[kind], "top, gather"}}) {
        PipelineDesc pipeline_desc;
        pipeline_desc.shader           = wanted.shader;
        pipeline_desc.name             = wanted.name;
        pipeline_desc.push_size        = sizeof(TopPush);
        pipeline_desc.workgroup_size   = tuning->workgroup_size;
        pipeline_desc.shader_constants = {sort_key_order(desc.key), desc.largest, element_type_size(desc.key),
                                          tuning->copies, desc.nth};
        pipelines.add(wanted.pipeline, pipeline_desc);
    }
    if (auto made = pipelines.create(*device); !made) return made.error();
    return Top(std::move(plan));
}

VkDeviceSize Top::temporary_size(const Args& args) const {
    if (args.count == 0 || args.segments.count == 0 || plan_->sort.is_one_tile(args.count)) return 0;
    return plan_->layout(args).sort + (plan_->desc.nth ? 0 : plan_->sort.temporary_size(args.wanted));
}

VkDeviceSize Top::scratch_size(const Args&) const { return 0; }

Result<void> Top::validate(const Args& args) const {
    const Plan&    plan = *plan_;
    Checks         checks("top");
    const uint32_t most = plan.desc.nth ? UINT32_MAX : most_wanted;
    if (args.wanted == 0 || args.wanted > most) {
        checks.fail("wanted is " + std::to_string(args.wanted) + ": 1 to " + std::to_string(most) +
                    " keys of a row can be found");
    }
    check_layout(checks, SegmentLayout::rows, args.segments);
    check_key_rows(checks, args, plan.key_size());
    if (uint64_t{args.segments.count} * plan.found(args) > UINT32_MAX) {
        checks.fail("segments.count is " + std::to_string(args.segments.count) +
                    ": that number times wanted must be below 2^32");
    }
    if (args.count == 0 || args.segments.count == 0) return checks.result();
    if (auto wrong = checks.result(); !wrong) return wrong;
    const VkDeviceSize rows = args.segments.count, found = rows * plan.found(args);
    const VkDeviceSize last_row = args.count_address ? 1 : args.count;
    const MemoryRange  keys{"keys", args.keys,
                           ((rows - 1) * row_stride(args, plan.key_size()) + last_row) * plan.key_size(),
                           plan.key_size()};
    const MemoryRange  output_keys{"output_keys", args.output_keys, found * plan.key_size(), plan.key_size()};
    const MemoryRange  output_indices{"output_indices", args.output_indices, found * 4, 4};
    const MemoryRange  temporary{"temporary", args.temporary, temporary_size(args), 16};
    const MemoryRange  count = count_range(args.count_address);
    checks.memory({keys, output_keys, output_indices, temporary, count});
    checks.apart(output_keys, {keys, output_indices, count});
    checks.apart(output_indices, {keys, count});
    checks.apart(temporary, {keys, output_keys, output_indices, count});
    if (auto wrong = checks.result(); !wrong) return wrong;
    checks.grid(args.count, {0, args.segments.count * plan.chunks(args)}, plan.device);
    return checks.result();
}

/// The wanted keys and their indices, into temporary memory; or the last of them, to the output.
void Top::Plan::find(VkCommandBuffer commands, const Args& args, const TopLayout& layout) const {
    const uint32_t levels = key_size();
    TopPush        push{};
    push.keys                 = args.keys;
    push.states               = args.temporary + layout.states;
    push.counters             = args.temporary + layout.counters;
    push.tallies              = args.temporary + layout.tallies;
    push.found_keys           = desc.nth ? args.output_keys : args.temporary + layout.keys;
    push.found_indices        = desc.nth ? args.output_indices : args.temporary + layout.indices;
    push.count_address        = pushed_count(args.count_address, args.keys);
    push.count                = args.count;
    push.rows                 = args.segments.count;
    push.row_stride           = static_cast<uint32_t>(row_stride(args, key_size()));
    push.wanted               = args.wanted;
    push.chunk                = chunk(args);
    push.chunks               = chunks(args);
    push.pass                 = TOP_CLEARS;
    const uint32_t workgroups = args.segments.count * push.chunks;
    record_dispatch(commands, device, count, &push, workgroups);
    record_barrier(commands, device);
    for (push.pass = 0; push.pass < levels; ++push.pass) {
        record_dispatch(commands, device, count, &push, workgroups);
        record_barrier(commands, device);
    }
    record_dispatch(commands, device, tally, &push, workgroups);
    record_barrier(commands, device);
    record_dispatch(commands, device, gather, &push, workgroups);
}

void Top::Plan::sort_found(VkCommandBuffer commands, const Args& args, const TopLayout& layout) const {
    Sort::Args found;
    found.keys          = args.temporary + layout.keys;
    found.values        = args.temporary + layout.indices;
    found.output_keys   = args.output_keys;
    found.output_values = args.output_indices;
    found.temporary     = args.temporary + layout.sort;
    found.count         = std::min(args.wanted, args.count);
    found.count_address = args.count_address;
    if (sort.is_one_tile(args.wanted)) {
        return sort.record_rows(commands, found, {args.segments.count, args.wanted, args.wanted, false, false});
    }
    for (uint32_t row = 0; row < args.segments.count; ++row) {
        if (row > 0) record_barrier(commands, device); // its temporary memory is used again
        sort.record(commands, found);
        found.keys += VkDeviceSize{args.wanted} * key_size();
        found.values += VkDeviceSize{args.wanted} * 4;
        found.output_keys += VkDeviceSize{args.wanted} * key_size();
        found.output_values += VkDeviceSize{args.wanted} * 4;
    }
}

void Top::record(VkCommandBuffer commands, const Args& args) const {
    const Plan& plan = *plan_;
    if (args.count == 0 || args.segments.count == 0) return;
    assert_valid(*this, args);
    if (plan.sort.is_one_tile(args.count)) {
        Sort::Args all;
        all.keys          = args.keys;
        all.output_keys   = args.output_keys;
        all.output_values = args.output_indices;
        all.count         = args.count;
        all.count_address = args.count_address;
        const auto stride = static_cast<uint32_t>(row_stride(args, plan.key_size()));
        return plan.sort.record_rows(commands, all, {args.segments.count, stride, args.wanted, true, plan.desc.nth});
    }
    const TopLayout layout = plan.layout(args);
    plan.find(commands, args, layout);
    if (plan.desc.nth) return;
    record_barrier(commands, plan.device);
    plan.sort_found(commands, args, layout);
}

} // namespace vkprim
