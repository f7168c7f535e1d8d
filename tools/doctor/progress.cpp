#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "judge.h"
#include "shaders/doctor.h"

namespace vkprim::tools::doctor {

namespace {

constexpr uint32_t hand_over_rounds = 64;

/// A workgroup is one subgroup, so that many run at once.
PipelineDesc desc_of(const Lab& lab, Shader shader, const char* name) {
    PipelineDesc desc;
    desc.shader           = shader;
    desc.name             = name;
    desc.push_size        = sizeof(DoctorPush);
    desc.workgroup_size   = lab.core().limits.subgroup_size;
    desc.max_polls        = lab.core().limits.software ? 16384 : 4096;
    desc.shader_constants = {hand_over_rounds, lab.core().limits.software};
    return desc;
}

Finding probe_start_order(Lab& lab) {
    const Pipeline pipeline = lab.prepare(desc_of(lab, shaders::start_order_any, "start order"));
    Experiment     experiment;
    experiment.workgroups   = 16384;
    experiment.count        = experiment.workgroups;
    experiment.memory_words = 1;
    experiment.result_words = experiment.workgroups;
    return judge_start_order(lab.run(pipeline, experiment).results);
}

Finding probe_progress(Lab& lab, Shader shader, const char* name, bool later) {
    const PipelineDesc desc     = desc_of(lab, shader, name);
    const Pipeline     pipeline = lab.prepare(desc);
    Experiment         experiment;
    experiment.workgroups   = lab.core().limits.software ? 16 : 256;
    experiment.count        = experiment.workgroups;
    experiment.memory_words = 1 + experiment.workgroups;
    experiment.result_words = experiment.workgroups;
    const ProgressTest test{later ? 0u : 1u, experiment.count - (later ? 1 : 0), desc.max_polls};
    return judge_progress(test, lab.run(pipeline, experiment).results);
}

Finding probe_hand_over(Lab& lab) {
    PipelineDesc desc       = desc_of(lab, shaders::hand_over_any, "hand-over");
    desc.max_polls          = 32768;
    const Pipeline pipeline = lab.prepare(desc);
    Experiment     experiment;
    experiment.workgroups   = 2;
    experiment.count        = 2;
    experiment.memory_words = 2;
    experiment.result_words = 2;
    const Answer answer     = lab.run(pipeline, experiment);
    return judge_hand_over(hand_over_rounds, answer.results, answer.ms);
}

constexpr uint32_t loop_rounds = 100000;

Finding probe_loop_rounds(Lab& lab) {
    const Pipeline pipeline = lab.prepare(desc_of(lab, shaders::loop_rounds_any, "loop rounds"));
    Experiment     experiment;
    experiment.memory_words = 16;
    experiment.count        = loop_rounds;
    return judge_loop_rounds(loop_rounds, lab.run(pipeline, experiment).results[0]);
}

Finding probe_loop_exit(Lab& lab) {
    PipelineDesc desc       = desc_of(lab, shaders::loop_exit_any, "loop exit");
    desc.workgroup_size     = workgroup_size;
    const Pipeline pipeline = lab.prepare(desc);
    Experiment     experiment;
    for (uint32_t r = 0; r < desc.workgroup_size; ++r) experiment.memory.push_back(r);
    experiment.result_words = 2 * desc.workgroup_size;
    return judge_loop_exit(lab.core().limits.subgroup_size, lab.run(pipeline, experiment).results);
}

} // namespace

Finding judge_start_order(const Words& ticket_of_workgroup) {
    const auto               count = static_cast<uint32_t>(ticket_of_workgroup.size());
    Finding                  finding;
    uint32_t                 apart = 0, in_order = 0;
    const std::set<uint32_t> tickets(ticket_of_workgroup.begin(), ticket_of_workgroup.end());
    if (tickets.size() != count || count == 0 || *tickets.rbegin() != count - 1) {
        finding.verdict = Verdict::failed;
        finding.seen    = fmt::format("{} workgroups got {} different tickets; atomicAdd must give each another", count,
                                      tickets.size());
        finding.numbers = {{"workgroups", count}, {"tickets", tickets.size()}};
        return finding;
    }
    for (uint32_t number = 0; number < count; ++number) {
        const uint32_t ticket = ticket_of_workgroup[number];
        apart                 = std::max(apart, ticket > number ? ticket - number : number - ticket);
        in_order += ticket == number;
    }
    finding.verdict = Verdict::note;
    finding.numbers = {{"workgroups", count}, {"in_order", in_order}, {"most_apart", apart}};
    finding.seen =
        apart == 0 ? fmt::format("{} workgroups started in the order of their numbers", count)
                   : fmt::format("{} workgroups started up to {} places from the order of their numbers", count, apart);
    return finding;
}

Finding judge_progress(const ProgressTest& test, const Words& polls) {
    uint32_t missed = 0, wrong = 0, most = 0;
    for (uint32_t ticket = test.first; ticket < test.end; ++ticket) {
        const uint32_t one = ticket < polls.size() ? polls[ticket] : unwritten;
        if (one == ~0u) {
            ++missed;
        } else if (one == 0 || one > test.max_polls) {
            ++wrong;
        } else {
            most = std::max(most, one);
        }
    }
    const uint32_t waited = test.end - test.first;
    Finding        finding;
    finding.numbers = {{"waited", waited}, {"not_seen", missed}, {"most_polls", most}, {"max_polls", test.max_polls}};
    if (wrong > 0) {
        finding.verdict = Verdict::failed;
        finding.seen    = fmt::format("{} of {} workgroups did not say for how long they had waited", wrong, waited);
        return finding;
    }
    finding.verdict = Verdict::note;
    finding.seen    = missed == 0
                          ? fmt::format("yes: seen by all {} within {}", waited, polls_text(most))
                          : fmt::format("not seen by {} of {} within {}", missed, waited, polls_text(test.max_polls));
    return finding;
}

Finding judge_hand_over(uint32_t rounds, const Words& made, double ms) {
    const uint32_t least = made.size() == 2 ? std::min(made[0], made[1]) : 0;
    const uint32_t most  = made.size() == 2 ? std::max(made[0], made[1]) : ~0u;
    Finding        finding;
    finding.numbers = {{"rounds", rounds}, {"made", least}};
    if (most > rounds) {
        finding.verdict = Verdict::failed;
        finding.seen    = "the two workgroups did not say how far they came";
        return finding;
    }
    finding.verdict = Verdict::note;
    if (least < rounds) {
        finding.seen = fmt::format("no: given up after {} of {} rounds", least, rounds);
        return finding;
    }
    finding.seen = fmt::format("yes: {} rounds to and fro", rounds);
    if (ms > 0) {
        finding.numbers["us_per_hand_over"] = ms * 1000 / (2 * rounds);
        finding.seen += fmt::format(", {:.2f} us for each hand-over", ms * 1000 / (2 * rounds));
    }
    return finding;
}

Finding judge_loop_rounds(uint32_t wanted, uint32_t made) {
    // Nothing in vkprim loops for longer than that (bench/NOTES.md, CONTRIBUTING.md).
    constexpr uint32_t needed = 65535;
    Finding            finding;
    finding.numbers = {{"wanted", wanted}, {"made", made}};
    finding.verdict = made < needed || made > wanted ? Verdict::failed : Verdict::note;
    if (made == wanted) {
        finding.seen = fmt::format("all {} rounds were made", wanted);
    } else if (made < wanted) {
        finding.seen = fmt::format("a loop of {} rounds ended after {}", wanted, made);
    } else {
        finding.seen = expected_text(wanted, made);
    }
    return finding;
}

Finding judge_loop_exit(uint32_t subgroup_size, const Words& results) {
    const auto count = static_cast<uint32_t>(results.size() / 2);
    uint32_t   lost = 0, unfinished = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t lane = i % subgroup_size;
        lost += results[2 * i] != lane;
        unfinished += results[2 * i] >= subgroup_size || results[2 * i + 1] > subgroup_size;
    }
    Finding finding;
    finding.numbers = {{"invocations", count}, {"changed", lost}};
    finding.verdict = unfinished > 0 || count == 0 ? Verdict::failed : Verdict::note;
    finding.seen    = lost == 0 ? fmt::format("all {} invocations kept what they had when they left", count)
                                : fmt::format("{} of {} invocations had another value behind the loop than when they left",
                                              lost, count);
    return finding;
}

std::vector<Probe> progress_probes() {
    return {
        {"progress", "start order",
         "In which order workgroups start. Scan without tickets is fast where that is the order of their numbers.",
         probe_start_order},
        {"progress", "waiting for an earlier one",
         "Workgroups that have started keep running while later ones wait for them. Scan helps after 512 polls if not.",
         [](Lab& lab) { return probe_progress(lab, shaders::progress_earlier, "progress, earlier", false); }},
        {"progress", "waiting for a later one",
         "Workgroups start while earlier ones wait for them. Nothing in vkprim waits for a later one.",
         [](Lab& lab) { return probe_progress(lab, shaders::progress_later, "progress, later", true); }},
        {"progress", "waiting for each other",
         "Two workgroups hand a word to and fro: what a step of scan's look-back costs at best.", probe_hand_over},
        {"progress", "rounds of a loop", "How many rounds a shader's loop gets. vkprim's waits end well below 65535.",
         probe_loop_rounds},
        {"progress", "leaving a loop early",
         "Whether invocations that leave a loop keep their values. vkprim's subgroups leave loops together.",
         probe_loop_exit},
    };
}

} // namespace vkprim::tools::doctor
