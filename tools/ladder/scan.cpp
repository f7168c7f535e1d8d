// Inclusive sums of floats. They are zeros and ones, so that every order of additions has the same bits.
#include <vkprim/scan.h>

#include "harness/elements.h"
#include "ladder.h"

#include <cstring>

namespace vkprim::tools::ladder {

namespace {

constexpr uint32_t one_in = 8; ///< elements that are ones

/// A tree of sums: how many a level has, and where they lie.
struct Levels {
    struct Level {
        uint32_t count;
        uint64_t word;
    };
    std::vector<Level> sums;
    uint64_t           words = 0;

    Levels(uint32_t count, uint32_t tile) {
        do {
            count = (count - 1) / tile + 1;
            sums.push_back({count, words});
            words += (count + uint64_t{3}) / 4 * 4;
        } while (count > 1);
    }
};

/// How a scan is put together. The rest is null where it is not part of it.
struct Recipe {
    Kernel        block; ///< scans each workgroup's elements
    const Kernel *join = nullptr, *reduce = nullptr;
};

/// Scans the sums of level `level` in place.
void scan_sums(Chain& chain, const Kernel& block, const Kernel& join, uint32_t tile_width, const Levels& levels,
               size_t level) {
    LadderPush push{};
    push.source = push.target = chain.scratch(levels.sums[level].word);
    push.sums                 = chain.scratch(levels.sums[level + 1].word);
    push.count                = levels.sums[level].count;
    push.width                = tile_width;
    const uint32_t workgroups = levels.sums[level + 1].count;
    chain.add(block, push, workgroups);
    if (workgroups == 1) return;
    scan_sums(chain, block, join, tile_width, levels, level + 1);
    chain.add(join, push, workgroups);
}

Result<harness::Workload> prepare_joined(const runtime::Device& device, const Kernel& block, const Kernel& join,
                                         uint32_t workgroup_size, const Problem& problem) {
    const auto   width = static_cast<uint32_t>(block.number("elements", workgroup_size, 1));
    const Levels levels(problem.count, workgroup_size * width);
    Chain        chain(device, problem, workgroup_size, levels.words);
    LadderPush   push{};
    push.source = chain.source();
    push.target = chain.target();
    push.sums   = chain.scratch(0);
    push.count  = problem.count;
    push.width  = width;
    chain.add(block, push, levels.sums[0].count);
    if (levels.sums[0].count > 1) {
        scan_sums(chain, block, join, width, levels, 0);
        push.source = push.target;
        chain.add(join, push, levels.sums[0].count);
    }
    return chain.finish();
}

Result<harness::Workload> prepare_reduced(const runtime::Device& device, const Kernel& reduce, const Kernel& scan,
                                          uint32_t workgroup_size, const Problem& problem) {
    const auto   width = static_cast<uint32_t>(scan.number("elements", workgroup_size, 1));
    const Levels levels(problem.count, workgroup_size * width);
    Chain        chain(device, problem, workgroup_size, levels.words);
    // Down to one workgroup, and up again.
    const auto push_of = [&](size_t level) {
        LadderPush push{};
        push.source = level == 0 ? chain.source() : chain.scratch(levels.sums[level - 1].word);
        push.target = level == 0 ? chain.target() : push.source;
        push.sums   = chain.scratch(levels.sums[level].word);
        push.count  = level == 0 ? problem.count : levels.sums[level - 1].count;
        return push;
    };
    const size_t last = levels.sums.size() - 1;
    for (size_t level = 0; level < last; ++level) chain.add(reduce, push_of(level), levels.sums[level].count);
    for (size_t level = last + 1; level-- > 0;) chain.add(scan, push_of(level), levels.sums[level].count);
    return chain.finish();
}

Result<harness::Workload> prepare_whole(const runtime::Device& device, const Kernel& whole, uint32_t workgroup_size,
                                        const Problem& problem) {
    const auto     width = static_cast<uint32_t>(whole.number("elements", workgroup_size, 1));
    const uint32_t tiles = (problem.count - 1) / (workgroup_size * width) + 1;
    Chain          chain(device, problem, workgroup_size, 1 + 3 * uint64_t{tiles});
    LadderPush     push{};
    push.source = chain.source();
    push.target = chain.target();
    push.sums   = chain.scratch(0);
    push.count  = problem.count;
    chain.clear(push.sums, 1 + tiles);
    chain.add(whole, push, tiles);
    return chain.finish();
}

std::vector<Step> steps(const runtime::Device& device, uint32_t workgroup_size) {
    std::vector<Step>         steps;
    const std::vector<Kernel> joins = kernels_of("scan", "join");
    for (const Kernel& block : kernels_of("scan", "block")) {
        for (const Kernel& join : joins) {
            Step step = step_of(device, block, workgroup_size);
            step.name += ", " + join.step;
            step.idea += " " + join.idea;
            step.lesser  = join.step != joins.back().step;
            step.prepare = [&device, block, join, workgroup_size](const Problem& problem) {
                return prepare_joined(device, block, join, workgroup_size, problem);
            };
            steps.push_back(step);
        }
    }
    const std::vector<Kernel> reduces = kernels_of("scan", "reduce"), scans = kernels_of("scan", "scan");
    for (size_t i = 0; i < reduces.size(); ++i) {
        steps.push_back(step_of(device, scans[i], workgroup_size));
        steps.back().prepare = [&device, reduce = reduces[i], scan = scans[i], workgroup_size](const Problem& problem) {
            return prepare_reduced(device, reduce, scan, workgroup_size, problem);
        };
    }
    for (const Kernel& whole : kernels_of("scan", "whole")) {
        steps.push_back(step_of(device, whole, workgroup_size));
        steps.back().prepare = [&device, whole, workgroup_size](const Problem& problem) {
            return prepare_whole(device, whole, workgroup_size, problem);
        };
    }
    steps.push_back(own_step<Scan>(
        device, "vkprim's Scan",
        "Look-back in which any workgroup may help, over large tiles in registers, with an order of sums that never "
        "changes.",
        {ElementType::f32, Operation::add, Scan::Kind::inclusive}, harness::args_of<Scan>));
    return steps;
}

std::vector<Problem> problems(const Choice& choice) {
    const uint32_t count = choice.count;
    Problem        problem;
    problem.data   = "f32";
    problem.format = harness::Format::f32;
    problem.count  = count;
    problem.bytes  = uint64_t{count} * 8;
    harness::Bytes input(uint64_t{count} * 4);
    problem.expected.resize(input.size());
    harness::Random random(count);
    float           sum = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const float element = random.below(one_in) == 0 ? 1.0f : 0.0f;
        sum += element;
        std::memcpy(&input[uint64_t{i} * 4], &element, 4);
        std::memcpy(&problem.expected[uint64_t{i} * 4], &sum, 4);
    }
    problem.input = std::make_shared<const harness::Bytes>(std::move(input));
    problem.steps = steps;
    return {problem};
}

} // namespace

// Sums of more ones than 2^24 would be rounded.
Ladder scan_ladder() { return {"scan", "inclusive sums of floats", 100000000, problems}; }

} // namespace vkprim::tools::ladder
