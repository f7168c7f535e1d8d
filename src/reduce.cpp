#include <vkprim/reduce.h>

#include <vkprim/glsl/detail/scratch.h>
#include "../shaders/reduce/reduce_any_push.h"
#include "checks.h"
#include "element.h"
#include "recorder.h"
#include "shaders/reduce.h"
#include "tuning/reduce.h"

#include <algorithm>

namespace vkprim {
namespace {

/// What follows the push block for operations of your own and for strided elements.
struct ReduceOwnPush {
    ReducePush            reduce;
    vkprim_ParametersPush own;
};

/// Of Order::any.
Result<ElementPlan> plan_any_order(const Reduce::Desc& desc) {
    const bool is_float = desc.type == ElementType::f32 || desc.type == ElementType::f64;
    if (is_float && desc.operation == Operation::add && !desc.own && !desc.strided && !desc.wide)
        return plan_elements(desc.type, desc.operation);
    return Error{
        ErrorKind::invalid_desc,
        "Order::any is for sums of f32 and f64, without Desc::own, Desc::strided and Desc::wide: use Order::fixed"};
}

Shader any_order_shader(const CoreDevice& device, ElementType type) {
    if (type == ElementType::f32) return shaders::reduce_any_f32;
    return device.features.shader_float64 ? shaders::reduce_any_f64_doubles : shaders::reduce_any_f64;
}

} // namespace

/// How elements are divided into tiles.
struct ReduceTiles {
    uint32_t width; ///< of an invocation's vectors, in elements
    uint32_t most;  ///< that there are before tiles grow beyond 16 rows

    uint32_t of(uint32_t count) const {
        return count == 0 ? 1 : ((count - 1) >> reduce_any_log2_tile(count, width, most)) + 1;
    }

    /// The most tiles of any count up to `bound`: a smaller count may have more, since tiles grow with the count.
    uint32_t of_up_to(uint32_t bound) const {
        const auto limited = [=](uint32_t log2_tile, uint32_t limit) {
            return bound == 0 ? 1 : std::min(((bound - 1) >> log2_tile) + 1, limit);
        };
        const uint32_t log2_columns = reduce_log2_tile(1, width);
        const uint32_t small        = limited(log2_columns, REDUCE_SMALL_TILES);
        const uint32_t large        = limited(log2_columns + REDUCE_LOG2_ROWS, most);
        return std::max({of(bound), small, large});
    }
};

struct Reduce::Plan {
    CoreDevice  device;
    Desc        desc;
    ElementPlan elements;
    ReduceTiles tiles;
    Pipeline    aligned;   ///< for addresses that are multiples of 16, or all, where elements are loaded one by one
    Pipeline    unaligned; ///< for the others, unless desc.aligned; or for all, without the first

    bool only_aligned() const { return desc.aligned || elements.by_element(); }

    const Pipeline& pipeline(const Args& args) const {
        return only_aligned() || (aligned.handle() && is_aligned(args.input, 16)) ? aligned : unaligned;
    }

    Share share(const Args& args) const {
        const uint32_t all = args.count_address ? tiles.of_up_to(args.count) : tiles.of(args.count);
        return share_of_workgroups(all, args.part, device);
    }
};

Result<Reduce> Reduce::create(const Context& context, const Desc& desc) {
    auto device = CoreDevice::create(context);
    if (!device) return device.error();
    const Shader own = desc.own ? own_shader(desc.own->reduce[device->variant()]) : Shader{};
    if (desc.order > Order::any) return Error{ErrorKind::invalid_desc, "Desc::order is not an Order"};
    const bool any      = desc.order == Order::any;
    const auto elements = any ? plan_any_order(desc) : plan_of(*device, desc, own, "reduce", desc.wide);
    if (!elements) return elements.error();
    const auto tuning = tune_reduce(device->limits, context.profile);
    if (!tuning) return tuning.error();

    PipelineDesc pipeline_desc   = element_pipeline(*elements, shaders::reduce_elements, own);
    pipeline_desc.push_size      = desc.own || desc.strided ? sizeof(ReduceOwnPush) : sizeof(ReducePush);
    pipeline_desc.workgroup_size = REDUCE_WORKGROUP_SIZE;
    if (any) {
        pipeline_desc.shader    = any_order_shader(*device, desc.type);
        pipeline_desc.operation = static_cast<uint32_t>(Operation::add); // of integers
    }

    const bool     loads_wide = !elements->loads && elements->register_words > 2;
    const uint32_t batch = loads_wide ? std::min(tuning->loaded_batch, 64 / elements->register_words) : tuning->batch;

    const uint32_t most   = any ? tuning->any_tiles : reduce_most_tiles(elements->vector_width);
    const uint32_t levels = std::min(tuning->any_levels, desc.type == ElementType::f64 ? 2u : 3u);

    std::unique_ptr<Plan> plan(new Plan{*device, desc, *elements, {elements->vector_width, most}, {}, {}});
    plan->desc.own = nullptr;
    PipelineList pipelines;
    for (Pipeline* variant : {&plan->aligned, &plan->unaligned}) {
        const bool aligned = variant == &plan->aligned;
        if (aligned ? !plan->only_aligned() && tuning->aligned == 0 : plan->only_aligned()) continue;
        pipeline_desc.name = aligned ? "reduce, aligned" : "reduce, unaligned";
        pipeline_desc.shader_constants =
            any ? by_id({{REDUCE_ALIGNED_ID, aligned},
                         {REDUCE_BATCH_ID, tuning->any_batch},
                         {REDUCE_ANY_SLICES_ID, levels},
                         {REDUCE_ANY_TILES_ID, most}})
                : by_id({{REDUCE_ALIGNED_ID, aligned}, {REDUCE_BATCH_ID, batch}, {REDUCE_ORDERED_ID, tuning->ordered}});
        pipelines.add(*variant, pipeline_desc);
    }
    if (auto made = pipelines.create(*device); !made) return made.error();
    return Reduce(std::move(plan));
}

VkDeviceSize Reduce::scratch_size(const Args& args) const {
    if (plan_->desc.order == Order::any) {
        return vkprim_scratch_bytes(
            1 + (plan_->desc.type == ElementType::f32 ? REDUCE_ANY_DIGITS_F32 : REDUCE_ANY_DIGITS_F64));
    }
    return vkprim_scratch_bytes(vkprim_fold_elements(plan_->tiles.of_up_to(args.count)) * plan_->elements.slots());
}

Grid Reduce::grid(const Args& args) const {
    return {REDUCE_WORKGROUP_SIZE * plan_->elements.vector_width, 1, plan_->tiles.of_up_to(args.count)};
}

Result<void> Reduce::validate(const Args& args) const {
    const ElementPlan& elements = plan_->elements;
    const MemoryRange  input{"input", args.input, elements.input_range(sure_count(args), args.stride),
                            plan_->desc.aligned ? 16u : elements.input_align};
    const MemoryRange  output{"output", args.output, elements.stores ? elements.result_size : 0, elements.output_align};
    const MemoryRange  scratch = scratch_range(args.scratch, scratch_size(args));
    const MemoryRange  count   = count_range(args.count_address);
    Checks             checks("reduce");
    checks.stride(args.stride, elements.strided);
    checks.memory({input, output, scratch, count});
    checks.apart(output, {input, count});
    checks.apart(scratch, {input, output, count});
    checks.part(args.part);
    checks.indirect(args);
    if (auto wrong = checks.result(); !wrong) return wrong;
    checks.grid(args.count, plan_->share(args), plan_->device);
    return checks.result();
}

void Reduce::record(VkCommandBuffer commands, const Args& args) const {
    assert_valid(*this, args);

    const Share         tiles = plan_->share(args);
    const ReduceOwnPush push{{args.input, args.output, args.scratch, pushed_count(args.count_address, args.scratch),
                              args.count, tiles.first},
                             last_push(plan_->elements, args)};
    const Pipeline&     pipeline = plan_->pipeline(args);
    record_dispatch(commands, plan_->device, pipeline, &push, tiles.count, args.indirect);
}

} // namespace vkprim
