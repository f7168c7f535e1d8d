#include "sorter.h"

#include "segments.h"
#include "shaders/sort.h"

namespace vkprim {
namespace {

constexpr VkDeviceSize row_size = VkDeviceSize{SORT_DIGITS} * 4; ///< of counts

} // namespace

uint32_t Sorter::chunk(const Matrix& matrix) const {
    const uint64_t all = uint64_t{tiles(matrix)} * matrix.rows;
    return static_cast<uint32_t>(std::clamp<uint64_t>((all - 1) / tuning.chunks + 1, 1, tuning.chunk));
}

uint64_t Sorter::most_tiles(const Matrix& matrix) const {
    const uint64_t rows  = matrix.rows;
    const auto     tiles = [&](uint32_t tile) { return rows * ((matrix.count - 1) / tile + 1); };
    // Below large_count elements, tiles are the usual ones. Each row has one that is not full, at most.
    const uint64_t below = (std::max(tuning.large_count, 2u) - 2) / tuning.usual.tile + rows;
    return std::max(tiles(tuning.large.tile), std::min(tiles(tuning.usual.tile), below));
}

uint64_t Sorter::most_chunks(const Matrix& matrix) const {
    const uint64_t tiles = most_tiles(matrix), rows = matrix.rows;
    return std::min(tiles, std::max<uint64_t>(tuning.chunks + rows - 1, tiles / tuning.chunk + rows));
}

// In temporary memory: the rows' keys, without gaps; values; for each row, counts for each chunk, and as many more; and for each tile.

VkDeviceSize Sorter::values_offset(const Matrix& matrix) const {
    return up_to_next_part(matrix.elements() * key_size());
}

VkDeviceSize Sorter::counts_offset(const Matrix& matrix) const {
    return values_offset(matrix) + up_to_next_part(matrix.elements() * value_size());
}

VkDeviceSize Sorter::tile_counts_offset(const Matrix& matrix) const {
    return counts_offset(matrix) + (most_chunks(matrix) + matrix.rows) * row_size;
}

uint32_t Sorter::rows_each(const Matrix& matrix) const {
    const uint32_t tile = is_tiny(matrix) ? tuning.tiny.tile : tuning.small.tile;
    return std::min(tile / matrix.count, matrix.rows);
}

Sorter::Passes Sorter::passes_of(const Args& args) const {
    const bool in_place = args.output_keys == args.keys || (reads_values() && args.output_values == args.values);
    return {{desc.key, args}, in_place};
}

Result<Sorter> Sorter::create(const CoreDevice& device, const Profile* profile, const Sort::Desc& desc) {
    const uint32_t kind        = sort_key_kind(desc.key);
    const uint32_t value_words = sort_value_size(desc.values) / 4;
    const auto     tuned =
        tune_sort(device.limits, profile,
                  {sort_key_words(desc.key), value_words, device.has_subgroups() && device.limits.subgroup_ballots});
    if (!tuned) return tuned.error();
    const SortTuning& tuning = *tuned;

    constexpr Shader small[]      = {shaders::sort_small_word, shaders::sort_small_long, shaders::sort_small_narrow};
    constexpr Shader scatter[][2] = {{shaders::sort_scatter_word_one, shaders::sort_scatter_word_rows},
                                     {shaders::sort_scatter_long_one, shaders::sort_scatter_long_rows},
                                     {shaders::sort_scatter_narrow_one, shaders::sort_scatter_narrow_rows}};
    constexpr Shader counts[][2]  = {{shaders::sort_count_word_one, shaders::sort_count_word_rows},
                                     {shaders::sort_count_long_one, shaders::sort_count_long_rows},
                                     {shaders::sort_count_narrow_one, shaders::sort_count_narrow_rows}};
    constexpr Shader scans[]      = {shaders::sort_scan_one, shaders::sort_scan_rows};
    Sorter           sorter{device, desc, tuning};
    struct Wanted {
        Pipeline&             pipeline;
        Shader                shader;
        const char*           name;
        uint32_t              workgroup_size;
        std::vector<uint32_t> constants;
    };
    const bool   rows = desc.segments == SegmentLayout::rows;
    const Shader one = small[kind], pass = scatter[kind][rows];
    const Shader count = counts[kind][rows], scan = scans[rows];
    auto&        made = sorter.pipelines;
    PipelineList list;
    for (const Wanted& wanted :
         {Wanted{made.tiny, one, "sort, tiny", tuning.tiny.workgroup_size, {tuning.tiny.tile, value_words, rows}},
          Wanted{made.small, one, "sort, small", tuning.small.workgroup_size, {tuning.small.tile, value_words, rows}},
          Wanted{made.count, count, "sort, count", tuning.workgroup_size, {tuning.copies, tuning.loads}},
          Wanted{made.scan, scan, "sort, scan", 256, {}},
          Wanted{made.usual, pass, "sort, scatter", tuning.usual.workgroup_size, {tuning.usual.tile, value_words}},
          Wanted{made.large,
                 pass,
                 "sort, scatter large",
                 tuning.large.workgroup_size,
                 {tuning.large.tile, value_words}}}) {
        if (&wanted.pipeline == &made.tiny && !tuning.has_tiny()) continue;
        if (&wanted.pipeline == &made.large && !tuning.has_large()) continue;
        PipelineDesc pipeline_desc;
        pipeline_desc.shader           = wanted.shader;
        pipeline_desc.name             = wanted.name;
        pipeline_desc.push_size        = sizeof(SortPush);
        pipeline_desc.workgroup_size   = wanted.workgroup_size;
        pipeline_desc.subgroups        = tuning.subgroups;
        pipeline_desc.shader_constants = {sort_key_order(desc.key), desc.descending, element_type_size(desc.key)};
        pipeline_desc.shader_constants.insert(pipeline_desc.shader_constants.end(), wanted.constants.begin(),
                                              wanted.constants.end());
        list.add(wanted.pipeline, pipeline_desc);
    }
    if (auto created = list.create(device); !created) return created.error();
    return sorter;
}

VkDeviceSize Sorter::temporary_size(uint32_t count, uint32_t rows) const {
    if (is_one_tile(count) || rows == 0) return 0;
    const Matrix matrix(count, rows);
    return tile_counts_offset(matrix) + most_tiles(matrix) * row_size;
}

Grid Sorter::grid(const Args& args) const {
    const uint32_t elements = is_one_tile(args.count) ? std::max(args.count, 1u) : tile(Matrix(args));
    return {elements, 0, args.count == 0 ? 0 : (args.count - 1) / elements + 1};
}

Result<void> Sorter::validate(const Args& args) const {
    Checks checks("sort");
    check_sort_bits(checks, desc.key, args);
    checks.indirect(args);
    check_layout(checks, desc.segments, args.segments);
    check_key_rows(checks, args, key_size());
    if (args.segments.count != 1 && args.indirect.buffer) {
        checks.fail("indirect with " + std::to_string(args.segments.count) + " rows: with indirect, there is one");
    }
    if (args.count == 0 || args.segments.count == 0) return checks.result();
    if (auto wrong = checks.result(); !wrong) return wrong;
    const Matrix       matrix(args);
    const VkDeviceSize sure = (args.segments.count - 1) * row_stride(args, key_size()) + sure_count(args);
    const MemoryRange  temporary{"temporary", args.temporary, temporary_size(args.count, args.segments.count), 16};
    check_sort_memory(checks, desc.key, desc.values, args, sure, {temporary, {}, count_range(args.count_address)});
    if (auto wrong = checks.result(); !wrong) return wrong;
    const uint32_t widest = is_one_tile(args.count) ? workgroups(matrix) : args.segments.count * tiles(matrix);
    checks.grid(args.count, {0, widest}, device);
    return checks.result();
}

void Sorter::record_rows(VkCommandBuffer commands, const Args& args, const Rows& rows) const {
    const Passes passes{{desc.key, args}, false};
    const Matrix matrix(args.count, rows.count);
    SortPush     push{};
    push.keys          = args.keys;
    push.values        = args.values;
    push.output_keys   = args.output_keys;
    push.output_values = args.output_values;
    push.count_address = pushed_count(args.count_address, args.keys);
    push.count         = args.count;
    push.shift         = passes.begin;
    push.digit_bits    = passes.digit_bits;
    push.end_bit       = passes.end;
    push.flags         = (rows.indices ? SORT_INDICES : 0) | (rows.nth ? SORT_NTH : 0);
    push.rows          = rows.count;
    push.row_stride    = rows.stride;
    push.rows_each     = rows_each(matrix);
    push.most_stored   = rows.most_stored;
    record_dispatch(commands, device, is_tiny(matrix) ? pipelines.tiny : pipelines.small, &push, workgroups(matrix),
                    args.indirect);
}

void Sorter::record_pass(VkCommandBuffer commands, const SortPush& push, const Args& args) const {
    // With a grid in GPU memory, there is a workgroup for each tile here, too; those after the last chunk return at once.
    const Matrix matrix(args);
    record_dispatch(commands, device, pipelines.count, &push, args.segments.count * chunks(matrix), args.indirect);
    record_barrier(commands, device);
    if ((push.flags & SORT_SCANNED) != 0) {
        record_dispatch(commands, device, pipelines.scan, &push, args.segments.count * (SORT_DIGITS / 4));
        record_barrier(commands, device);
    }
    record_dispatch(commands, device, is_large(matrix) ? pipelines.large : pipelines.usual, &push,
                    args.segments.count * tiles(matrix), args.indirect);
}

void Sorter::record(VkCommandBuffer commands, const Args& args) const {
    if (args.count == 0 || args.segments.count == 0) return;
    assert_valid(*this, args);
    const auto stride = static_cast<uint32_t>(row_stride(args, key_size()));
    if (is_one_tile(args.count)) {
        return record_rows(commands, args, {args.segments.count, stride, stride, desc.values == Values::indices});
    }

    const Matrix          matrix(args);
    const Passes          passes           = passes_of(args);
    const uint32_t        bias             = args.count > 1u << 31 ? 1u << 31 : 0;
    const VkDeviceAddress temporary_values = args.temporary + values_offset(matrix);
    SortPush              push{};
    push.keys          = args.keys;
    push.values        = args.values;
    push.counts        = args.temporary + counts_offset(matrix);
    push.count_address = pushed_count(args.count_address, args.keys);
    push.count         = args.count;
    push.tile_counts   = args.temporary + tile_counts_offset(matrix);
    push.tile          = tile(matrix);
    push.chunk         = chunk(matrix);
    push.end_bit       = passes.end;
    push.rows          = args.segments.count;
    push.row_stride    = stride;
    push.bias          = bias;
    const bool scanned = chunks(matrix) > tuning.unscanned;
    for (uint32_t pass = 0; pass < passes.count; ++pass) {
        const bool            to_output = (passes.count - pass) % 2 != 0;
        const VkDeviceAddress keys      = to_output ? args.output_keys : args.temporary;
        const VkDeviceAddress values    = to_output ? args.output_values : temporary_values;
        push.output_keys                = keys + VkDeviceSize{bias} * key_size();
        push.output_values              = values + VkDeviceSize{bias} * value_size();
        push.most_stored                = to_output ? stride : args.count;
        push.digit_bits                 = passes.bits_of(pass);
        push.shift                      = push.digit_bits > 0 ? passes.shift_of(pass) : 0;
        push.flags                      = scanned ? SORT_SCANNED : 0;
        if (pass == 0) push.flags |= SORT_ENCODES;
        if (pass == 0 && desc.values == Values::indices) push.flags |= SORT_INDICES;
        if (pass == passes.count - 1) push.flags |= SORT_DECODES;
        if (pass > 0) record_barrier(commands, device);
        record_pass(commands, push, args);
        push.keys       = keys;
        push.values     = values;
        push.row_stride = push.most_stored;
    }
}

struct Sort::Plan {
    Sorter sorter;
};

Result<Sort> Sort::create(const Context& context, const Desc& desc) {
    if (desc.values > Values::bytes16) {
        return Error{ErrorKind::invalid_desc, "sort: Desc::values is not a Values"};
    }
    if (desc.segments != SegmentLayout::none && desc.segments != SegmentLayout::rows) {
        return Error{ErrorKind::invalid_desc,
                     "sort: Desc::segments must be SegmentLayout::none or rows: SegmentedSort has offsets"};
    }
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    if (auto wrong = check_sort_key("sort", desc.key, *device); !wrong) return wrong.error();
    auto sorter = Sorter::create(*device, context.profile, desc);
    if (!sorter) return sorter.error();
    return Sort(std::unique_ptr<Plan>(new Plan{std::move(*sorter)}));
}

VkDeviceSize Sort::temporary_size(const Args& args) const {
    return plan_->sorter.temporary_size(args.count, args.segments.count);
}

VkDeviceSize Sort::scratch_size(const Args&) const { return 0; }

Grid Sort::grid(const Args& args) const { return plan_->sorter.grid(args); }

Result<void> Sort::validate(const Args& args) const { return plan_->sorter.validate(args); }

void Sort::record(VkCommandBuffer commands, const Args& args) const { plan_->sorter.record(commands, args); }

} // namespace vkprim
