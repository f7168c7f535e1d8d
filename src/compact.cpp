#include <vkprim/compact.h>

#include <vkprim/glsl/detail/facts.h>
#include "../shaders/compact/compact_push.h"
#include "checks.h"
#include "element.h"
#include "float_bits.h"
#include "lookback_plan.h"
#include "segments.h"
#include "shaders/compact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vkprim {
namespace {

constexpr bool is(KeyType key, uint32_t number) { return static_cast<uint32_t>(key) == number; }
constexpr bool is(Compact::Copy copy, uint32_t number) { return static_cast<uint32_t>(copy) == number; }

/// What goes to the output: COPY_... in the shader.
uint32_t output_of(Compact::Copy copy) { return static_cast<uint32_t>(copy) % 3; }

bool copies_keys(Compact::Copy copy) { return output_of(copy) == COPY_KEYS; }
bool copies_elements(Compact::Copy copy) { return output_of(copy) == COPY_ELEMENTS; }

/// Whether indices go to an output of their own.
bool has_own_indices(Compact::Copy copy) { return copy > Compact::Copy::indices; }

static_assert(is(KeyType::u8, KEY_U8) && is(KeyType::u32, KEY_U32) && is(KeyType::i32, KEY_I32) &&
              is(KeyType::f32, KEY_F32) && is(KeyType::u64, KEY_U64));
static_assert(is(Compact::Copy::keys, COPY_KEYS) && is(Compact::Copy::elements, COPY_ELEMENTS) &&
              is(Compact::Copy::indices, COPY_INDICES) && is(Compact::Copy::keys_and_indices, 3 + COPY_KEYS) &&
              is(Compact::Copy::elements_and_indices, 3 + COPY_ELEMENTS));

/// A range of keys, as their places in the order of their type: shaders/compact/keys.glsl.
struct OrderedRange {
    uint32_t lower = 1, upper = 0; ///< empty
};

/// The place of the f32 nearest to `end`.
uint32_t float_order(double end) {
    constexpr double most = std::numeric_limits<float>::max(), infinity = std::numeric_limits<double>::infinity();
    constexpr double border  = most + 0x1p103; // half a step beyond, a tie that goes to the even neighbour: infinity
    const double     rounded = std::abs(end) >= border ? std::copysign(infinity, end) : std::clamp(end, -most, most);
    // Adding zero turns -0 into 0, as the shader does.
    return order_of(static_cast<float>(rounded) + 0.0f);
}

/// The least and the largest key of an integer type.
struct Ends {
    double least, most;
};

Ends ends_of(KeyType type) {
    return {type == KeyType::i32 ? -2147483648.0 : 0, type == KeyType::u8    ? 255.0
                                                      : type == KeyType::u32 ? 4294967295.0
                                                                             : 2147483647.0};
}

/// The range of keys of this type from `lower` to `upper`; empty if one of them is NaN.
OrderedRange ordered_range(KeyType type, double lower, double upper) {
    if (!(lower <= upper)) return {};
    if (type == KeyType::f32) return {float_order(lower), float_order(upper)};
    const auto [least, most] = ends_of(type);
    lower                    = std::max(std::ceil(lower), least);
    upper                    = std::min(std::floor(upper), most);
    if (lower > upper) return {};
    return {static_cast<uint32_t>(lower - least), static_cast<uint32_t>(upper - least)};
}

/// The range of keys below `lower`; empty if that is NaN.
OrderedRange ordered_below(KeyType type, double lower) {
    if (type != KeyType::f32) return ordered_range(type, ends_of(type).least, std::ceil(lower) - 1);
    const uint32_t least = float_order(-std::numeric_limits<double>::infinity());
    if (std::isnan(lower) || float_order(lower) == least) return {};
    return {least, float_order(lower) - 1};
}

uint32_t size_of(KeyType type) { return type == KeyType::u8 ? 1 : type == KeyType::u64 ? 8 : 4; }

/// Whether keys have two words, so that a tile has half as many.
bool has_long_keys(const Compact::Desc& desc) { return !desc.own && desc.key == KeyType::u64; }

/// The alignment of keys with which vectors of them can be loaded whole.
uint32_t vector_alignment(KeyType type) { return type == KeyType::u8 ? 4 : 16; }

/// The push block. Shaders with one output have only its first member. The last is for predicates of your own, segments, or three outputs.
struct CompactOwnPush {
    CompactPush        compact;
    CompactSeveralPush several;
    union {
        vkprim_ParametersPush own;
        CompactSegmentsPush   segments;
        CompactThreePush      three;
    };
};
static_assert(sizeof(CompactOwnPush) <= 128, "what every device has room for");

/// Whether keys and elements may be loaded in whole vectors.
bool has_vectors(const Compact::Desc& desc, const Compact::Args& args) {
    return desc.aligned || ((desc.own || is_aligned(args.keys, vector_alignment(desc.key))) &&
                            (!copies_elements(desc.copy) || is_aligned(args.elements, 16)));
}

/// Bytes of an element of a row, of which the pitch is a multiple.
uint32_t row_element_size(const Compact::Desc& desc) { return desc.own ? 4 : size_of(desc.key); }

/// Bytes of an offset, or elements of a row.
uint32_t segment_size(const Compact::Desc& desc, const Compact::Args& args) {
    return desc.segments == SegmentLayout::rows ? static_cast<uint32_t>(row_stride(args, row_element_size(desc)))
                                                : args.segments.offset_size;
}

CompactOwnPush push_of(const Compact::Desc& desc, const Compact::Args& args, uint32_t first) {
    const bool     is_range = desc.keep != Compact::Keep::nonzero;
    const auto     range    = ordered_range(desc.key, is_range ? args.lower : 0, is_range ? args.upper : 0);
    const uint32_t size     = segment_size(desc, args);
    CompactOwnPush push{{args.count > 0 ? args.keys : args.scratch, args.elements, args.output, args.kept, args.scratch,
                         pushed_count(args.count_address, args.scratch), args.count, first, range.lower, range.upper},
                        {args.indices, args.rejected},
                        {own_push(args.parameters)}};
    if (desc.own) {
        push.compact.keys_address = args.segments.offsets;
        push.compact.lower        = args.segments.count;
        push.compact.upper        = size;
    } else if (desc.rejected == Compact::Rejected::divided) {
        const OrderedRange below = ordered_below(desc.key, args.lower);
        push.three               = {args.above, below.lower, below.upper};
    } else {
        push.segments = {args.segments.offsets, pushed_count(args.segments.count_address, args.scratch),
                         args.segments.count, size};
    }
    return push;
}

/// What is wrong with a Desc, or nothing.
const char* fault_of(const Compact::Desc& desc) {
    const bool own_indices = has_own_indices(desc.copy), segmented = desc.segments != SegmentLayout::none;
    if (desc.copy > Compact::Copy::elements_and_indices) return "compact: Desc::copy is not a Copy";
    if (desc.rejected > Compact::Rejected::divided) return "compact: Desc::rejected is not a Rejected";
    if (desc.indices_end && desc.copy < Compact::Copy::indices) {
        return "compact: Desc::indices_end without indices: Desc::copy must be one with indices";
    }
    if (desc.segments > SegmentLayout::rows) return "compact: Desc::segments is not a SegmentLayout";
    if (!desc.own && segmented && desc.keep == Compact::Keep::run_heads) {
        return "compact: Desc::segments with Keep::run_heads: runs do not end where segments do";
    }
    if (desc.rejected == Compact::Rejected::packed && segmented && own_indices) {
        return "compact: Rejected::packed with Desc::segments and with indices beside another output: some devices "
               "have "
               "too few registers";
    }
    if (desc.rejected == Compact::Rejected::divided) {
        if (desc.own || desc.keep != Compact::Keep::inside) {
            return "compact: Rejected::divided is for keys of Keep::inside";
        }
        if (own_indices) {
            return "compact: Rejected::divided with indices beside another output: some devices have too few registers "
                   "for four outputs";
        }
        if (segmented) {
            return "compact: Rejected::divided with Desc::segments: `kept` describes the segments of one output only";
        }
    }
    if (desc.own && copies_keys(desc.copy)) {
        return "compact: a predicate of your own has no keys to copy: copy elements or indices";
    }
    if (desc.own) return nullptr;
    if (desc.key > KeyType::u64) return "compact: Desc::key is not a KeyType";
    if (desc.keep > Compact::Keep::run_heads) return "compact: Desc::keep is not a Keep";
    if (desc.keep == Compact::Keep::run_heads && desc.key == KeyType::u8) {
        return "compact: runs are of keys of 4 or 8 bytes, not of u8";
    }
    if (desc.keep != Compact::Keep::run_heads && desc.key == KeyType::u64) {
        return "compact: keys of u64 are compared with each other alone: Keep::run_heads, or a predicate of your own";
    }
    if (copies_keys(desc.copy) && desc.key == KeyType::u8) {
        return "compact: keys of u8 are no elements to copy: use keys of 4 bytes, or copy indices";
    }
    return nullptr;
}

/// The most segments, all of which may begin in one tile: so that a workgroup's numbers of them do not wrap around; and on Mesa's CPU driver,
/// half of the rounds that its loops may have.
constexpr uint32_t most_segments = UINT32_MAX - 1024, most_segments_on_software = 32768 * 256;

void check_segment_args(Checks& checks, const CoreDevice& device, const Compact::Desc& desc,
                        const Compact::Args& args) {
    check_layout(checks, desc.segments, args.segments);
    if (const uint32_t size = row_element_size(desc); args.segments.pitch % size != 0) {
        checks.fail("segments.pitch is " + std::to_string(args.segments.pitch) + ": it must be a multiple of " +
                    std::to_string(size));
    } else if (args.segments.pitch / size > UINT32_MAX) {
        checks.fail("segments.pitch is " + std::to_string(args.segments.pitch) +
                    ": a row has at most 2^32 - 1 elements");
    }
    if (desc.own && args.segments.count_address) {
        checks.fail(
            "segments.count_address with Desc::own: beside Args::parameters, the push block has no room for it");
    }
    const uint32_t most = device.limits.software ? most_segments_on_software : most_segments;
    if (args.segments.count > most) {
        checks.fail("segments.count is " + std::to_string(args.segments.count) + ": it is at most " +
                    std::to_string(most) + (device.limits.software ? " on a CPU driver" : ""));
    }
}

} // namespace

struct Compact::Plan {
    Lookback lookback;
    Desc     desc; ///< of which `own` says no more than whether there is one
};

Result<Compact> Compact::create(const Context& context, const Desc& desc) {
    const auto refuse = [](const char* reason) { return Error{ErrorKind::invalid_desc, reason}; };
    if (const char* const fault = fault_of(desc)) return refuse(fault);
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    const Shader own = desc.own ? own_shader(desc.own->compact[device->variant()]) : Shader{};
    if (desc.own) {
        const auto facts = facts_of(own, "compact");
        if (!facts) return facts.error();
        if ((*facts & VKPRIM_FACTS_KEEP) == 0) return not_of_this_version();
    }
    const uint32_t read   = (desc.own ? 0 : 1) + (copies_elements(desc.copy) ? 1 : 0);
    const auto     tuning = tune_lookback(device->limits, context.profile, "compact", std::max(read, 1u));
    if (!tuning) return tuning.error();

    constexpr Shader variants[] = {shaders::compact_one, shaders::compact_several, shaders::compact_segments,
                                   shaders::compact_three};
    const bool       segmented  = desc.segments != SegmentLayout::none;
    const bool       rejects = desc.rejected != Rejected::dropped, divides = desc.rejected == Rejected::divided;
    const bool       several   = desc.own || has_own_indices(desc.copy) || rejects || desc.indices_end;
    const bool       long_keys = has_long_keys(desc);
    const uint32_t   kind      = divides ? 3 : segmented ? 2 : several ? 1 : 0;
    const Shader     shader    = desc.own ? own : long_keys ? shaders::compact_long : variants[kind];
    const size_t     push_size = desc.own    ? sizeof(CompactOwnPush)
                                 : divides   ? offsetof(CompactOwnPush, three) + sizeof(CompactThreePush)
                                 : segmented ? offsetof(CompactOwnPush, segments) + sizeof(CompactSegmentsPush)
                                 : several || long_keys ? offsetof(CompactOwnPush, own)
                                                        : sizeof(CompactPush);
    const uint32_t   outputs   = output_of(desc.copy) + (has_own_indices(desc.copy) ? COMPACT_ALSO_INDICES : 0) +
                             (rejects ? COMPACT_ALSO_REJECTED : 0) + (desc.indices_end ? COMPACT_INDICES_END : 0) +
                             (desc.segments == SegmentLayout::offsets ? COMPACT_SEGMENTS_OFFSETS : 0) +
                             (desc.segments == SegmentLayout::rows ? COMPACT_SEGMENTS_ROWS : 0);
    const uint32_t run_elements = long_keys ? 8 : 16; // that an invocation loads of each run
    const uint32_t slots        = divides ? 2 : 1;    // for the number of kept elements of a tile, and of those below
    Lookback       lookback(*device, {"compact", desc.waits, desc.aligned, *tuning, slots, run_elements});
    PipelineList   pipelines;
    for (const LookbackShape& shape : lookback.shapes()) {
        PipelineDesc pipeline_desc;
        pipeline_desc.shader    = shader;
        pipeline_desc.own       = desc.own != nullptr;
        pipeline_desc.push_size = static_cast<uint32_t>(push_size);
        pipeline_desc.shader_constants =
            by_id({{COMPACT_KEY_ID, static_cast<uint32_t>(desc.own ? KeyType::u32 : desc.key)},
                   {COMPACT_COPY_ID, outputs},
                   {COMPACT_INSIDE_ID, desc.keep == Keep::inside},
                   {COMPACT_RUN_HEADS_ID, !desc.own && desc.keep == Keep::run_heads},
                   {COMPACT_BLOCKS_ID, shape.blocks},
                   {COMPACT_ALIGNED_ID, shape.addresses == VKPRIM_RUNS_ALIGNED},
                   {COMPACT_PREFETCH_DISTANCE_ID, shape.prefetch_distance},
                   {COMPACT_FIRST_WAVE_TILES_ID, tuning->first_wave_tiles},
                   {COMPACT_STAGE_ID, shape.stage},
                   {COMPACT_ONE_GROUP_ID, shape.one_group}});
        lookback.add_to(pipelines, shape, pipeline_desc);
    }
    if (auto made = pipelines.create(*device); !made) return made.error();
    return Compact(std::unique_ptr<Plan>(new Plan{std::move(lookback), desc}));
}

VkDeviceSize Compact::scratch_size(const Args& args) const { return plan_->lookback.scratch_size(args.count); }

Grid Compact::grid(const Args& args) const {
    return plan_->lookback.grid(args.count, has_vectors(plan_->desc, args), 1);
}

Result<void> Compact::validate(const Args& args) const {
    const Desc&        desc = plan_->desc;
    const VkDeviceSize in = sure_count(args), key_size = size_of(desc.key), first = std::min<VkDeviceSize>(in, 1);
    const VkDeviceSize first_copy = first * (copies_keys(desc.copy) ? key_size : 4);
    const MemoryRange  keys       = desc.own ? MemoryRange{}
                                             : MemoryRange{"keys", args.keys, in * key_size,
                                                    desc.aligned ? vector_alignment(desc.key) : size_of(desc.key)};
    const MemoryRange elements = copies_elements(desc.copy)
                                            ? MemoryRange{"elements", args.elements, in * 4, desc.aligned ? 16u : 4u}
                                            : MemoryRange{};
    // Only the GPU knows how many are kept: of the outputs, the first element is checked.
    const VkDeviceSize first_index = desc.indices_end ? 4 : first * 4;
    const MemoryRange  output{"output", args.output, desc.copy == Copy::indices ? first_index : first_copy};
    const MemoryRange  indices =
        has_own_indices(desc.copy) ? MemoryRange{"indices", args.indices, first_index} : MemoryRange{};
    const MemoryRange rejected =
        desc.rejected != Rejected::dropped ? MemoryRange{"rejected", args.rejected, first_copy} : MemoryRange{};
    const bool         divides   = desc.rejected == Rejected::divided;
    const MemoryRange  above     = divides ? MemoryRange{"above", args.above, first_copy} : MemoryRange{};
    const bool         segmented = desc.segments != SegmentLayout::none;
    const VkDeviceSize segments  = segmented ? sure_segments(args.segments) : 0;
    const MemoryRange  kept{"kept", args.kept, (segments + (divides ? 2 : 1)) * 4};
    MemoryRange        offsets     = offsets_range(desc.segments, args.segments, segments);
    offsets.alignment              = 4;
    const MemoryRange scratch      = scratch_range(args.scratch, scratch_size(args));
    const MemoryRange count        = count_range(args.count_address);
    const MemoryRange gpu_segments = segments_range(args.segments);
    Checks            checks("compact");
    check_segment_args(checks, plan_->lookback.device(), desc, args);
    checks.memory({keys, elements, output, indices, rejected, above, kept, offsets, scratch, count, gpu_segments});
    checks.apart(output, {keys, elements, offsets, count, gpu_segments});
    checks.apart(indices, {keys, elements, output, offsets, count, gpu_segments});
    checks.apart(rejected, {keys, elements, output, indices, offsets, count, gpu_segments});
    checks.apart(above, {keys, elements, output, indices, rejected, offsets, count, gpu_segments});
    checks.apart(kept, {keys, elements, output, indices, rejected, above, offsets, count, gpu_segments});
    checks.apart(scratch, {keys, elements, output, indices, rejected, above, kept, offsets, count, gpu_segments});
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
    const Lookback& lookback = plan_->lookback;
    for (const LookbackStep& step : lookback.steps(std::max(args.count, 1u), has_vectors(desc, args), args.part)) {
        const CompactOwnPush push = push_of(desc, args, step.share.first);
        lookback.record(commands, step, &push, args.indirect);
    }
}

} // namespace vkprim
