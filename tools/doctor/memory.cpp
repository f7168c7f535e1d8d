#include <fmt/format.h>

#include <algorithm>

#include "judge.h"
#include "shaders/doctor.h"

namespace vkprim::tools::doctor {

namespace {

/// Pairs of workgroups that meet in many rounds (litmus.glsl). All powers of two.
struct Meeting {
    uint32_t workgroups = 0, rounds = 0;
    uint32_t runs = 0; ///< of the dispatch, each with other partners

    uint32_t instances() const { return workgroups * rounds * workgroup_size; }

    explicit Meeting(const Lab& lab) {
        // CPU drivers run a workgroup on each thread; more would only come one after the other.
        const bool software = lab.core().limits.software;
        workgroups          = software ? 8 : 512;
        rounds              = software ? 64 : 8;
        runs                = lab.quick() ? 2 : software ? 6 : 12;
    }

    /// Neighbours; and workgroups that CPU drivers, which give each thread a range of them, run at the same time.
    uint32_t distance(uint32_t run) const { return run % 2 == 0 ? workgroups / 2 : run % 4 == 1 ? 1 : workgroups / 4; }
};

/// Runs a shader of litmus.glsl, and hands the results of each run to `take`, with its salt.
void meet(Lab& lab, Shader shader, const char* name, const std::function<void(const Words&, uint32_t salt)>& take) {
    const Meeting meeting(lab);
    const bool    software = lab.core().limits.software;
    PipelineDesc  desc;
    desc.shader             = shader;
    desc.name               = name;
    desc.push_size          = sizeof(DoctorPush);
    desc.workgroup_size     = workgroup_size;
    desc.max_polls          = software ? 16384 : 4096;
    desc.shader_constants   = {meeting.rounds, software};
    const Pipeline pipeline = lab.prepare(desc);
    for (uint32_t run = 0; run < meeting.runs; ++run) {
        Experiment experiment;
        experiment.workgroups   = meeting.workgroups;
        experiment.memory_words = 2 * meeting.instances() + meeting.workgroups;
        experiment.result_words = 2 * meeting.instances();
        experiment.count        = meeting.instances();
        experiment.salt         = 1 + 3 * run;
        experiment.distance     = meeting.distance(run);
        take(lab.run(pipeline, experiment).results, experiment.salt);
    }
}

Probe litmus_probe(const char* name, const char* about, Shader shader, const LitmusTest& test) {
    return {"memory", name, about, [=](Lab& lab) {
                Outcomes outcomes;
                meet(lab, shader, name, [&](const Words& results, uint32_t) { outcomes.add(results); });
                return judge_litmus(test, outcomes);
            }};
}

Probe word_probe(const char* name, const char* about, Shader shader, bool whole) {
    return {
        "memory", name, about, [=](Lab& lab) {
            if (whole && !lab.core().has_word64()) return skip("shaderInt64 or shaderBufferInt64Atomics is missing");
            WordOutcomes outcomes;
            meet(lab, shader, name, [&](const Words& results, uint32_t salt) { outcomes.add({salt, whole}, results); });
            return judge_words(outcomes);
        }};
}

constexpr uint32_t arrival_members = 8, arrival_rounds = 16;

Words arrivals(Lab& lab, Shader shader, const char* name) {
    const uint32_t groups = lab.core().limits.software ? 4 : 64, numbers = groups * arrival_rounds;
    PipelineDesc   desc;
    desc.shader             = shader;
    desc.name               = name;
    desc.push_size          = sizeof(DoctorPush);
    desc.workgroup_size     = workgroup_size;
    desc.max_polls          = 1024; // each round may take as many
    desc.shader_constants   = {arrival_rounds, lab.core().limits.software, arrival_members};
    const Pipeline pipeline = lab.prepare(desc);
    Words          all;
    for (uint32_t run = 0; run < (lab.quick() ? 2u : 8u); ++run) {
        Experiment experiment;
        experiment.workgroups   = groups * arrival_members;
        experiment.memory_words = numbers * (workgroup_size + 1);
        experiment.result_words = numbers * workgroup_size;
        experiment.count        = groups;
        const Words results     = lab.run(pipeline, experiment).results;
        all.insert(all.end(), results.begin(), results.end());
    }
    return all;
}

} // namespace

void Outcomes::add(const Words& results) {
    for (size_t i = 0; i + 1 < results.size(); i += 2) {
        if (results[i] > 1 || results[i + 1] > 1) {
            ++unknown;
        } else {
            ++at[results[i]][results[i + 1]];
        }
    }
}

Finding judge_litmus(const LitmusTest& test, const Outcomes& outcomes) {
    const uint64_t weak = outcomes.at[test.weak[0]][test.weak[1]];
    Finding        finding;
    finding.numbers = {{"tries", outcomes.tries()},    {"weak", weak},
                       {"seen_00", outcomes.at[0][0]}, {"seen_01", outcomes.at[0][1]},
                       {"seen_10", outcomes.at[1][0]}, {"seen_11", outcomes.at[1][1]},
                       {"unknown", outcomes.unknown}};
    if (outcomes.unknown > 0 || outcomes.tries() == 0) {
        finding.verdict = Verdict::failed;
        finding.seen    = fmt::format("{} of {} tries gave neither 0 nor 1", outcomes.unknown, outcomes.tries());
        return finding;
    }
    finding.seen = fmt::format("{} weak of {} tries", weak, outcomes.tries());
    if (test.met[0] != test.weak[0] || test.met[1] != test.weak[1]) {
        const uint64_t met        = outcomes.at[test.met[0]][test.met[1]];
        finding.numbers["racing"] = met;
        finding.seen += met > 0 ? fmt::format(", {} of them racing", met) : ", none of them racing: inconclusive";
    }
    if (test.allowed) finding.seen += "; weak is allowed";
    finding.verdict = test.allowed ? Verdict::note : weak > 0 ? Verdict::failed : Verdict::ok;
    return finding;
}

void WordOutcomes::add(const WordTest& test, const Words& results) {
    for (size_t i = 0; i + 1 < results.size(); i += 2) {
        const uint32_t instance = static_cast<uint32_t>(i / 2), flag = results[i], value = results[i + 1];
        const uint32_t published = doctor_value(instance, test.salt);
        ++tries;
        const bool right = flag == 1 ? value == published : flag == 0 && (!test.whole || value == 0);
        there += flag == 1;
        if (right) continue;
        if (torn++ == 0) {
            first_torn = fmt::format("instance {}, flag {}: {}", instance, flag,
                                     expected_text(flag == 0 ? 0 : published, value));
        }
    }
}

Finding judge_words(const WordOutcomes& outcomes) {
    Finding finding;
    finding.numbers = {{"tries", outcomes.tries}, {"there", outcomes.there}, {"torn", outcomes.torn}};
    finding.seen =
        fmt::format("{} torn of {} tries, {} of which found the word", outcomes.torn, outcomes.tries, outcomes.there);
    if (outcomes.torn > 0) finding.seen += "; " + outcomes.first_torn;
    finding.verdict = outcomes.torn > 0 || outcomes.tries == 0 ? Verdict::failed : Verdict::ok;
    return finding;
}

Finding judge_ordered_arrival(uint32_t expected, const Words& sums) {
    const auto wrong =
        static_cast<size_t>(std::count_if(sums.begin(), sums.end(), [=](uint32_t sum) { return sum != expected; }));
    Finding finding;
    finding.numbers = {{"sums", sums.size()}, {"wrong", wrong}};
    finding.seen    = fmt::format("the last to arrive saw {} of {} sums whole", sums.size() - wrong, sums.size());
    if (wrong > 0) {
        const auto first = std::find_if(sums.begin(), sums.end(), [=](uint32_t sum) { return sum != expected; });
        finding.seen += fmt::format("; number {}: {}", first - sums.begin(), expected_text(expected, *first));
    }
    finding.verdict = wrong > 0 || sums.empty() ? Verdict::failed : Verdict::ok;
    return finding;
}

Finding judge_relaxed_arrival(const Words& polls) {
    uint32_t late = 0, never = 0, most = 0;
    for (const uint32_t one : polls) {
        const bool seen = one != ~0u && one != unwritten && one > 0;
        never += !seen;
        late += seen && one > 1;
        if (seen) most = std::max(most, one);
    }
    Finding finding;
    finding.numbers = {{"words", polls.size()}, {"late", late}, {"never", never}, {"most_polls", most}};
    finding.seen    = fmt::format("the last to arrive saw {} of {} words, {} of them late, after {} at most",
                                  polls.size() - never, polls.size(), late, polls_text(most));
    finding.verdict = never > 0 || polls.empty() ? Verdict::failed : Verdict::ok;
    return finding;
}

std::vector<Probe> memory_probes() {
    // Who reads in between meets (0, 1); not with a release, where only the flag tells whether data is read at all.
    constexpr LitmusTest message_allowed{{1, 0}, {0, 1}, true}, message{{1, 0}, {0, 1}, false};
    constexpr LitmusTest ordered{{1, 0}, {1, 0}, false}, buffering{{0, 0}, {1, 1}, true};
    return {
        litmus_probe(
            "message passing, relaxed",
            "Data, then a flag, as relaxed atomics: the flag without the data. vkprim puts both into one word.",
            shaders::message_passing_relaxed, message_allowed),
        litmus_probe("message passing, ordered",
                     "The same with a release and an acquire at QueueFamily scope, and data that is not atomic.",
                     shaders::message_passing_ordered, ordered),
        litmus_probe(
            "store buffering, relaxed",
            "Two workgroups write a word each and read the other's: neither sees it. vkprim does not rely on it.",
            shaders::store_buffering_any, buffering),
        litmus_probe("coherence of one word",
                     "Two reads of a word by relaxed atomics: the second is older. All that waits relies on it.",
                     shaders::coherence_any, message),
        word_probe("value and flag, 2x32-bit", "A word as scan and reduce hand it over without 64-bit atomics.",
                   shaders::handed_word_word32, false),
        word_probe("value and flag, 64-bit", "A word as scan and reduce hand it over with 64-bit atomics.",
                   shaders::handed_word_word64, true),
        litmus_probe(
            "help, in place",
            "Input that was overwritten, and behind a fence no word yet: scan in place helps on the strength of this.",
            shaders::help_any, message),
        {"memory", "arrival, ordered",
         "Workgroups add to counters and arrive with a release and an acquire, as in histogram: the last sees all.",
         [](Lab& lab) {
             constexpr uint32_t sum = arrival_members * (arrival_members + 1) / 2;
             return judge_ordered_arrival(sum, arrivals(lab, shaders::arrival_ordered, "arrival, ordered"));
         }},
        {"memory", "arrival, relaxed",
         "Workgroups publish words and arrive, all relaxed, as in reduce: the last one to arrive sees the words in the "
         "end.",
         [](Lab& lab) { return judge_relaxed_arrival(arrivals(lab, shaders::arrival_relaxed, "arrival, relaxed")); }},
    };
}

} // namespace vkprim::tools::doctor
