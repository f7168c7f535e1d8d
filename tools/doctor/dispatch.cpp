#include <fmt/format.h>

#include <algorithm>

#include "judge.h"
#include "recorder.h"
#include "shaders/doctor.h"

namespace vkprim::tools::doctor {

namespace {

constexpr uint32_t smallest_limit = 65535; ///< of workgroups in a row, that Vulkan allows a device

PipelineDesc desc_of(const Lab& lab, Shader shader, const char* name, uint32_t push_size) {
    PipelineDesc desc;
    desc.shader         = shader;
    desc.name           = name;
    desc.push_size      = push_size;
    desc.workgroup_size = lab.core().limits.subgroup_size;
    return desc;
}

/// More workgroups than fit in a row of `columns`, through the library's recorder.
Finding probe_grid(Lab& lab, uint32_t columns) {
    const uint32_t workgroups        = smallest_limit + 5;
    const Pipeline pipeline          = lab.prepare(desc_of(lab, shaders::grid_any, "grid", sizeof(DoctorPush)));
    CoreDevice     limited           = lab.core();
    limited.limits.workgroup_count_x = columns;
    lab.set_results(3 + workgroups, 0);
    DoctorPush push{};
    push.results = lab.results_address();
    push.count   = workgroups;
    lab.submit([&](VkCommandBuffer commands) { record_dispatch(commands, limited, pipeline, &push, workgroups); });
    const uint32_t rows = (workgroups - 1) / columns + 1;
    return judge_grid({workgroups, std::min(workgroups, columns), rows}, lab.results(3 + workgroups));
}

Finding probe_push_constants(Lab& lab) {
    constexpr uint32_t salt = 5;
    const Pipeline     pipeline =
        lab.prepare(desc_of(lab, shaders::push_constants_any, "push constants", sizeof(PatternPush)));
    lab.set_results(PUSH_WORDS, unwritten);
    PatternPush push{};
    push.results = lab.results_address();
    for (uint32_t i = 0; i < PUSH_WORDS; ++i) push.words[i] = doctor_value(i, salt);
    lab.submit([&](VkCommandBuffer commands) { record_dispatch(commands, lab.core(), pipeline, &push, 1); });
    return judge_push_constants(salt, lab.results(PUSH_WORDS));
}

} // namespace

Finding judge_grid(const GridTest& test, const Words& results) {
    Finding finding;
    if (results.size() != 3 + test.workgroups) return {Verdict::failed, "the answer has another size"};
    const auto once = static_cast<uint32_t>(std::count(results.begin() + 3, results.end(), 1u));
    finding.numbers = {{"workgroups", test.workgroups},
                       {"ran_once", once},
                       {"gl_num_workgroups", Json({results[0], results[1], results[2]})}};
    finding.seen    = fmt::format("{} workgroups as a grid of {} x {}", test.workgroups, test.columns, test.rows);
    if (once != test.workgroups) {
        const auto first = std::find_if(results.begin() + 3, results.end(), [](uint32_t times) { return times != 1; });
        finding.seen += fmt::format(": {} numbers did not run once; number {} ran {} times", test.workgroups - once,
                                    first - results.begin() - 3, *first);
    } else if (results[0] != test.columns || results[1] != test.rows || results[2] != 1) {
        finding.seen += fmt::format(": gl_NumWorkGroups is {} x {} x {}", results[0], results[1], results[2]);
    } else {
        finding.seen += ": each number ran once, gl_NumWorkGroups is right";
        return finding;
    }
    finding.verdict = Verdict::failed;
    return finding;
}

Finding judge_push_constants(uint32_t salt, const Words& results) {
    Finding  finding;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < PUSH_WORDS; ++i) {
        const uint32_t expected = doctor_value(i, salt), got = i < results.size() ? results[i] : unwritten;
        if (got == expected) continue;
        if (wrong++ == 0) finding.seen = fmt::format("word {}: {}", i, expected_text(expected, got));
    }
    finding.numbers = {{"words", PUSH_WORDS}, {"wrong", wrong}};
    finding.verdict = wrong > 0 ? Verdict::failed : Verdict::ok;
    if (wrong == 0) finding.seen = fmt::format("all {} bytes arrived", sizeof(PatternPush));
    return finding;
}

std::vector<Probe> dispatch_probes() {
    return {
        {"dispatch", "grid in one row", "Workgroups in a row, where the device takes that many; else as below.",
         [](Lab& lab) {
             const uint32_t most = lab.core().limits.workgroup_count_x;
             return most > smallest_limit + 5 ? probe_grid(lab, most)
                                              : skip(fmt::format("a row ends at {} workgroups", most));
         }},
        {"dispatch", "grid in two rows", "Grids beyond one row, as they are recorded for devices with rows of 65535.",
         [](Lab& lab) { return probe_grid(lab, smallest_limit); }},
        {"dispatch", "push constants", "128 bytes, as many as every device takes.", probe_push_constants},
    };
}

} // namespace vkprim::tools::doctor
