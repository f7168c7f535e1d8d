// Sums of integers. Each dispatch leaves fewer numbers, until one is left.
#include <vkprim/reduce.h>

#include "harness/elements.h"
#include "harness/references.h"
#include "ladder.h"

#include <cmath>

namespace vkprim::tools::ladder {

namespace {

/// How many numbers a dispatch leaves of `count`.
uint32_t results_of(const Kernel& kernel, uint32_t workgroup_size, uint32_t count) {
    const std::string results = kernel.text("results");
    if (results == "one") return 1;
    const auto     elements = static_cast<uint32_t>(kernel.number("elements", workgroup_size, 1));
    const uint64_t folded   = uint64_t{elements} * (results == "workgroup" ? workgroup_size : 1);
    return static_cast<uint32_t>((count + folded - 1) / folded);
}

Result<harness::Workload> prepare(const runtime::Device& device, const Kernel& kernel, uint32_t workgroup_size,
                                  const Problem& problem) {
    // The results of one dispatch and those of the next lie in two halves.
    const uint64_t half = (results_of(kernel, workgroup_size, problem.count) + uint64_t{3}) / 4 * 4;
    Chain          chain(device, problem, workgroup_size, 2 * half);
    LadderPush     push{};
    push.source           = chain.source();
    push.count            = problem.count;
    const double elements = kernel.number("elements", workgroup_size, 1);
    for (uint32_t dispatch = 0;; ++dispatch) {
        const uint32_t results = results_of(kernel, workgroup_size, push.count);
        push.target            = results == 1 ? chain.target() : chain.scratch(dispatch % 2 * half);
        if (kernel.text("cleared") == "1") chain.clear(push.target, results);
        chain.add(kernel, push, chain.workgroups_for(static_cast<uint64_t>(std::ceil(push.count / elements))));
        if (results == 1) return chain.finish();
        push.source = push.target;
        push.count  = results;
    }
}

std::vector<Step> steps(const runtime::Device& device, uint32_t workgroup_size) {
    std::vector<Step> steps;
    for (const Kernel& kernel : kernels_of("reduce", "pass")) {
        steps.push_back(step_of(device, kernel, workgroup_size));
        steps.back().prepare = [&device, kernel, workgroup_size](const Problem& problem) {
            return prepare(device, kernel, workgroup_size, problem);
        };
    }
    steps.push_back(own_step<Reduce>(device, "vkprim's Reduce",
                                     "Workgroups that stay, vectors, subgroup shuffles, and one dispatch: the last "
                                     "workgroup to arrive adds what the others "
                                     "left.",
                                     {ElementType::u32}, harness::args_of<Reduce>));
    return steps;
}

std::vector<Problem> problems(const Choice& choice) {
    const uint32_t             count = choice.count;
    const harness::ElementCase sum{ElementType::u32, Operation::add};
    Problem                    problem;
    problem.data            = "u32";
    problem.count           = count;
    problem.input           = harness::random_bytes(sum, count);
    problem.bytes           = uint64_t{count} * 4 + 4;
    const auto* const words = reinterpret_cast<const uint32_t*>(problem.input->data());
    problem.expected        = harness::bytes_of(harness::reference_reduce(sum.type, sum.operation, words, count));
    problem.steps           = steps;
    return {problem};
}

} // namespace

Ladder reduce_ladder() { return {"reduce", "the sum of integers", 1u << 30, problems}; }

} // namespace vkprim::tools::ladder
