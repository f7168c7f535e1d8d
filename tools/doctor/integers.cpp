#include <fmt/format.h>

#include <algorithm>

#include "judge.h"
#include "shaders/doctor.h"

namespace vkprim::tools::doctor {

namespace {

constexpr const char* arithmetic_names[] = {
    "umulExtended, high",           "umulExtended, low", "uaddCarry", "uaddCarry, carry", "<<", ">>",
    ">> of an integer with a sign", "bitfieldExtract"};

PipelineDesc desc_of(Shader shader, const char* name) {
    PipelineDesc desc;
    desc.shader    = shader;
    desc.name      = name;
    desc.push_size = sizeof(DoctorPush);
    return desc;
}

Finding probe_arithmetic(Lab& lab) {
    const PipelineDesc desc     = desc_of(shaders::integer_arithmetic_any, "integer arithmetic");
    const Pipeline     pipeline = lab.prepare(desc);
    const IntegerCases cases    = integer_cases();
    Experiment         experiment;
    for (const auto& one : cases) experiment.memory.insert(experiment.memory.end(), one.begin(), one.end());
    experiment.count        = static_cast<uint32_t>(cases.size());
    experiment.workgroups   = experiment.count / desc.workgroup_size;
    experiment.result_words = INTEGER_RESULTS * experiment.count;
    return judge_integers(cases, lab.run(pipeline, experiment).results);
}

Finding probe_int64_atomics(Lab& lab) {
    if (!lab.core().has_word64()) return skip("shaderInt64 or shaderBufferInt64Atomics is missing");
    const PipelineDesc desc     = desc_of(shaders::int64_atomics_any, "64-bit atomics");
    const Pipeline     pipeline = lab.prepare(desc);
    Experiment         experiment;
    experiment.workgroups   = 64;
    experiment.memory_words = 2;
    experiment.result_words = 2 * experiment.workgroups * desc.workgroup_size;
    experiment.salt         = 0x12345679; // many times over, it wraps
    return judge_int64_atomics(experiment.salt, lab.run(pipeline, experiment).results);
}

} // namespace

IntegerCases integer_cases() {
    const uint32_t edges[] = {0,       1,          2,          31,         32,         0xffff,
                              0x10000, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    IntegerCases   cases;
    for (const uint32_t a : edges) {
        for (const uint32_t b : edges) cases.push_back({a, b});
    }
    for (uint32_t i = 0; cases.size() < 4096; ++i) cases.push_back({doctor_value(i, 3), doctor_value(i, 4)});
    return cases;
}

std::array<uint32_t, INTEGER_RESULTS> integer_reference(uint32_t a, uint32_t b) {
    const uint64_t product = uint64_t{a} * b, sum = uint64_t{a} + b;
    const uint32_t shift = b % 32, sign = a >> 31 ? ~(~0u >> shift) : 0;
    return {static_cast<uint32_t>(product >> 32),
            static_cast<uint32_t>(product),
            static_cast<uint32_t>(sum),
            static_cast<uint32_t>(sum >> 32),
            a << shift,
            a >> shift,
            a >> shift | sign,
            a >> b % 4 * 8 & 255};
}

Finding judge_integers(const IntegerCases& cases, const Words& results) {
    size_t      wrong = 0;
    std::string first;
    for (size_t i = 0; i < cases.size(); ++i) {
        const auto expected = integer_reference(cases[i][0], cases[i][1]);
        for (size_t o = 0; o < INTEGER_RESULTS; ++o) {
            const size_t   place = i * INTEGER_RESULTS + o;
            const uint32_t got   = place < results.size() ? results[place] : unwritten;
            if (got == expected[o]) continue;
            if (wrong++ == 0) {
                first = fmt::format("{} of 0x{:08x} and 0x{:08x}: {}", arithmetic_names[o], cases[i][0], cases[i][1],
                                    expected_text(expected[o], got));
            }
        }
    }
    const size_t compared = cases.size() * INTEGER_RESULTS;
    Finding      finding;
    finding.numbers = {{"compared", compared}, {"wrong", wrong}};
    finding.verdict = wrong > 0 || cases.empty() ? Verdict::failed : Verdict::ok;
    finding.seen    = wrong == 0
                          ? fmt::format("{} products, sums with carry, shifts and fields as the CPU has them", compared)
                          : fmt::format("{}; {} of {} differ", first, wrong, compared);
    return finding;
}

Finding judge_int64_atomics(uint32_t high, const Words& found) {
    // In some order, each has found what those before it have added: 0, 1, 2 ... times the same.
    const size_t          count = found.size() / 2;
    std::vector<uint64_t> values;
    for (size_t i = 0; i < count; ++i) values.push_back(uint64_t{found[2 * i + 1]} << 32 | found[2 * i]);
    std::sort(values.begin(), values.end(), [](uint64_t a, uint64_t b) { return (a & 0xffffffff) < (b & 0xffffffff); });
    size_t wrong = 0;
    for (size_t i = 0; i < count; ++i) wrong += values[i] != i * ((uint64_t{high} << 32) + 1);
    Finding finding;
    finding.numbers = {{"additions", count}, {"wrong", wrong}};
    finding.verdict = wrong > 0 || count == 0 ? Verdict::failed : Verdict::ok;
    finding.seen    = wrong == 0 ? fmt::format("{} additions to one word, none lost or torn", count)
                                 : fmt::format("{} of {} additions to one word lost or torn", wrong, count);
    return finding;
}

std::vector<Probe> integer_probes() {
    return {
        {"integers", "arithmetic", "The operations behind addresses and bins.", probe_arithmetic},
        {"integers", "64-bit atomicAdd", "Arrivals and their sum in one word, as reduce has them for integers.",
         probe_int64_atomics},
    };
}

} // namespace vkprim::tools::doctor
