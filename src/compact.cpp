#include <vkprim/compact.h>

#include "../shaders/compact/compact_push.h"
#include "checks.h"
#include "float_bits.h"
#include "lookback.h"
#include "shaders/compact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vkprim {
namespace {

constexpr bool is(KeyType key, uint32_t number) { return static_cast<uint32_t>(key) == number; }
constexpr bool is(Compact::Copy copy, uint32_t number) { return static_cast<uint32_t>(copy) == number; }

static_assert(is(KeyType::u8, KEY_U8) && is(KeyType::u32, KEY_U32) && is(KeyType::i32, KEY_I32) &&
              is(KeyType::f32, KEY_F32));
static_assert(is(Compact::Copy::keys, COPY_KEYS) && is(Compact::Copy::elements, COPY_ELEMENTS) &&
              is(Compact::Copy::indices, COPY_INDICES));

/// A range of keys, as their places in the order of their type: shaders/compact/compact.comp.
struct OrderedRange {
    uint32_t lower = 1, upper = 0; ///< empty
};

/// Of the keys of this type from `lower` to `upper`; empty where one of them is NaN.
OrderedRange ordered_range(KeyType type, double lower, double upper) {
    if (!(lower <= upper)) return {};
    if (type == KeyType::f32) {
        constexpr double most = std::numeric_limits<float>::max(), infinity = std::numeric_limits<double>::infinity();
        constexpr double border = most + 0x1p103; // half a step beyond, a tie that goes to the even neighbour: infinity
        const auto       rounded = [&](double end) {
            return std::abs(end) >= border ? std::copysign(infinity, end) : std::clamp(end, -most, most);
        };
        // Plus zero: of -0, which the shader takes for 0, it makes 0.
        const auto order = [&](double end) { return order_of(static_cast<float>(rounded(end)) + 0.0f); };
        return {order(lower), order(upper)};
    }
    const double least = type == KeyType::i32 ? -2147483648.0 : 0;
    const double most  = type == KeyType::u8 ? 255.0 : type == KeyType::u32 ? 4294967295.0 : 2147483647.0;
    lower              = std::max(std::ceil(lower), least);
    upper              = std::min(std::floor(upper), most);
    if (lower > upper) return {};
    const auto order = [&](double key) { return static_cast<uint32_t>(key - least); };
    return {order(lower), order(upper)};
}

uint32_t size_of(KeyType type) { return type == KeyType::u8 ? 1 : 4; }

/// Whether keys and elements may be loaded in whole vectors.
bool has_vectors(const Compact::Desc& desc, const Compact::Args& args) {
    return desc.aligned || (is_aligned(args.keys, 4 * size_of(desc.key)) &&
                            (desc.copy != Compact::Copy::elements || is_aligned(args.elements, 16)));
}

} // namespace

struct Compact::Plan {
    Lookback lookback;
    Desc     desc;
};

Result<Compact> Compact::create(const Context& context, const Desc& desc) {
    const auto refuse = [](const char* reason) { return Error{VK_ERROR_FORMAT_NOT_SUPPORTED, reason}; };
    if (desc.key > KeyType::f32) return refuse("compact: Desc::key is not a KeyType");
    if (desc.keep > Keep::outside) return refuse("compact: Desc::keep is not a Keep");
    if (desc.copy > Copy::indices) return refuse("compact: Desc::copy is not a Copy");
    if (desc.copy == Copy::keys && desc.key == KeyType::u8) {
        return refuse("compact: keys of u8 are no elements to copy: use keys of 32 bits, or copy indices");
    }
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    const auto tuning = tune_lookback(device->limits, context.profile, "compact", desc.copy == Copy::elements ? 2 : 1);
    if (!tuning) return tuning.error();

    constexpr Shader variants[][2] = {{shaders::compact_word32_wordwise, shaders::compact_word32_bytes},
                                      {shaders::compact_word64_wordwise, shaders::compact_word64_bytes},
                                      {shaders::compact_plain_wordwise, shaders::compact_plain_bytes}};
    Lookback         lookback(*device, {"compact", desc.waits, desc.aligned, *tuning});
    for (const LookbackShape& shape : lookback.shapes()) {
        PipelineDesc pipeline_desc;
        pipeline_desc.shader           = variants[device->variant()][device->features.storage_buffer_8bit_access];
        pipeline_desc.push_size        = sizeof(CompactPush);
        pipeline_desc.shader_constants = by_id({{COMPACT_KEY_ID, static_cast<uint32_t>(desc.key)},
                                                {COMPACT_COPY_ID, static_cast<uint32_t>(desc.copy)},
                                                {COMPACT_INSIDE_ID, desc.keep == Keep::inside},
                                                {COMPACT_RUNS_ID, shape.blocks},
                                                {COMPACT_ALIGNED_ID, shape.aligned},
                                                {COMPACT_AHEAD_ID, shape.ahead},
                                                {COMPACT_RUNNING_ID, tuning->running},
                                                {COMPACT_STAGE_ID, shape.stage},
                                                {COMPACT_ONE_GROUP_ID, shape.one_group}});
        if (auto built = lookback.build(shape, pipeline_desc); !built) return built.error();
    }
    return Compact(std::unique_ptr<Plan>(new Plan{std::move(lookback), desc}));
}

VkDeviceSize Compact::scratch_size(uint32_t count) const { return plan_->lookback.scratch_size(count); }

Grid Compact::grid(const Args& args) const {
    return plan_->lookback.grid(args.count, has_vectors(plan_->desc, args), 1);
}

Result<void> Compact::validate(const Args& args) const {
    const Desc&        desc = plan_->desc;
    const VkDeviceSize in = sure_count(args), key_size = size_of(desc.key);
    const bool         copied = desc.copy == Copy::elements;
    const MemoryRange  keys{"keys", args.keys, in * key_size, size_of(desc.key) * (desc.aligned ? 4 : 1)};
    const MemoryRange  elements =
        copied ? MemoryRange{"elements", args.elements, in * 4, desc.aligned ? 16u : 4u} : MemoryRange{};
    // How many are kept, only the GPU knows. Of the output, the first.
    const MemoryRange output{"output", args.output, std::min<VkDeviceSize>(in, 1) * 4};
    const MemoryRange kept{"kept", args.kept, 4};
    const MemoryRange scratch = scratch_range(args.scratch, scratch_size(args.count));
    const MemoryRange count   = count_range(args.count_address);
    Checks            checks("compact");
    checks.memory({keys, elements, output, kept, scratch, count});
    checks.apart(output, {keys, elements, count});
    checks.apart(kept, {keys, elements, output, count});
    checks.apart(scratch, {keys, elements, output, kept, count});
    checks.part(args.part);
    checks.indirect(args);
    if (auto wrong = checks.result(); !wrong) return wrong;
    const Lookback& lookback = plan_->lookback;
    const Share     share    = lookback.share(std::max(args.count, 1u), has_vectors(desc, args), args.part);
    checks.grid(args.count, share, lookback.device());
    return checks.result();
}

void Compact::record(VkCommandBuffer commands, const Args& args) const {
    assert_valid(*this, args);

    const Desc&     desc     = plan_->desc;
    const bool      is_range = desc.keep != Keep::nonzero;
    const auto      range    = ordered_range(desc.key, is_range ? args.lower : 0, is_range ? args.upper : 0);
    const Lookback& lookback = plan_->lookback;
    for (const LookbackStep& step : lookback.steps(std::max(args.count, 1u), has_vectors(desc, args), args.part)) {
        const CompactPush push{args.keys,          args.elements, args.output,      args.kept,   args.scratch,
                               args.count_address, args.count,    step.share.first, range.lower, range.upper};
        lookback.record(commands, step, &push, args.indirect);
    }
}

Compact::Compact(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
Compact::Compact(Compact&&) noexcept            = default;
Compact& Compact::operator=(Compact&&) noexcept = default;
Compact::~Compact()                             = default;

} // namespace vkprim
