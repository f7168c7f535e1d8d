#include <vkprim/sort.h>

#include "../shaders/sort/sort_push.h"
#include "checks.h"
#include "shaders/sort.h"
#include "sort_keys.h"
#include "tuning/sort.h"

#include <algorithm>

namespace vkprim {
namespace {

uint32_t size_of(Sort::Values values) {
    constexpr uint32_t sizes[] = {0, 4, 4, 8, 16};
    return sizes[static_cast<uint32_t>(values)];
}

constexpr VkDeviceSize row_size = SORT_DIGITS * 4;

/// The passes of a sort, each by as many bits but for the last ones.
struct Passes {
    uint32_t count = 0, begin = 0, digit_bits = 0, end = 0;

    Passes(uint32_t begin_bit, uint32_t end_bit, bool in_place) : begin(begin_bit), end(end_bit) {
        count = (end - begin - 1) / SORT_DIGIT_BITS + 1;
        // From input to output by way of temporary memory: a pass cannot write where it reads.
        if (in_place && count % 2 != 0) ++count;
        digit_bits = (end - begin - 1) / count + 1;
    }
    uint32_t shift_of(uint32_t pass) const { return begin + pass * digit_bits; }
    uint32_t bits_of(uint32_t pass) const { return std::min(digit_bits, end - std::min(end, shift_of(pass))); }
};

} // namespace

struct Sort::Plan {
    CoreDevice device;
    Desc       desc;
    SortTuning tuning;
    Pipeline   tiny, small, count, scan, usual, large;

    uint32_t     key_size() const { return element_type_size(desc.key); }
    uint32_t     value_size() const { return size_of(desc.values); }
    bool         reads_values() const { return desc.values > Values::indices; }
    bool         is_large(uint32_t elements) const { return elements >= tuning.large_count; }
    uint32_t     tile(uint32_t elements) const { return is_large(elements) ? tuning.large.tile : tuning.usual.tile; }
    uint32_t     tiles(uint32_t elements) const { return (elements - 1) / tile(elements) + 1; }
    uint32_t     most_tiles(uint32_t elements) const;  ///< never less for more elements
    uint32_t     chunk(uint32_t elements) const;       ///< tiles
    uint32_t     most_chunks(uint32_t elements) const; ///< likewise
    VkDeviceSize values_offset(uint32_t elements) const;
    VkDeviceSize counts_offset(uint32_t elements) const;
    VkDeviceSize tile_counts_offset(uint32_t elements) const;
    uint32_t     end_bit(const Args& args) const { return args.end_bit == 0 ? 8 * key_size() : args.end_bit; }
    uint32_t first_bit(const Args& args) const { return args.begin_bit + sort_key_shift(desc.key); } ///< in registers
    uint32_t last_bit(const Args& args) const { return end_bit(args) + sort_key_shift(desc.key); }   ///< behind it
    Passes   passes(const Args& args) const;
    void     record_pass(VkCommandBuffer commands, const SortPush& push, const Indirect& indirect) const;
};

uint32_t Sort::Plan::chunk(uint32_t elements) const {
    return std::clamp((tiles(elements) - 1) / tuning.chunks + 1, 1u, tuning.chunk);
}

uint32_t Sort::Plan::most_tiles(uint32_t elements) const {
    const uint32_t below = std::min(elements, tuning.large_count - 1);
    return std::max(tiles(elements), below > 0 ? tiles(below) : 0);
}

uint32_t Sort::Plan::most_chunks(uint32_t elements) const {
    const uint32_t tiles = most_tiles(elements);
    return std::min(tiles, std::max(tuning.chunks, tiles / tuning.chunk + 1));
}

// In temporary memory: keys; values; a row of counts for each chunk, and one more; and one for each tile.

VkDeviceSize Sort::Plan::values_offset(uint32_t elements) const {
    return up_to_next_part(VkDeviceSize{elements} * key_size());
}

VkDeviceSize Sort::Plan::counts_offset(uint32_t elements) const {
    return values_offset(elements) + up_to_next_part(VkDeviceSize{elements} * value_size());
}

VkDeviceSize Sort::Plan::tile_counts_offset(uint32_t elements) const {
    return counts_offset(elements) + (most_chunks(elements) + 1) * row_size;
}

Passes Sort::Plan::passes(const Args& args) const {
    const bool in_place = args.output_keys == args.keys || (reads_values() && args.output_values == args.values);
    return {first_bit(args), last_bit(args), in_place};
}

Result<Sort> Sort::create(const Context& context, const Desc& desc) {
    if (desc.values > Values::bytes16) {
        return Error{VK_ERROR_FORMAT_NOT_SUPPORTED, "sort: Desc::values is not a Values"};
    }
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    if (auto wrong = check_sort_key("sort", desc.key, *device); !wrong) return wrong.error();
    return create(*device, context.profile, desc);
}

Result<Sort> Sort::create(const CoreDevice& device, const Profile* profile, const Desc& desc) {
    const uint32_t kind        = sort_key_kind(desc.key);
    const uint32_t value_words = size_of(desc.values) / 4;
    const auto     tuned =
        tune_sort(device.limits, profile,
                  {sort_key_words(desc.key), value_words, device.has_subgroups() && device.limits.subgroup_ballots});
    if (!tuned) return tuned.error();
    const SortTuning& tuning = *tuned;

    constexpr Shader      small[][2]   = {{shaders::sort_small_word_plain, shaders::sort_small_word_subgroups},
                                          {shaders::sort_small_long_plain, shaders::sort_small_long_subgroups},
                                          {shaders::sort_small_narrow_plain, shaders::sort_small_narrow_subgroups}};
    constexpr Shader      scatter[][2] = {{shaders::sort_scatter_word_plain, shaders::sort_scatter_word_subgroups},
                                          {shaders::sort_scatter_long_plain, shaders::sort_scatter_long_subgroups},
                                          {shaders::sort_scatter_narrow_plain, shaders::sort_scatter_narrow_subgroups}};
    constexpr Shader      count[] = {shaders::sort_count_word, shaders::sort_count_long, shaders::sort_count_narrow};
    std::unique_ptr<Plan> plan(new Plan{device, desc, tuning, {}, {}, {}, {}, {}, {}});
    struct Wanted {
        Pipeline&             pipeline;
        Shader                shader;
        const char*           name;
        uint32_t              workgroup_size;
        std::vector<uint32_t> constants;
    };
    const Shader one = small[kind][tuning.subgroups], pass = scatter[kind][tuning.subgroups];
    for (const Wanted& wanted :
         {Wanted{plan->tiny, one, "sort, tiny", tuning.tiny.workgroup_size, {tuning.tiny.tile, value_words}},
          Wanted{plan->small, one, "sort, small", tuning.small.workgroup_size, {tuning.small.tile, value_words}},
          Wanted{plan->count, count[kind], "sort, count", tuning.workgroup_size, {tuning.copies, tuning.loads}},
          Wanted{plan->scan, shaders::sort_scan_any, "sort, scan", 256, {}},
          Wanted{plan->usual, pass, "sort, scatter", tuning.usual.workgroup_size, {tuning.usual.tile, value_words}},
          Wanted{plan->large,
                 pass,
                 "sort, scatter large",
                 tuning.large.workgroup_size,
                 {tuning.large.tile, value_words}}}) {
        PipelineDesc pipeline_desc;
        pipeline_desc.shader           = wanted.shader;
        pipeline_desc.name             = wanted.name;
        pipeline_desc.push_size        = sizeof(SortPush);
        pipeline_desc.workgroup_size   = wanted.workgroup_size;
        pipeline_desc.shader_constants = {sort_key_order(desc.key), desc.descending, element_type_size(desc.key)};
        pipeline_desc.shader_constants.insert(pipeline_desc.shader_constants.end(), wanted.constants.begin(),
                                              wanted.constants.end());
        auto created = Pipeline::create(device, pipeline_desc);
        if (!created) return created.error();
        wanted.pipeline = std::move(*created);
    }
    return Sort(std::move(plan));
}

VkDeviceSize Sort::temporary_size(uint32_t count) const {
    if (is_one_tile(count)) return 0;
    return plan_->tile_counts_offset(count) + plan_->most_tiles(count) * row_size;
}

VkDeviceSize Sort::scratch_size(uint32_t) const { return 0; }

bool Sort::is_one_tile(uint32_t count) const {
    return count <= std::max(plan_->tuning.tiny.tile, plan_->tuning.small.tile);
}

Grid Sort::grid(const Args& args) const {
    const uint32_t elements = is_one_tile(args.count) ? std::max(args.count, 1u) : plan_->tile(args.count);
    return {elements, 0, args.count == 0 ? 0 : (args.count - 1) / elements + 1};
}

Result<void> Sort::validate(const Args& args) const {
    const Plan&    plan     = *plan_;
    const uint32_t key_size = plan.key_size(), value_size = plan.value_size(), bits = 8 * key_size;
    Checks         checks("sort");
    const uint32_t end_bit = plan.end_bit(args);
    if (args.begin_bit >= end_bit || end_bit > bits) {
        checks.fail("bits " + std::to_string(args.begin_bit) + " to " + std::to_string(end_bit) +
                    " (exclusive) of keys that have " + std::to_string(bits) + ": begin_bit must be below end_bit");
    } else if (is_float(plan.desc.key) && (args.begin_bit > 0 || end_bit < bits)) {
        checks.fail("floats are ordered by all of their bits: begin_bit and end_bit must be 0");
    }
    checks.indirect(args);
    if (args.count == 0) return checks.result();
    const VkDeviceSize sure = sure_count(args);
    const MemoryRange  keys{"keys", args.keys, sure * key_size, key_size};
    const MemoryRange  output_keys{"output_keys", args.output_keys, sure * key_size, key_size};
    const MemoryRange  values =
        plan.reads_values() ? MemoryRange{"values", args.values, sure * value_size, value_size} : MemoryRange{};
    const MemoryRange output_values =
        value_size > 0 ? MemoryRange{"output_values", args.output_values, sure * value_size, value_size}
                       : MemoryRange{};
    const MemoryRange temporary{"temporary", args.temporary, temporary_size(args.count), 16};
    const MemoryRange count = count_range(args.count_address);
    checks.memory({keys, values, output_keys, output_values, temporary, count});
    if (args.output_keys != args.keys) checks.apart(output_keys, {keys});
    checks.apart(output_keys, {values, count});
    if (args.output_values != args.values) checks.apart(output_values, {values});
    checks.apart(output_values, {keys, output_keys, count});
    checks.apart(temporary, {keys, values, output_keys, output_values, count});
    if (auto wrong = checks.result(); !wrong) return wrong;
    checks.grid(args.count, {0, plan.tiles(args.count)}, plan.device);
    return checks.result();
}

void Sort::record_rows(VkCommandBuffer commands, const Args& args, const Rows& rows) const {
    const Plan&  plan = *plan_;
    const Passes passes{plan.first_bit(args), plan.last_bit(args), false};
    const bool   is_tiny = args.count <= plan.tuning.tiny.tile;
    SortPush     push{};
    push.keys          = args.keys;
    push.values        = args.values;
    push.output_keys   = args.output_keys;
    push.output_values = args.output_values;
    push.count_address = args.count_address;
    push.count         = args.count;
    push.shift         = passes.begin;
    push.digit_bits    = passes.digit_bits;
    push.end_bit       = passes.end;
    push.flags         = SORT_ENCODES | SORT_DECODES | (rows.indices ? SORT_INDICES : 0) | (rows.nth ? SORT_NTH : 0);
    push.rows          = rows.count;
    push.row_stride    = rows.stride;
    push.most_stored   = rows.most_stored;
    record_dispatch(commands, plan.device, is_tiny ? plan.tiny : plan.small, &push, rows.count, args.indirect);
}

void Sort::Plan::record_pass(VkCommandBuffer commands, const SortPush& push, const Indirect& indirect) const {
    // With a grid on the GPU, there is a workgroup for each tile here, too, and those behind the last chunk leave at once.
    record_dispatch(commands, device, count, &push, (tiles(push.count) - 1) / push.chunk + 1, indirect);
    record_barrier(commands, device);
    if ((push.flags & SORT_SCANNED) != 0) {
        record_dispatch(commands, device, scan, &push, SORT_DIGITS / 4);
        record_barrier(commands, device);
    }
    record_dispatch(commands, device, is_large(push.count) ? large : usual, &push, tiles(push.count), indirect);
}

void Sort::record(VkCommandBuffer commands, const Args& args) const {
    const Plan& plan = *plan_;
    if (args.count == 0) return;
    assert_valid(*this, args);
    if (is_one_tile(args.count)) {
        return record_rows(commands, args, {1, 0, args.count, plan.desc.values == Values::indices});
    }

    const Passes          passes           = plan.passes(args);
    const uint32_t        bias             = args.count > 1u << 31 ? 1u << 31 : 0;
    const VkDeviceAddress temporary_values = args.temporary + plan.values_offset(args.count);
    SortPush              push{};
    push.keys          = args.keys;
    push.values        = args.values;
    push.counts        = args.temporary + plan.counts_offset(args.count);
    push.count_address = args.count_address;
    push.count         = args.count;
    push.tile_counts   = args.temporary + plan.tile_counts_offset(args.count);
    push.tile          = plan.tile(args.count);
    push.chunk         = plan.chunk(args.count);
    push.end_bit       = passes.end;
    push.bias          = bias;
    const bool scanned = (plan.tiles(args.count) - 1) / push.chunk + 1 > plan.tuning.unscanned;
    for (uint32_t pass = 0; pass < passes.count; ++pass) {
        const bool            to_output = (passes.count - pass) % 2 != 0;
        const VkDeviceAddress keys      = to_output ? args.output_keys : args.temporary;
        const VkDeviceAddress values    = to_output ? args.output_values : temporary_values;
        push.output_keys                = keys + VkDeviceSize{bias} * plan.key_size();
        push.output_values              = values + VkDeviceSize{bias} * plan.value_size();
        push.digit_bits                 = passes.bits_of(pass);
        push.shift                      = push.digit_bits > 0 ? passes.shift_of(pass) : 0;
        push.flags                      = scanned ? SORT_SCANNED : 0;
        if (pass == 0) push.flags |= SORT_ENCODES;
        if (pass == 0 && plan.desc.values == Values::indices) push.flags |= SORT_INDICES;
        if (pass == passes.count - 1) push.flags |= SORT_DECODES;
        if (pass > 0) record_barrier(commands, plan.device);
        plan.record_pass(commands, push, args.indirect);
        push.keys   = keys;
        push.values = values;
    }
}

Sort::Sort(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
Sort::Sort(Sort&&) noexcept            = default;
Sort& Sort::operator=(Sort&&) noexcept = default;
Sort::~Sort()                          = default;

} // namespace vkprim
