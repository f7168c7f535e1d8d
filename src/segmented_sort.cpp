#include <vkprim/segmented_sort.h>

#include "../shaders/segmented_sort/segmented_sort_push.h"
#include "checks.h"
#include "segments.h"
#include "shaders/segmented_sort.h"
#include "sorter.h"
#include "tuning/segmented_sort.h"

#include <algorithm>
#include <optional>

namespace vkprim {
namespace {

/// For segments between offsets, of any length: where the parts of temporary memory begin. The sorted keys themselves are not needed, so the
/// segments' numbers later take their room. The sorts' own memory is reused for keys and values that are sorted in place.
struct Layout {
    VkDeviceSize keys = 0, indices = 0, numbers = 0, sorted_indices = 0, sort = 0, values = 0, end = 0;
};

} // namespace

struct SegmentedSort::Plan {
    CoreDevice            device;
    Desc                  desc;
    SegmentedSortTuning   tuning;
    Sorter                keys_sort; ///< of rows; or of keys between offsets, with their indices
    std::optional<Sorter> numbers_sort = {};
    Pipeline              shorts = {}, number = {}, gather = {};

    bool     rows() const { return desc.segments == SegmentLayout::rows; }
    uint32_t key_size() const { return element_type_size(desc.key); }
    uint32_t value_size() const { return sort_value_size(desc.values); }
    bool     reads_values() const { return desc.values > Values::indices; }
    uint32_t longest(const Args& args) const {
        return rows() || args.segments.longest == 0 ? args.count : std::min(args.segments.longest, args.count);
    }
    bool is_short(const Args& args) const { return longest(args) <= tuning.longest(); }

    /// The share of a workgroup that sorts short segments: rows or places; the segments that begin in it fit into a tile.
    uint32_t share(const Args& args) const {
        return rows() ? tuning.shape.tile / args.count : tuning.shape.tile + 1 - longest(args);
    }

    uint32_t short_workgroups(const Args& args) const {
        return SegmentShares::workgroups_of(rows() ? args.segments.count : uint64_t{args.count} + args.segments.count,
                                            share(args));
    }

    bool is_in_place(const Args& args) const {
        return args.output_keys == args.keys || (reads_values() && args.output_values == args.values);
    }

    Layout            layout(uint32_t count) const;
    Sort::Args        rows_args(const Args& args) const;
    Sort::Args        all_args(const Args& args, const Layout& layout) const;
    Sort::Args        keys_args(const Args& args, const Layout& layout) const;
    Sort::Args        numbers_args(const Args& args, const Layout& layout) const;
    Result<void>      create_pipelines();
    SegmentedSortPush push_of(const Args& args) const;
    void              record_short(VkCommandBuffer commands, const Args& args) const;
    void              record_long(VkCommandBuffer commands, const Args& args) const;
};

Layout SegmentedSort::Plan::layout(uint32_t count) const {
    const VkDeviceSize keys = VkDeviceSize{count} * key_size(), words = VkDeviceSize{count} * 4;
    const VkDeviceSize values = reads_values() ? VkDeviceSize{count} * value_size() : 0;
    Layout             layout;
    layout.indices        = up_to_next_part(std::max(keys, words));
    layout.numbers        = layout.indices + up_to_next_part(words);
    layout.sorted_indices = layout.numbers + up_to_next_part(words);
    layout.sort           = layout.sorted_indices + up_to_next_part(words);
    layout.values         = layout.sort + up_to_next_part(keys);
    layout.end            = std::max({layout.values + values, layout.sort + keys_sort.temporary_size(count),
                                      layout.sort + numbers_sort->temporary_size(count)});
    return layout;
}

Sort::Args SegmentedSort::Plan::rows_args(const Args& args) const {
    Sort::Args sort;
    sort.keys          = args.keys;
    sort.values        = args.values;
    sort.output_keys   = args.output_keys;
    sort.output_values = args.output_values;
    sort.temporary     = args.temporary;
    sort.count         = args.count;
    sort.count_address = args.count_address;
    sort.segments      = args.segments;
    sort.begin_bit     = args.begin_bit;
    sort.end_bit       = args.end_bit;
    return sort;
}

/// The temporary memory of both sorts of all keys between offsets.
Sort::Args SegmentedSort::Plan::all_args(const Args& args, const Layout& layout) const {
    Sort::Args sort;
    sort.output_keys   = args.temporary + layout.keys;
    sort.temporary     = args.temporary + layout.sort;
    sort.count         = args.count;
    sort.count_address = args.count_address;
    return sort;
}

Sort::Args SegmentedSort::Plan::keys_args(const Args& args, const Layout& layout) const {
    Sort::Args sort    = all_args(args, layout);
    sort.keys          = args.keys;
    sort.output_values = args.temporary + layout.indices;
    sort.begin_bit     = args.begin_bit;
    sort.end_bit       = args.end_bit;
    return sort;
}

Sort::Args SegmentedSort::Plan::numbers_args(const Args& args, const Layout& layout) const {
    Sort::Args sort    = all_args(args, layout);
    sort.keys          = args.temporary + layout.numbers;
    sort.values        = args.temporary + layout.indices;
    sort.output_values = args.temporary + layout.sorted_indices;
    // Numbers are 0 to segments + 1.
    while ((uint64_t{args.segments.count} + 1) >> sort.end_bit != 0) ++sort.end_bit;
    return sort;
}

Result<SegmentedSort> SegmentedSort::create(const Context& context, const Desc& desc) {
    if (auto wrong = check_divided("segmented_sort", desc.segments); !wrong) return wrong.error();
    if (desc.values > Values::bytes16) {
        return Error{ErrorKind::invalid_desc, "segmented_sort: Desc::values is not a Values"};
    }
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    if (auto wrong = check_sort_key("segmented_sort", desc.key, *device); !wrong) return wrong.error();
    const bool rows   = desc.segments == SegmentLayout::rows;
    const auto tuning = tune_segmented_sort(device->limits, context.profile, rows, sort_key_words(desc.key),
                                            device->has_subgroups() && device->limits.subgroup_ballots);
    if (!tuning) return tuning.error();
    auto keys_sort = Sorter::create(*device, context.profile,
                                    {desc.key, rows ? desc.values : Values::indices, desc.descending,
                                     rows ? SegmentLayout::rows : SegmentLayout::none});
    if (!keys_sort) return keys_sort.error();
    std::unique_ptr<Plan> plan(new Plan{*device, desc, *tuning, std::move(*keys_sort)});
    if (!rows) {
        auto numbers_sort = Sorter::create(*device, context.profile, {ElementType::u32, Values::bytes4});
        if (!numbers_sort) return numbers_sort.error();
        plan->numbers_sort = std::move(*numbers_sort);
    }
    if (auto wrong = plan->create_pipelines(); !wrong) return wrong.error();
    return SegmentedSort(std::move(plan));
}

Result<void> SegmentedSort::Plan::create_pipelines() {
    constexpr Shader short_shaders[] = {shaders::segmented_sort_short_word, shaders::segmented_sort_short_long,
                                        shaders::segmented_sort_short_narrow};
    constexpr Shader gathers[]       = {shaders::segmented_sort_gather_word, shaders::segmented_sort_gather_long,
                                        shaders::segmented_sort_gather_narrow};
    const uint32_t   kind = sort_key_kind(desc.key), value_words = value_size() / 4;
    const bool       indices = desc.values == Values::indices;
    struct Wanted {
        Pipeline&             pipeline;
        Shader                shader;
        const char*           name;
        uint32_t              workgroup_size;
        std::vector<uint32_t> constants;
    };
    PipelineList pipelines;
    for (const Wanted& wanted :
         {Wanted{shorts,
                 short_shaders[kind],
                 "segmented_sort, short",
                 tuning.shape.workgroup_size,
                 {tuning.shape.tile, value_words, rows(), indices}},
          Wanted{number, shaders::segmented_sort_number_any, "segmented_sort, number", tuning.workgroup_size, {}},
          Wanted{gather, gathers[kind], "segmented_sort, gather", tuning.workgroup_size, {value_words, indices}}}) {
        if (rows() && &wanted.pipeline != &shorts) continue;
        PipelineDesc pipeline_desc;
        pipeline_desc.shader           = wanted.shader;
        pipeline_desc.name             = wanted.name;
        pipeline_desc.push_size        = sizeof(SegmentedSortPush);
        pipeline_desc.workgroup_size   = wanted.workgroup_size;
        pipeline_desc.subgroups        = tuning.subgroups;
        pipeline_desc.shader_constants = {sort_key_order(desc.key), desc.descending, key_size()};
        pipeline_desc.shader_constants.insert(pipeline_desc.shader_constants.end(), wanted.constants.begin(),
                                              wanted.constants.end());
        pipelines.add(wanted.pipeline, pipeline_desc);
    }
    return pipelines.create(device);
}

uint32_t SegmentedSort::most_short() const { return plan_->tuning.longest(); }

VkDeviceSize SegmentedSort::temporary_size(const Args& args) const {
    const Plan& plan = *plan_;
    if (args.count == 0 || args.segments.count == 0 || plan.is_short(args)) return 0;
    return plan.rows() ? plan.keys_sort.temporary_size(args.count, args.segments.count) : plan.layout(args.count).end;
}

VkDeviceSize SegmentedSort::scratch_size(const Args&) const { return 0; }

Result<void> SegmentedSort::validate(const Args& args) const {
    const Plan& plan = *plan_;
    Checks      checks("segmented_sort");
    check_sort_bits(checks, plan.desc.key, args);
    check_layout(checks, plan.desc.segments, args.segments);
    if (plan.rows()) {
        check_key_rows(checks, args, plan.key_size());
    } else if (uint64_t{args.count} + 2 * uint64_t{args.segments.count} > UINT32_MAX) {
        checks.fail(std::to_string(args.segments.count) + " segments with count " + std::to_string(args.count) +
                    " are too many: count + 2 * segments.count must be below 2^32");
    }
    if (args.count == 0 || args.segments.count == 0) return checks.result();
    if (auto wrong = checks.result(); !wrong) return wrong;

    VkDeviceSize sure = sure_count(args);
    if (plan.rows()) sure += (args.segments.count - 1) * row_stride(args, plan.key_size());
    const MemoryRange offsets = offsets_range(plan.desc.segments, args.segments, sure_segments(args.segments) + 1);
    const MemoryRange temporary{"temporary", args.temporary, temporary_size(args), 16};
    check_sort_memory(checks, plan.desc.key, plan.desc.values, args, sure,
                      {temporary, offsets, count_range(args.count_address), segments_range(args.segments)});
    if (auto wrong = checks.result(); !wrong) return wrong;
    if (plan.is_short(args)) {
        checks.grid(args.count, {0, plan.short_workgroups(args)}, plan.device);
    } else if (plan.rows()) {
        return plan.keys_sort.validate(plan.rows_args(args));
    } else {
        const Layout layout = plan.layout(args.count);
        if (auto wrong = plan.keys_sort.validate(plan.keys_args(args, layout)); !wrong) return wrong;
        if (auto wrong = plan.numbers_sort->validate(plan.numbers_args(args, layout)); !wrong) return wrong;
        checks.grid(args.count, {0, SegmentShares::workgroups_of(args.count, SEGMENTED_SORT_CHUNK)}, plan.device);
    }
    return checks.result();
}

SegmentedSortPush SegmentedSort::Plan::push_of(const Args& args) const {
    SegmentedSortPush push{};
    push.keys             = args.keys;
    push.values           = args.values;
    push.output_keys      = args.output_keys;
    push.output_values    = args.output_values;
    push.offsets_address  = args.segments.offsets;
    push.count_address    = pushed_count(args.count_address, args.keys);
    push.segments_address = pushed_count(args.segments.count_address, args.keys);
    push.count            = args.count;
    push.segments         = args.segments.count;
    push.offset_size      = args.segments.offset_size;
    return push;
}

void SegmentedSort::Plan::record_short(VkCommandBuffer commands, const Args& args) const {
    const SortBits    bits(desc.key, args);
    const uint32_t    ordered = bits.end - bits.begin, passes = (ordered - 1) / SORT_DIGIT_BITS + 1;
    SegmentedSortPush push = push_of(args);
    push.row_stride        = static_cast<uint32_t>(row_stride(args, key_size()));
    push.share             = share(args);
    push.shift             = bits.begin;
    push.digit_bits        = (ordered - 1) / passes + 1;
    push.end_bit           = bits.end;
    push.workgroups        = short_workgroups(args);
    record_dispatch(commands, device, shorts, &push, push.workgroups);
}

void SegmentedSort::Plan::record_long(VkCommandBuffer commands, const Args& args) const {
    const Layout      layout = this->layout(args.count);
    SegmentedSortPush push   = push_of(args);
    push.workgroups          = SegmentShares::workgroups_of(args.count, SEGMENTED_SORT_CHUNK);

    keys_sort.record(commands, keys_args(args, layout));
    record_barrier(commands, device);
    push.indices = args.temporary + layout.indices;
    push.numbers = args.temporary + layout.numbers;
    record_dispatch(commands, device, number, &push, push.workgroups);
    record_barrier(commands, device);
    numbers_sort->record(commands, numbers_args(args, layout));
    record_barrier(commands, device);

    push.indices = args.temporary + layout.sorted_indices;
    push.numbers = args.temporary + layout.keys;
    if (!is_in_place(args)) return record_dispatch(commands, device, gather, &push, push.workgroups);
    // Through temporary memory.
    push.output_keys = args.temporary + layout.sort;
    if (reads_values()) push.output_values = args.temporary + layout.values;
    record_dispatch(commands, device, gather, &push, push.workgroups);
    record_barrier(commands, device);
    push.keys          = push.output_keys;
    push.values        = push.output_values;
    push.output_keys   = args.output_keys;
    push.output_values = args.output_values;
    push.flags         = SEGMENTED_SORT_COPIES;
    record_dispatch(commands, device, gather, &push, push.workgroups);
}

void SegmentedSort::record(VkCommandBuffer commands, const Args& args) const {
    const Plan& plan = *plan_;
    if (args.count == 0 || args.segments.count == 0) return;
    assert_valid(*this, args);
    if (plan.is_short(args)) return plan.record_short(commands, args);
    if (plan.rows()) return plan.keys_sort.record(commands, plan.rows_args(args));
    plan.record_long(commands, args);
}

} // namespace vkprim
