#include <vkprim/histogram.h>

#include <vkprim/glsl/detail/scratch.h>
#include "../shaders/histogram/histogram_push.h"
#include "checks.h"
#include "float_bits.h"
#include "recorder.h"
#include "shaders/histogram.h"
#include "tuning/histogram.h"

#include <cmath>

namespace vkprim {
namespace {

constexpr uint32_t most_bins = 1u << 20;

uint32_t sample_size(SampleType type) { return type == SampleType::u8 ? 1 : type == SampleType::u16 ? 2 : 4; }

/// The constants of shaders/histogram/samples.glsl that stand for the range.
struct Binning {
    uint32_t lower = 0, last = 0, scale_whole = 0, scale_high = 0, scale_low = 0;
};

Error refuse(std::string reason) { return {VK_ERROR_FORMAT_NOT_SUPPORTED, std::move(reason)}; }

Result<Binning> plan_integer_binning(const Histogram::Desc& desc) {
    const double smallest = desc.type == SampleType::i32 ? -2147483648.0 : 0.0;
    const double beyond   = desc.type == SampleType::u8    ? 256.0
                            : desc.type == SampleType::u16 ? 65536.0
                            : desc.type == SampleType::u32 ? 4294967296.0
                                                           : 2147483648.0;
    if (desc.lower != std::floor(desc.lower) || desc.upper != std::floor(desc.upper)) {
        return refuse("histogram: the range of integer samples must begin and end at whole numbers");
    }
    if (desc.lower < smallest || desc.upper > beyond) {
        return refuse("histogram: the range must lie within what the sample type holds, which is " +
                      std::to_string(static_cast<int64_t>(smallest)) + " to " +
                      std::to_string(static_cast<int64_t>(beyond)) + " (exclusive)");
    }
    // bins / span = whole + fraction, the fraction rounded up to a multiple of 2^-64: two steps of long division in
    // base 2^32.
    const auto     span      = static_cast<uint64_t>(desc.upper - desc.lower);
    const uint64_t remainder = desc.bins % span;
    const uint64_t high      = (remainder << 32) / span;
    const uint64_t rest      = (remainder << 32) % span;
    const uint64_t low       = (rest << 32) / span + ((rest << 32) % span != 0);
    Binning        binning;
    binning.lower       = static_cast<uint32_t>(static_cast<int64_t>(desc.lower));
    binning.last        = static_cast<uint32_t>(span - 1);
    binning.scale_whole = static_cast<uint32_t>(desc.bins / span);
    binning.scale_high  = static_cast<uint32_t>(high + (low >> 32));
    binning.scale_low   = static_cast<uint32_t>(low);
    return binning;
}

Result<Binning> plan_float_binning(const Histogram::Desc& desc) {
    const auto lower = static_cast<float>(desc.lower);
    const auto upper = static_cast<float>(desc.upper);
    const auto scale = static_cast<float>(desc.bins / (static_cast<double>(upper) - static_cast<double>(lower)));
    if (!(lower < upper)) return refuse("histogram: the range is empty in single precision");
    if (!std::isfinite(upper - lower)) return refuse("histogram: upper - lower overflows single precision");
    if (!std::isnormal(scale)) return refuse("histogram: bins / (upper - lower) leaves the range of single precision");
    // Zero at the place of -0, so that a range that begins or ends there treats both alike.
    const auto order = [](float end) { return order_of(end == 0 ? -0.0f : end); };
    return Binning{order(lower), order(upper) - order(lower) - 1, bits_of(lower), bits_of(scale), 0};
}

Result<Binning> plan_binning(const Histogram::Desc& desc) {
    if (desc.type > SampleType::f32) return refuse("histogram: Desc::type is not a SampleType");
    if (desc.bins < 1 || desc.bins > most_bins) {
        return refuse("histogram: bins must be 1 to 2^20, not " + std::to_string(desc.bins));
    }
    if (!std::isfinite(desc.lower) || !std::isfinite(desc.upper)) {
        return refuse("histogram: lower and upper must be finite numbers");
    }
    if (!(desc.lower < desc.upper)) return refuse("histogram: the range is empty: lower must be below upper");
    return desc.type == SampleType::f32 ? plan_float_binning(desc) : plan_integer_binning(desc);
}

} // namespace

struct Histogram::Plan {
    CoreDevice      device;
    HistogramTuning tuning;
    uint32_t        bins        = 0;
    uint32_t        sample_size = 0;
    Pipeline        count;
    Pipeline ranges, clear; ///< only where the bins do not fit into shared memory; ranges not where they are too many
};

Result<Histogram> Histogram::create(const Context& context, const Desc& desc) {
    auto binning = plan_binning(desc);
    if (!binning) return binning.error();
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    const uint32_t sample_size = vkprim::sample_size(desc.type);
    auto           tuned       = tune_histogram(device->limits, context.profile, {desc.bins, sample_size});
    if (!tuned) return tuned.error();
    const HistogramTuning& tuning = *tuned;

    enum Way { global, global_plain, shared, by_ranges };
    constexpr Shader variants[][4] = {
        {shaders::histogram_global_u8_shuffles, shaders::histogram_global_u8_plain, shaders::histogram_shared_u8,
         shaders::histogram_ranges_u8},
        {shaders::histogram_global_u16_shuffles, shaders::histogram_global_u16_plain, shaders::histogram_shared_u16,
         shaders::histogram_ranges_u16},
        {shaders::histogram_global_u32_shuffles, shaders::histogram_global_u32_plain, shaders::histogram_shared_u32,
         shaders::histogram_ranges_u32},
        {shaders::histogram_global_u32_shuffles, shaders::histogram_global_u32_plain, shaders::histogram_shared_u32,
         shaders::histogram_ranges_u32}, // i32 wraps like u32
        {shaders::histogram_global_f32_shuffles, shaders::histogram_global_f32_plain, shaders::histogram_shared_f32,
         shaders::histogram_ranges_f32}};
    constexpr Shader by_words[][4] = {
        // without 8-bit storage
        {shaders::histogram_global_u8_wordwise_shuffles, shaders::histogram_global_u8_wordwise_plain,
         shaders::histogram_shared_u8_wordwise, shaders::histogram_ranges_u8_wordwise},
        {shaders::histogram_global_u16_wordwise_shuffles, shaders::histogram_global_u16_wordwise_plain,
         shaders::histogram_shared_u16_wordwise, shaders::histogram_ranges_u16_wordwise}};
    const auto   type            = static_cast<uint32_t>(desc.type);
    const bool   has_bytes       = sample_size == 4 || device->features.storage_buffer_8bit_access;
    const auto&  shaders_of_type = has_bytes ? variants[type] : by_words[type];
    PipelineDesc pipeline_desc;
    pipeline_desc.push_size        = sizeof(HistogramPush);
    pipeline_desc.workgroup_size   = tuning.workgroup_size;
    pipeline_desc.rounds           = desc.type == SampleType::f32;
    pipeline_desc.shader_constants = by_id({{HISTOGRAM_BINS_ID, desc.bins},
                                            {HISTOGRAM_COPIES_ID, tuning.copies},
                                            {HISTOGRAM_LOWER_ID, binning->lower},
                                            {HISTOGRAM_LAST_ID, binning->last},
                                            {HISTOGRAM_SCALE_WHOLE_ID, binning->scale_whole},
                                            {HISTOGRAM_SCALE_HIGH_ID, binning->scale_high},
                                            {HISTOGRAM_SCALE_LOW_ID, binning->scale_low},
                                            {HISTOGRAM_VECTORS_ID, tuning.vectors},
                                            {HISTOGRAM_GATHERS_ID, tuning.gathers},
                                            {HISTOGRAM_RANGE_ID, tuning.range},
                                            {HISTOGRAM_RANGES_ID, tuning.ranges}});
    std::unique_ptr<Plan> plan(new Plan{*device, tuning, desc.bins, sample_size, Pipeline(), Pipeline(), Pipeline()});
    const auto            add = [&](Pipeline& pipeline, const Shader& shader, const char* name) -> Result<void> {
        pipeline_desc.shader = shader;
        pipeline_desc.name   = name;
        auto created         = Pipeline::create(*device, pipeline_desc);
        if (!created) return created.error();
        pipeline = std::move(*created);
        return {};
    };
    const Way way = tuning.copies > 0 ? shared : device->has_subgroups() ? global : global_plain;
    if (auto done = add(plan->count, shaders_of_type[way], way == shared ? "histogram, shared" : "histogram, global");
        !done)
        return done.error();
    if (tuning.copies == 0) {
        if (auto done = add(plan->clear, shaders::histogram_clear_any, "histogram, clear"); !done) return done.error();
    }
    if (tuning.ranges > 0) {
        if (auto done = add(plan->ranges, shaders_of_type[by_ranges], "histogram, ranges"); !done) return done.error();
    }
    return Histogram(std::move(plan));
}

VkDeviceSize Histogram::scratch_size(uint32_t) const {
    return vkprim_scratch_bytes(plan_->tuning.copies > 0 ? 1 + (plan_->bins + 1) / 2 : 0); // two counters in a word
}

Result<void> Histogram::validate(const Args& args) const {
    const uint32_t    sample_size = plan_->sample_size;
    const MemoryRange input{"input", args.input, sure_count(args) * sample_size, sample_size};
    const MemoryRange counts{"counts", args.counts, VkDeviceSize{plan_->bins} * 4};
    const MemoryRange scratch = scratch_range(args.scratch, scratch_size(args.count));
    const MemoryRange count   = count_range(args.count_address);
    Checks            checks("histogram");
    checks.memory({input, counts, scratch, count});
    checks.apart(counts, {input, count});
    checks.apart(scratch, {input, counts, count});
    checks.part(args.part);
    return checks.result();
}

void Histogram::record(VkCommandBuffer commands, const Args& args) const {
    const Plan& plan = *plan_;
    assert_valid(*this, args);

    const uint32_t         per_vector = 16 / plan.sample_size; // and all parts are as well aligned as the first
    const Share            samples    = share_of(args.count, args.part, per_vector);
    const bool             accumulate = args.accumulate || args.part.number > 0;
    const HistogramPush    push{args.input + VkDeviceAddress{samples.first} * plan.sample_size,
                             args.counts,
                             args.scratch,
                             args.count_address,
                             samples.count,
                             accumulate ? 1u : 0u,
                             samples.first};
    const HistogramTuning& tuning = plan.tuning;
    if (tuning.copies == 0 && !accumulate) {
        record_dispatch(commands, plan.device, plan.clear, &push, (plan.bins - 1) / tuning.workgroup_size + 1);
        record_barrier(commands, plan.device);
    }
    if (tuning.ranges > 0 && samples.count >= tuning.ranges_count) {
        record_dispatch(commands, plan.device, plan.ranges, &push, tuning.range_workgroups);
        return;
    }
    // One vector more than the samples fill, since the first may begin inside one.
    const uint32_t vectors = samples.count / per_vector + 2;
    const uint32_t share   = tuning.workgroup_size * tuning.vectors * tuning.tiles;
    record_dispatch(commands, plan.device, plan.count, &push, std::min((vectors - 1) / share + 1, tuning.workgroups));
}

Histogram::Histogram(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
Histogram::Histogram(Histogram&&) noexcept            = default;
Histogram& Histogram::operator=(Histogram&&) noexcept = default;
Histogram::~Histogram()                               = default;

} // namespace vkprim
