// Counts of bytes; of the letters of a text, four to a bin (Hwu, Kirk, El Hajj 2022, 9.1); and of words over a million bins.
#include <vkprim/histogram.h>

#include "harness/elements.h"
#include "harness/references.h"
#include "ladder.h"

namespace vkprim::tools::ladder {

namespace {

/// A histogram, and how its shaders call it.
struct Kind {
    std::string     data, role;
    Histogram::Desc desc;
    bool            is_text = false;
};

constexpr uint32_t most_threads = 1 << 18; ///< invocations, where they are few; as many as a large GPU runs at once

const Kind kinds[] = {{"bytes, 256 bins", "pass", {SampleType::u8, 256, 0, 256}},
                      {"text, 7 bins of four letters", "pass", {SampleType::u8, 7, 'a', 'a' + 28}, true},
                      {"words, 2^20 bins", "words", {SampleType::u32, 1 << 20, 0, 4294967296.0}}};

/// Letters as often as in English (Lewand 2000), and a space after every fifth or so.
uint8_t letter(harness::Random& random) {
    constexpr uint32_t in_10000[26] = {817, 149, 278, 425, 1270, 223, 202, 609, 697, 15,  77, 402, 241,
                                       675, 751, 193, 10,  599,  633, 906, 276, 98,  236, 15, 197, 7};
    if (random.below(6) == 0) return ' ';
    uint32_t left = random.below(10000);
    for (uint32_t i = 0; i < 26; ++i) {
        if (left < in_10000[i]) return static_cast<uint8_t>('a' + i);
        left -= in_10000[i];
    }
    return 'e';
}

Result<harness::Workload> prepare(const runtime::Device& device, const Histogram::Desc& desc, const Kernel& kernel,
                                  uint32_t workgroup_size, const Problem& problem) {
    Chain      chain(device, problem, workgroup_size, 0);
    LadderPush push{};
    push.source  = chain.source();
    push.target  = chain.target();
    push.count   = problem.count;
    push.bins    = desc.bins;
    push.first   = static_cast<uint32_t>(desc.lower);
    push.width   = static_cast<uint32_t>((desc.upper - desc.lower) / desc.bins);
    push.threads = kernel.text("threads") == "few" ? std::min((problem.count + 63) / 64, most_threads) : problem.count;
    chain.clear(push.target, desc.bins);
    chain.add(kernel, push, chain.workgroups_for(push.threads));
    return chain.finish();
}

std::vector<Step> steps(const runtime::Device& device, const Kind& kind, uint32_t workgroup_size) {
    std::vector<Step> steps;
    for (const Kernel& kernel : kernels_of("histogram", kind.role)) {
        steps.push_back(step_of(device, kernel, workgroup_size));
        steps.back().prepare = [&device, desc = kind.desc, kernel, workgroup_size](const Problem& problem) {
            return prepare(device, desc, kernel, workgroup_size, problem);
        };
    }
    steps.push_back(own_step<Histogram>(
        device, "vkprim's Histogram",
        "Counters of a subgroup in shared memory, vectors of samples, and no workgroup more than the device runs at "
        "once.",
        kind.desc, [](const harness::Operands& operands) {
            return Histogram::Args{operands.input, operands.output, operands.scratch, operands.count,
                                   operands.count_address};
        }));
    return steps;
}

/// Random samples as a kind wants them: those of 32 bits are four random bytes.
harness::Bytes samples_of(const Kind& kind, uint32_t count) {
    harness::Bytes  samples(uint64_t{count} * (kind.desc.type == SampleType::u8 ? 1 : 4));
    harness::Random random(count);
    for (uint8_t& byte : samples) {
        byte = kind.is_text ? letter(random) : static_cast<uint8_t>(random.next() >> 56);
    }
    return samples;
}

/// The text in small letters, with spaces for all that is none.
harness::Bytes letters_of(harness::Bytes text) {
    for (uint8_t& byte : text) {
        if (byte >= 'A' && byte <= 'Z') byte = static_cast<uint8_t>(byte - 'A' + 'a');
        if (byte < 'a' || byte > 'z') byte = ' ';
    }
    return text;
}

std::vector<Problem> problems(const Choice& choice) {
    std::vector<Problem> problems;
    for (const Kind& kind : kinds) {
        Problem problem;
        problem.data  = kind.data;
        problem.input = std::make_shared<const harness::Bytes>(
            kind.is_text && choice.text ? letters_of(*choice.text) : samples_of(kind, choice.count));
        problem.bytes = problem.input->size();
        problem.count = kind.is_text ? static_cast<uint32_t>(problem.bytes) : choice.count;
        problem.expected =
            harness::bytes_of(harness::reference_histogram(kind.desc, problem.input->data(), problem.count));
        problem.steps = [&kind](const runtime::Device& device, uint32_t workgroup_size) {
            return steps(device, kind, workgroup_size);
        };
        problems.push_back(std::move(problem));
    }
    return problems;
}

} // namespace

Ladder histogram_ladder() { return {"histogram", "counts of samples in bins", 1u << 30, problems}; }

} // namespace vkprim::tools::ladder
