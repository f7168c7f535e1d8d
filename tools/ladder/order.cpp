// What it costs to order dispatches, in several ways. Two independent chains: each link reads what the link before it in its chain has
// written.
#include <algorithm>

#include "entry_point.h"
#include "harness/elements.h"
#include "ladder.h"

namespace vkprim::tools::ladder {

namespace {

constexpr uint32_t links         = 50;  ///< of a chain
constexpr uint32_t distance      = 257; ///< of neighbours, which other workgroups write
constexpr uint32_t counter_words = (links + 3) / 4 * 4;

/// For link `number` of a chain, or of both. Each has memory of its own.
LadderPush push_of(const Chain& chain, const Problem& problem, uint32_t number) {
    const auto memory = [&](uint32_t link) { return chain.scratch(uint64_t{link} * problem.count); };
    LadderPush push{};
    push.source   = number == 0 ? chain.source() : memory(number - 1);
    push.target   = number == links - 1 ? chain.target() : memory(number);
    push.count    = problem.count;
    push.width    = problem.count / 2;
    push.distance = distance;
    push.links    = 1;
    return push;
}

/// Both chains by turns: links 0 and 0, 1 and 1, and so on.
Result<harness::Workload> prepare_turns(const runtime::Device& device, const Kernel& link, uint32_t workgroup_size,
                                        const Problem& problem, const Order& order) {
    Chain chain(device, problem, workgroup_size, uint64_t{links} * problem.count);
    for (uint32_t number = 0; number < 2 * links; ++number) {
        LadderPush push = push_of(chain, problem, number / 2);
        push.first      = number % 2 == 0 ? 0 : push.width;
        push.threads    = number % 2 == 0 ? push.width : push.count - push.width;
        chain.add(link, push, chain.workgroups_for(push.threads));
    }
    return chain.finish(order);
}

/// Both chains in the same dispatches.
Result<harness::Workload> prepare_joined(const runtime::Device& device, const Kernel& link, uint32_t workgroup_size,
                                         const Problem& problem) {
    Chain chain(device, problem, workgroup_size, uint64_t{links} * problem.count);
    for (uint32_t number = 0; number < links; ++number) {
        LadderPush push = push_of(chain, problem, number);
        push.threads    = push.count;
        chain.add(link, push, chain.workgroups_for(push.threads));
    }
    return chain.finish();
}

Result<harness::Workload> prepare_counter(const runtime::Device& device, const Kernel& kernel, uint32_t workgroup_size,
                                          const Problem& problem) {
    Chain          chain(device, problem, workgroup_size, counter_words + uint64_t{links} * problem.count);
    const uint32_t workgroups = chain.workgroups_for(problem.count);
    LadderPush     push       = push_of(chain, problem, 0);
    push.target               = chain.target();
    push.sums                 = chain.scratch(0);
    push.mask                 = chain.scratch(counter_words);
    push.rows                 = workgroups;
    push.links                = links;
    chain.clear(push.sums, links);
    chain.add(kernel, push, workgroups * links);
    return chain.finish();
}

/// A barrier between everything.
std::function<void(VkCommandBuffer)> barrier_of_all_stages(const Context& context) {
    const auto barrier = entry_point<PFN_vkCmdPipelineBarrier>(context, "vkCmdPipelineBarrier");
    return [barrier](VkCommandBuffer commands) {
        VkMemoryBarrier memory{};
        memory.sType         = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
        memory.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
        memory.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
        barrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &memory, 0,
                nullptr, 0, nullptr);
    };
}

Order all_stages(const Context& context) {
    return [barrier = barrier_of_all_stages(context)](VkCommandBuffer commands, const Links& all) {
        for (size_t number = 0; number < all.count(); ++number) {
            if (number > 0) barrier(commands);
            all.dispatch(commands, number);
        }
    };
}

/// No barrier within a pair of links, one of each chain.
void record_pairs(VkCommandBuffer commands, const Links& all) {
    for (size_t number = 0; number < all.count(); ++number) {
        if (number > 0 && number % 2 == 0) all.barrier(commands);
        all.dispatch(commands, number);
    }
}

/// An event for each link.
class Events {
public:
    explicit Events(const Context& context) : context_(context) {
        const VkEventCreateInfo info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO, nullptr, 0};
        for (VkEvent& event : events_) {
            code = entry_point<PFN_vkCreateEvent>(context, "vkCreateEvent")(context.device, &info, nullptr, &event);
            if (code != VK_SUCCESS) return;
        }
    }
    Events(const Events&)            = delete;
    Events& operator=(const Events&) = delete;
    ~Events() {
        const auto destroy = entry_point<PFN_vkDestroyEvent>(context_, "vkDestroyEvent");
        for (const VkEvent event : events_) destroy(context_.device, event, nullptr);
    }

    VkResult code = VK_SUCCESS;

    /// Each link waits for the one `ahead` links before it.
    void record(VkCommandBuffer commands, const Links& all, size_t ahead) const {
        constexpr VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
        VkMemoryBarrier                memory{};
        memory.sType         = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
        memory.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
        memory.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
        for (size_t number = 0; number < all.count(); ++number) {
            if (number >= ahead) {
                wait_(commands, 1, &events_[number - ahead], stage, stage, 1, &memory, 0, nullptr, 0, nullptr);
            }
            all.dispatch(commands, number);
            set_(commands, events_[number], stage);
        }
        // So that they can be set once more: behind all that waits for them, and ahead of what sets them.
        barrier_(commands);
        for (size_t number = 0; number < all.count(); ++number) reset_(commands, events_[number], stage);
        barrier_(commands);
    }

private:
    const Context&      context_;
    VkEvent             events_[2 * links]{};
    PFN_vkCmdSetEvent   set_   = entry_point<PFN_vkCmdSetEvent>(context_, "vkCmdSetEvent");
    PFN_vkCmdResetEvent reset_ = entry_point<PFN_vkCmdResetEvent>(context_, "vkCmdResetEvent");
    PFN_vkCmdWaitEvents wait_  = entry_point<PFN_vkCmdWaitEvents>(context_, "vkCmdWaitEvents");

    std::function<void(VkCommandBuffer)> barrier_ = barrier_of_all_stages(context_);
};

/// Secondary command buffers, recorded when they are first wanted: each has a link and a barrier.
class Secondary {
public:
    Secondary(const Context& context, uint32_t queue_family) : context_(context) {
        const VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, 0, queue_family};
        code = entry_point<PFN_vkCreateCommandPool>(context, "vkCreateCommandPool")(context.device, &info, nullptr,
                                                                                    &pool_);
        if (code != VK_SUCCESS) return;
        VkCommandBufferAllocateInfo buffers{};
        buffers.sType              = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
        buffers.commandPool        = pool_;
        buffers.level              = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
        buffers.commandBufferCount = 2 * links;
        code = entry_point<PFN_vkAllocateCommandBuffers>(context, "vkAllocateCommandBuffers")(context.device, &buffers,
                                                                                              buffers_);
    }
    Secondary(const Secondary&)            = delete;
    Secondary& operator=(const Secondary&) = delete;
    ~Secondary() {
        entry_point<PFN_vkDestroyCommandPool>(context_, "vkDestroyCommandPool")(context_.device, pool_, nullptr);
    }

    VkResult code = VK_SUCCESS;

    void record(VkCommandBuffer commands, const Links& all) {
        if (!recorded_) record_all(all);
        recorded_ = true;
        execute_(commands, 2 * links, buffers_);
    }

private:
    void record_all(const Links& all) const {
        VkCommandBufferInheritanceInfo inherited{};
        inherited.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO;
        const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                            VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, &inherited};
        for (size_t number = 0; number < all.count(); ++number) {
            begin_(buffers_[number], &info);
            all.dispatch(buffers_[number], number);
            all.barrier(buffers_[number]);
            end_(buffers_[number]);
        }
    }

    const Context&           context_;
    VkCommandPool            pool_ = VK_NULL_HANDLE;
    VkCommandBuffer          buffers_[2 * links]{};
    bool                     recorded_ = false;
    PFN_vkBeginCommandBuffer begin_    = entry_point<PFN_vkBeginCommandBuffer>(context_, "vkBeginCommandBuffer");
    PFN_vkEndCommandBuffer   end_      = entry_point<PFN_vkEndCommandBuffer>(context_, "vkEndCommandBuffer");
    PFN_vkCmdExecuteCommands execute_  = entry_point<PFN_vkCmdExecuteCommands>(context_, "vkCmdExecuteCommands");
};

std::vector<Step> steps(const runtime::Device& device, uint32_t workgroup_size) {
    std::vector<Step> steps;
    const Kernel      link = kernels_of("order", "link")[0], counter = kernels_of("order", "counter")[0];
    const Context&    context = device.context();
    const auto        add     = [&](const char* name, const char* idea, const decltype(Step::prepare)& prepare) {
        steps.push_back(step_of(device, link, workgroup_size));
        if (name) steps.back().name = name;
        if (idea) steps.back().idea = idea;
        steps.back().prepare = prepare;
    };
    const auto turns = [&device, link, workgroup_size](const Order& order) {
        return [=, &device](const Problem& problem) {
            return prepare_turns(device, link, workgroup_size, problem, order);
        };
    };
    const auto with_events = [&context, turns](size_t ahead) {
        return [=, &context](const Problem& problem) -> Result<harness::Workload> {
            const auto events = std::make_shared<Events>(context);
            if (events->code != VK_SUCCESS) return Error{events->code, "vkCreateEvent failed"};
            return turns([events, ahead](VkCommandBuffer commands, const Links& all) {
                events->record(commands, all, ahead);
            })(problem);
        };
    };
    add(nullptr, nullptr, turns(record_in_order));
    add("a barrier of all stages", "Between everything and everything.", turns(all_stages(context)));
    add("an event after each dispatch", "Set by one dispatch, and the next one waits for it.", with_events(1));
    add("secondary command buffers", "Each has one dispatch and one barrier, and was recorded before.",
        [&device, &context, turns](const Problem& problem) -> Result<harness::Workload> {
            const auto secondary = std::make_shared<Secondary>(context, device.queue_family());
            if (secondary->code != VK_SUCCESS) return Error{secondary->code, "no secondary command buffers"};
            return turns([secondary](VkCommandBuffer commands, const Links& all) { secondary->record(commands, all); })(
                problem);
        });
    add("events, two chains by turns", "A dispatch waits for the last but one: the other chain's runs meanwhile.",
        with_events(2));
    add("two dispatches between barriers", "One of each chain, which do not depend on each other.",
        turns(record_pairs));
    add("both chains in each dispatch", "Half as many dispatches, with a barrier after each.",
        [&device, link, workgroup_size](const Problem& problem) {
            return prepare_joined(device, link, workgroup_size, problem);
        });
    steps.push_back(step_of(device, counter, workgroup_size));
    steps.back().prepare = [&device, counter, workgroup_size](const Problem& problem) {
        return prepare_counter(device, counter, workgroup_size, problem);
    };
    return steps;
}

std::vector<Problem> problems(const Choice& choice) {
    std::vector<Problem> problems;
    for (uint32_t most : {1u << 12, 1u << 16}) {
        const uint32_t count = std::min(choice.count, most);
        if (!problems.empty() && problems.back().count == count) continue;
        Problem problem;
        problem.data  = "u32";
        problem.count = count;
        problem.bytes = uint64_t{links} * count * 8;
        std::vector<uint32_t> input(count), expected(count);
        harness::Random       random(count);
        for (uint32_t& element : input) element = random.below(1u << 30);
        const uint32_t half = count / 2;
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t begin = i < half ? 0 : half, size = i < half ? half : count - half;
            expected[i] = input[begin + (i - begin + links * distance) % size] + links;
        }
        problem.input    = std::make_shared<const harness::Bytes>(harness::bytes_of(input));
        problem.expected = harness::bytes_of(expected);
        problem.steps    = steps;
        problems.push_back(std::move(problem));
    }
    return problems;
}

} // namespace

Ladder order_ladder() { return {"order", "two chains of 50 dispatches each", UINT32_MAX, problems}; }

} // namespace vkprim::tools::ladder
