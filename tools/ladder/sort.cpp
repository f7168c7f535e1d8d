// Sorts of random words, alone.
#include <vkprim/sort.h>

#include "harness/elements.h"
#include "ladder.h"

#include <algorithm>

namespace vkprim::tools::ladder {

namespace {

/// The first power of two that is no less, 2 at least.
uint32_t power_from(uint32_t count) {
    uint32_t power = 2;
    while (power < count) power *= 2;
    return power;
}

/// Appends rounds, each of which exchanges keys that lie apart.
struct Exchanges {
    Chain&        chain;
    const Kernel& kernel;
    LadderPush    push{};

    Exchanges(Chain& chain_, const Kernel& kernel_, uint32_t count) : chain(chain_), kernel(kernel_) {
        push.source = chain.source();
        push.target = chain.target();
        push.count  = count;
    }
    void add(const Kernel& what, uint32_t workgroups) {
        chain.add(what, push, workgroups);
        push.source = push.target;
    }
    /// Merges blocks of half the width into blocks of `width`, up to keys that lie `least` apart.
    void merge(uint32_t width, uint32_t least) {
        const uint32_t workgroups = chain.workgroups_for(power_from(push.count) / 2);
        push.width                = width;
        push.distance             = 0;
        add(kernel, workgroups);
        for (push.distance = width / 4; push.distance >= least; push.distance /= 2) add(kernel, workgroups);
    }
};

Result<harness::Workload> prepare_bitonic(const runtime::Device& device, const Kernel& exchange,
                                          uint32_t workgroup_size, const Problem& problem) {
    Chain     chain(device, problem, workgroup_size, 0);
    Exchanges rounds(chain, exchange, problem.count);
    for (uint32_t width = 2; width <= power_from(problem.count); width *= 2) rounds.merge(width, 1);
    return chain.finish();
}

Result<harness::Workload> prepare_blocks(const runtime::Device& device, const Kernel& exchange, const Kernel& block,
                                         const Kernel& finish, uint32_t workgroup_size, const Problem& problem) {
    Chain          chain(device, problem, workgroup_size, 0);
    const uint32_t keys = 2 * workgroup_size, blocks = (problem.count - 1) / keys + 1;
    Exchanges      rounds(chain, exchange, problem.count);
    rounds.add(block, blocks);
    for (uint32_t width = 2 * keys; width <= power_from(problem.count); width *= 2) {
        rounds.merge(width, keys);
        rounds.add(finish, blocks);
    }
    return chain.finish();
}

Result<harness::Workload> prepare_radix(const runtime::Device& device, const Kernel& count, const Kernel& sum,
                                        const Kernel& move, uint32_t workgroup_size, const Problem& problem) {
    const auto     bits       = static_cast<uint32_t>(move.number("bits", workgroup_size, 1));
    const uint32_t workgroups = (problem.count - 1) / workgroup_size + 1;
    Chain          chain(device, problem, workgroup_size, problem.count + ((uint64_t{workgroups} + 1) << bits));
    LadderPush     push{};
    push.source = chain.source();
    push.target = chain.scratch(0);
    push.sums   = chain.scratch(problem.count);
    push.count  = problem.count;
    push.width  = workgroups;
    // There and back again: an even number of passes.
    for (push.shift = 0; push.shift < 32; push.shift += bits) {
        chain.add(count, push, workgroups);
        chain.add(sum, push, 1u << bits);
        chain.add(move, push, workgroups);
        push.source = push.target;
        push.target = push.source == chain.target() ? chain.scratch(0) : chain.target();
    }
    return chain.finish();
}

std::vector<Step> steps(const runtime::Device& device, uint32_t workgroup_size) {
    std::vector<Step> steps;
    const auto        only = [](const std::string& role) { return kernels_of("sort", role).at(0); };
    const auto        add  = [&](const Kernel& kernel, auto prepare) {
        steps.push_back(step_of(device, kernel, workgroup_size));
        steps.back().prepare = prepare;
    };
    const Kernel exchange = only("exchange"), block = only("block"), finish = only("finish");
    add(exchange,
        [=, &device](const Problem& problem) { return prepare_bitonic(device, exchange, workgroup_size, problem); });
    add(block, [=, &device](const Problem& problem) {
        return prepare_blocks(device, exchange, block, finish, workgroup_size, problem);
    });
    for (const std::string digits : {"bit", "digit"}) {
        const Kernel count = only(digits + "_count"), sum = only(digits + "_sum"), move = only(digits + "_move");
        add(move, [=, &device](const Problem& problem) {
            return prepare_radix(device, count, sum, move, workgroup_size, problem);
        });
    }
    steps.push_back(own_step<Sort>(
        device, "vkprim's Sort",
        "Eight bits at a time, of large tiles in registers: subgroups vote on which keys have the same digit.",
        {ElementType::u32}, [](const harness::Operands& operands) {
            Sort::Args args;
            args.keys          = operands.input;
            args.output_keys   = operands.output;
            args.temporary     = operands.temporary;
            args.count         = operands.count;
            args.count_address = operands.count_address;
            return args;
        }));
    return steps;
}

std::vector<Problem> problems(const Choice& choice) {
    Problem problem;
    problem.data  = "u32";
    problem.count = choice.count;
    problem.bytes = uint64_t{choice.count} * 8;
    std::vector<uint32_t> keys(choice.count);
    harness::Random       random(choice.count);
    for (uint32_t& key : keys) key = static_cast<uint32_t>(random.next() >> 32);
    problem.input = std::make_shared<const harness::Bytes>(harness::bytes_of(keys));
    std::sort(keys.begin(), keys.end());
    problem.expected = harness::bytes_of(keys);
    problem.steps    = steps;
    return {problem};
}

} // namespace

Ladder sort_ladder() { return {"sort", "words in ascending order", 1u << 28, problems}; }

} // namespace vkprim::tools::ladder
