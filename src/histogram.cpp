#include <vkprim/histogram.h>

#include <vkprim/glsl/detail/scratch.h>
#include "../shaders/histogram/histogram_push.h"
#include "binning.h"
#include "checks.h"
#include "float_bits.h"
#include "recorder.h"
#include "segments.h"
#include "shaders/histogram.h"
#include "tuning/histogram.h"

#include <algorithm>

namespace vkprim {
namespace {

constexpr uint32_t most_scratch_words = UINT32_MAX / 64; ///< that shaders address
constexpr uint32_t shared_words       = 2;               ///< of histogram_offsets.comp, besides counters and levels

uint32_t sample_size(SampleType type) {
    return type == SampleType::u8 ? 1 : type == SampleType::u16 ? 2 : type == SampleType::f64 ? 8 : 4;
}

uint32_t power_of_two_up_to(uint32_t most) {
    uint32_t power = 1;
    while (power <= most / 2) power *= 2;
    return power;
}

uint32_t level_size(SampleType type) { return std::max(sample_size(type), 4u); }

/// Whether it needs more than counting each sample in bins of equal width.
bool is_general(const Histogram::Desc& desc) {
    return desc.type == SampleType::f64 || desc.channels > 1 || desc.weights != Weights::none || desc.wide ||
           desc.levels;
}

HistogramCase case_of(const Histogram::Desc& desc) {
    HistogramCase histogram;
    histogram.bins          = bins_of(desc);
    histogram.sample_size   = sample_size(desc.type);
    histogram.weighted      = desc.weights != Weights::none;
    histogram.counter_words = histogram.weighted && desc.wide ? 2 : 1;
    histogram.levels        = desc.levels;
    histogram.rows          = desc.segments == SegmentLayout::rows;
    histogram.offsets       = desc.segments == SegmentLayout::offsets;
    // The general shader has at least one level.
    if (is_general(desc) || histogram.offsets)
        histogram.table_words = (desc.levels ? desc.bins + 1 : 1) * level_size(desc.type) / 4;
    if (histogram.offsets) histogram.table_words += shared_words;
    return histogram;
}

/// Ways to count samples.
struct Modules {
    Shader shared, ranges, global;
};

/// Of samples of up to a word, and of f64; of all samples, and of rows; of one channel, and in general, which f64 are in any case.
constexpr Modules modules_of_kinds[][2][2] = {
    {{{shaders::histogram_shared_words_all, shaders::histogram_ranges_words, shaders::histogram_global_words_all},
      {shaders::histogram_shared_words_general_all, shaders::histogram_ranges_words_general,
       shaders::histogram_global_words_general_all}},
     {{shaders::histogram_shared_words_rows, {}, shaders::histogram_global_words_general_rows},
      {shaders::histogram_shared_words_general_rows, {}, shaders::histogram_global_words_general_rows}}},
    {{{},
      {shaders::histogram_shared_f64_general_all, shaders::histogram_ranges_f64_general,
       shaders::histogram_global_f64_general_all}},
     {{}, {shaders::histogram_shared_f64_general_rows, {}, shaders::histogram_global_f64_general_rows}}},
};

/// Of segments between offsets, those counted in shared memory as well, or in the output alone.
struct OffsetModules {
    Shader shared, global;
};

constexpr OffsetModules offset_modules_of_kinds[] = {
    {shaders::histogram_offsets_words_shared, shaders::histogram_offsets_words_global},
    {shaders::histogram_offsets_f64_shared, shaders::histogram_offsets_f64_global},
};

struct Shaders {
    Shader shared, ranges, global, clear;
};

/// The modules for a Desc.
Shaders shaders_for(const Histogram::Desc& desc) {
    const size_t kind = desc.type == SampleType::f64 ? 1 : 0;
    if (desc.segments == SegmentLayout::offsets) {
        const OffsetModules& modules = offset_modules_of_kinds[kind];
        return {modules.shared, {}, modules.global, shaders::histogram_clear_offsets};
    }
    const bool     rows    = desc.segments == SegmentLayout::rows;
    const Modules& modules = modules_of_kinds[kind][rows][is_general(desc)];
    return {modules.shared, modules.ranges, modules.global,
            rows ? shaders::histogram_clear_rows : shaders::histogram_clear_any};
}

uint32_t push_size_of(const Histogram::Desc& desc) {
    if (desc.segments == SegmentLayout::offsets) return sizeof(HistogramSegmentsPush);
    if (desc.segments == SegmentLayout::rows) return sizeof(HistogramRowsPush);
    return is_general(desc) ? sizeof(HistogramGeneralPush) : sizeof(HistogramPush);
}

} // namespace

struct Histogram::Plan {
    CoreDevice      device;
    HistogramTuning tuning;
    Desc            desc;
    uint32_t        bins          = 0; ///< of all channels
    uint32_t        sample_size   = 0;
    uint32_t        count_size    = 0; ///< bytes of a bin's count
    uint32_t        scratch_words = 0; ///< of a row, or of the only histogram
    Pipeline        count;
    Pipeline        few;    ///< for few samples, where that is faster
    Pipeline ranges, clear; ///< only where the bins do not fit into shared memory; ranges not where they are too many

    uint32_t per_vector() const { return 16 / sample_size; }
    uint32_t output_words() const { return bins * (count_size / 4); } ///< of a row
    uint32_t clearing_workgroups() const { return (output_words() - 1) / tuning.workgroup_size + 1; }

    uint64_t weights_size(uint64_t samples) const { ///< bytes
        return desc.weights != Weights::none ? (samples + desc.channels - 1) / desc.channels * 4 : 0;
    }
    uint32_t pitch(const Args& args) const {
        return static_cast<uint32_t>(pitch_of(args.segments.pitch, args.count, sample_size));
    }

    bool is_few(uint32_t samples) const {
        return uint64_t{samples} * sample_size <= tuning.few_bytes && tuning.few_bytes > 0;
    }

    /// The most tiles of so many samples.
    uint32_t tiles(uint32_t samples) const {
        // One vector more than the samples fill, since the first may begin inside one.
        const uint32_t vectors = samples / per_vector() + 2;
        const bool     small   = is_few(samples);
        const uint32_t tile    = small ? tuning.few_size * tuning.few_vectors : tuning.workgroup_size * tuning.vectors;
        return (vectors - 1) / tile + 1;
    }

    uint32_t workgroups(uint32_t samples) const {
        return std::min((tiles(samples) - 1) / tuning.tiles + 1, tuning.workgroups);
    }

    /// The fewest workgroups of a row, so that none has more of its tiles than it may.
    uint32_t least_workgroups(uint32_t samples) const { return (tiles(samples) - 1) / tuning.most_tiles + 1; }

    /// Workgroups of each of so many rows. All rows together have up to four times as many as one alone, so that most are busy until the end.
    uint32_t workgroups_of_row(uint32_t samples, uint32_t rows) const {
        if (is_few(samples)) return 1;
        const uint32_t most = rows > tuning.most_rows ? 1 : (4 * tuning.workgroups - 1) / rows + 1;
        return std::max(std::min(workgroups(samples), most), least_workgroups(samples));
    }

    /// Words of scratch for the rows that may have several workgroups.
    uint64_t all_scratch_words(uint32_t samples, uint32_t rows) const {
        if (desc.segments != SegmentLayout::rows) return scratch_words;
        if (is_few(samples)) return 0;
        return uint64_t{scratch_words} * (least_workgroups(samples) > 1 ? rows : std::min(rows, tuning.most_rows));
    }

    /// What one part does.
    struct RowsPart {
        Share    rows, samples; ///< these samples of each of these rows
        bool     accumulate;
        uint32_t workgroups; ///< of a row
    };

    RowsPart rows_part(const Args& args) const {
        // If there are many rows, a part has some of them; if there are few, it has some samples of each, and later parts add the others.
        const bool  by_rows = args.segments.count >= args.part.parts;
        const Share rows    = by_rows ? share_of(args.segments.count, args.part, 1) : Share{0, args.segments.count};
        const Share samples = by_rows ? Share{0, args.count} : share_of(args.count, args.part, per_vector());
        // As many workgroups as if all rows were here, since scratch is laid out for these.
        return {rows, samples, args.accumulate || (!by_rows && args.part.number > 0),
                workgroups_of_row(samples.count, args.segments.count)};
    }

    /// Of the larger dispatch of a part.
    uint64_t workgroups(const RowsPart& part) const {
        return uint64_t{part.rows.count} *
               std::max(part.workgroups, !tuning.is_shared() && !part.accumulate ? clearing_workgroups() : 0);
    }

    // Of segments between offsets.
    SegmentShares shares() const {
        return {false, HISTOGRAM_SEGMENT_COST, tuning.share_workgroups, tuning.most_share / HISTOGRAM_SEGMENT_COST};
    }
    uint32_t share(const Args& args) const { return std::max(shares().share(args), tuning.least_share); }
    uint32_t share_workgroups(const Args& args) const {
        return SegmentShares::workgroups_of(shares().places(args), share(args));
    }
    uint64_t clearing_workgroups_of_segments(const Args& args) const {
        return (uint64_t{args.segments.count} * output_words() - 1) /
                   (uint64_t{tuning.workgroup_size} * HISTOGRAM_CLEARED) +
               1;
    }

    bool clears(const Args& args) const { return !args.accumulate && args.part.number == 0; }

    void check_rows(Checks& checks, const Args& args) const;
    void check_offsets(Checks& checks, const Args& args) const;
    void check_grid(Checks& checks, const Args& args) const;
    void record_all(VkCommandBuffer commands, const Args& args) const;
    void record_rows(VkCommandBuffer commands, const Args& args) const;
    void record_offsets(VkCommandBuffer commands, const Args& args) const;
};

Result<Histogram> Histogram::create(const Context& context, const Desc& desc) {
    auto binning = plan_binning(desc);
    if (!binning) return binning.error();
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    if (desc.type == SampleType::f64 && !device->features.shader_float64) {
        return Error{
            ErrorKind::unsupported_device,
            "histogram: f64 samples take the feature shaderFloat64, and Context::features says that it is off: "
            "enable it when creating the device, if the GPU has it (merge_features in "
            "vkprim/requirements.h)"};
    }
    const HistogramCase histogram   = case_of(desc);
    const uint32_t      sample_size = histogram.sample_size, bins = histogram.bins;
    auto                tuned = tune_histogram(device->limits, context.profile, histogram);
    if (!tuned) return tuned.error();
    const HistogramTuning& tuning = *tuned;

    // Of the pipelines, which differ in how many samples or counts an invocation has.
    const auto constants = [&](uint32_t counts, uint32_t vectors, uint32_t copies) {
        return by_id({{HISTOGRAM_BINS_ID, counts},
                      {HISTOGRAM_COPIES_ID, copies},
                      {HISTOGRAM_LOWER_ID, binning->lower},
                      {HISTOGRAM_LAST_ID, binning->last},
                      {HISTOGRAM_SCALE_WHOLE_ID, binning->scale_whole},
                      {HISTOGRAM_SCALE_HIGH_ID, binning->scale_high},
                      {HISTOGRAM_SCALE_LOW_ID, binning->scale_low},
                      {HISTOGRAM_VECTORS_ID, vectors},
                      {HISTOGRAM_GATHERS_ID, tuning.gathers},
                      {HISTOGRAM_RANGE_ID, tuning.range},
                      {HISTOGRAM_RANGES_ID, tuning.ranges},
                      {HISTOGRAM_CHANNEL_BINS_ID, desc.bins},
                      {HISTOGRAM_CHANNELS_ID, desc.channels},
                      {HISTOGRAM_WEIGHTS_ID, static_cast<uint32_t>(desc.weights)},
                      {HISTOGRAM_WIDE_ID, desc.wide},
                      {HISTOGRAM_LEVEL_STEP_ID, desc.levels ? power_of_two_up_to(desc.bins) : 0},
                      {HISTOGRAM_UPPER_HIGH_ID, binning->upper_high},
                      {HISTOGRAM_SHORT_PIECE_ID, tuning.direct},
                      {HISTOGRAM_WIDTH_LOW_ID, binning->width_low},
                      {HISTOGRAM_WIDTH_HIGH_ID, binning->width_high},
                      {HISTOGRAM_NARROW_ID, binning->narrow},
                      {HISTOGRAM_NEAR_ID, bits_of(binning->near)},
                      {HISTOGRAM_SAMPLE_SIZE_ID, sample_size},
                      {HISTOGRAM_FLOAT_ID, desc.type == SampleType::f32}});
    };
    const Shaders modules = shaders_for(desc);
    PipelineDesc  pipeline_desc;
    pipeline_desc.push_size        = push_size_of(desc);
    pipeline_desc.workgroup_size   = tuning.workgroup_size;
    pipeline_desc.rounds           = desc.type == SampleType::f32;
    pipeline_desc.shader_constants = constants(bins, tuning.vectors, tuning.copies);
    std::unique_ptr<Plan> plan(
        new Plan{*device, tuning, desc, bins, sample_size, desc.wide ? 8u : 4u, 0, {}, {}, {}, {}});
    if (tuning.way == HistogramWay::shared || tuning.way == HistogramWay::rows)
        plan->scratch_words = HISTOGRAM_SCRATCH_WORDS(bins, histogram.counter_words);
    PipelineList pipelines;
    const auto   add = [&](Pipeline& pipeline, PipelineDesc wanted, const Shader& shader, const char* name) {
        wanted.shader = shader;
        wanted.name   = name;
        pipelines.add(pipeline, std::move(wanted));
    };
    if (tuning.few_bytes > 0) {
        PipelineDesc few     = pipeline_desc;
        few.workgroup_size   = tuning.few_size;
        few.shader_constants = constants(bins, tuning.few_vectors, tuning.few_copies);
        add(plan->few, few, modules.shared, "histogram, few");
    }
    add(plan->count, pipeline_desc, tuning.is_shared() ? modules.shared : modules.global,
        tuning.is_shared() ? "histogram, shared" : "histogram, global");
    if (!tuning.is_shared() || histogram.offsets) {
        PipelineDesc clear     = pipeline_desc;
        clear.shader_constants = constants(plan->output_words(), tuning.vectors, tuning.copies);
        add(plan->clear, clear, modules.clear, "histogram, clear");
    }
    if (tuning.way == HistogramWay::ranges) add(plan->ranges, pipeline_desc, modules.ranges, "histogram, ranges");
    if (auto made = pipelines.create(*device); !made) return made.error();
    return Histogram(std::move(plan));
}

VkDeviceSize Histogram::scratch_size(const Args& args) const {
    return vkprim_scratch_bytes(static_cast<uint32_t>(
        std::min<uint64_t>(plan_->all_scratch_words(args.count, args.segments.count), most_scratch_words)));
}

void Histogram::Plan::check_rows(Checks& checks, const Args& args) const {
    check_pitch(checks, "segments.pitch", args.segments.pitch, args, sample_size, sample_size);
    if (args.segments.count > 1 && weights_size(args.count) > UINT32_MAX) {
        checks.fail("count is " + std::to_string(args.count) + ": the weights of a row have less than 4 GiB");
    } else if (all_scratch_words(args.count, args.segments.count) > most_scratch_words) {
        checks.fail(std::to_string(args.segments.count) + " rows with count " + std::to_string(args.count) +
                    " take more scratch than a shader can address: record them in several operations");
    }
}

void Histogram::Plan::check_offsets(Checks& checks, const Args& args) const {
    if (shares().places(args) > UINT32_MAX) {
        checks.fail(std::to_string(args.segments.count) + " segments with count " + std::to_string(args.count) +
                    " are too many: count + 4 * segments.count must be below 2^32");
    } else if (clearing_workgroups_of_segments(args) > UINT32_MAX) {
        checks.fail("segments.count is " + std::to_string(args.segments.count) +
                    ": so many counts cannot be zeroed at once: record the segments in several operations");
    }
}

/// Of the largest dispatch of the part.
void Histogram::Plan::check_grid(Checks& checks, const Args& args) const {
    if (desc.segments == SegmentLayout::offsets) {
        const Share    counting = share_of_workgroups(share_workgroups(args), args.part, device);
        const uint64_t clearing = clears(args) ? clearing_workgroups_of_segments(args) : 0;
        checks.grid(args.count, {0, std::max(counting.count, static_cast<uint32_t>(clearing))}, device);
        return;
    }
    if (const uint64_t all = workgroups(rows_part(args)); all > UINT32_MAX) {
        checks.fail(std::to_string(args.segments.count) + " rows with count " + std::to_string(args.count) + " take " +
                    std::to_string(all) + " workgroups: record them in more parts (Part)");
    } else {
        checks.grid(args.count, {0, static_cast<uint32_t>(all)}, device);
    }
}

Result<void> Histogram::validate(const Args& args) const {
    const Plan& plan = *plan_;
    Checks      checks("histogram");
    checks.part(args.part);
    const bool is_one  = plan.desc.segments == SegmentLayout::none,
               offsets = plan.desc.segments == SegmentLayout::offsets;
    check_layout(checks, plan.desc.segments, args.segments);
    if (args.segments.count == 0) return checks.result();
    if (offsets) {
        plan.check_offsets(checks, args);
    } else {
        plan.check_rows(checks, args);
    }
    if (auto wrong = checks.result(); !wrong) return wrong;

    const VkDeviceSize sure  = sure_count(args);
    const uint32_t     level = level_size(plan.desc.type);
    // With counts in GPU memory, the host knows the first sample and row only.
    const VkDeviceSize rows = sure_segments(args.segments);
    // What Desc does not ask for is absent.
    const uint32_t levels_count = plan.desc.levels ? plan.desc.bins + 1 : 0;
    const auto     matrix       = [&](VkDeviceSize row, VkDeviceSize pitch) {
        return offsets ? row : row > 0 ? (rows - 1) * pitch + row : 0;
    };
    const MemoryRange input{"input", args.input, matrix(sure * plan.sample_size, plan.pitch(args)), plan.sample_size};
    const MemoryRange counts{"counts", args.counts, rows * plan.bins * plan.count_size, plan.count_size};
    const MemoryRange weights{"weights", args.weights, matrix(plan.weights_size(sure), plan.weights_size(args.count))};
    const MemoryRange levels{"levels", args.levels, VkDeviceSize{levels_count} * level, level};
    const MemoryRange scratch  = scratch_range(args.scratch, scratch_size(args));
    const MemoryRange ends     = offsets_range(plan.desc.segments, args.segments, rows + 1);
    const MemoryRange count    = count_range(args.count_address);
    const MemoryRange gpu_rows = segments_range(args.segments);
    checks.memory({input, counts, weights, levels, ends, scratch, count, gpu_rows});
    checks.apart(counts, {input, weights, levels, ends, count, gpu_rows});
    checks.apart(scratch, {input, counts, weights, levels, ends, count, gpu_rows});
    if (auto wrong = checks.result(); !wrong || is_one) return wrong;
    plan.check_grid(checks, args);
    return checks.result();
}

void Histogram::Plan::record_all(VkCommandBuffer commands, const Args& args) const {
    // All parts are as well aligned as the first.
    const Share                samples    = share_of(args.count, args.part, per_vector());
    const bool                 accumulate = args.accumulate || args.part.number > 0;
    const HistogramGeneralPush push{
        {args.input + VkDeviceAddress{samples.first} * sample_size, args.counts, args.scratch,
         pushed_count(args.count_address, args.counts), samples.count, accumulate ? 1u : 0u, samples.first},
        {args.weights, args.levels}};
    if (!tuning.is_shared() && !accumulate) {
        record_dispatch(commands, device, clear, &push, clearing_workgroups());
        record_barrier(commands, device);
    }
    if (tuning.way == HistogramWay::ranges && samples.count >= tuning.ranges_count) {
        record_dispatch(commands, device, ranges, &push, tuning.range_workgroups);
        return;
    }
    record_dispatch(commands, device, is_few(samples.count) ? few : count, &push, workgroups(samples.count));
}

void Histogram::Plan::record_rows(VkCommandBuffer commands, const Args& args) const {
    if (args.segments.count == 0) return;
    const RowsPart          part = rows_part(args);
    const HistogramRowsPush push{
        {args.input + VkDeviceAddress{part.samples.first} * sample_size, args.counts, args.scratch,
         pushed_count(args.count_address, args.counts), part.samples.count, part.accumulate ? 1u : 0u,
         part.samples.first},
        {args.weights, args.levels},
        {pushed_count(args.segments.count_address, args.counts), part.rows.count, part.rows.first, part.workgroups,
         pitch(args), static_cast<uint32_t>(weights_size(args.count))}};
    if (!tuning.is_shared() && !part.accumulate) {
        record_dispatch(commands, device, clear, &push, part.rows.count * clearing_workgroups());
        record_barrier(commands, device);
    }
    record_dispatch(commands, device, is_few(part.samples.count) ? few : count, &push,
                    part.rows.count * part.workgroups);
}

void Histogram::Plan::record_offsets(VkCommandBuffer commands, const Args& args) const {
    if (args.segments.count == 0) return;
    const Share                 part = share_of_workgroups(share_workgroups(args), args.part, device);
    const HistogramSegmentsPush push{
        {args.input, args.counts, args.segments.offsets, pushed_count(args.count_address, args.segments.offsets),
         pushed_count(args.segments.count_address, args.segments.offsets), args.count, args.segments.count,
         args.segments.offset_size, share(args), share_workgroups(args), part.first},
        {args.weights, args.levels}};
    if (clears(args)) {
        record_dispatch(commands, device, clear, &push, static_cast<uint32_t>(clearing_workgroups_of_segments(args)));
        record_barrier(commands, device);
    }
    record_dispatch(commands, device, count, &push, part.count);
}

void Histogram::record(VkCommandBuffer commands, const Args& args) const {
    assert_valid(*this, args);
    switch (plan_->desc.segments) {
        case SegmentLayout::none: return plan_->record_all(commands, args);
        case SegmentLayout::offsets: return plan_->record_offsets(commands, args);
        case SegmentLayout::rows: return plan_->record_rows(commands, args);
    }
}

} // namespace vkprim
