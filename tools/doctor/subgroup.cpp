#include <fmt/format.h>

#include <algorithm>

#include "judge.h"
#include "shaders/doctor.h"

namespace vkprim::tools::doctor {

namespace {

/// The probes' shaders number invocations as vkprim's do.
Finding skip_unused() { return skip("vkprim does not use subgroups here"); }

Words answers(Lab& lab, Shader shader, const char* name, uint32_t rounds) {
    PipelineDesc desc;
    desc.shader             = shader;
    desc.name               = name;
    desc.push_size          = sizeof(DoctorPush);
    desc.workgroup_size     = workgroup_size;
    const Pipeline pipeline = lab.prepare(desc);
    Experiment     experiment;
    experiment.result_words = 4 * workgroup_size * rounds;
    experiment.salt         = 1;
    return lab.run(pipeline, experiment).results;
}

Probe subgroup_probe(const char* name, const char* about, Shader shader, SubgroupTest test,
                     VkSubgroupFeatureFlags needs) {
    return {"subgroups", name, about, [=](Lab& lab) {
                if (!lab.core().has_subgroups()) return skip_unused();
                if (!lab.has_subgroup(needs)) return skip("the device does not have them; vkprim has no use for them");
                const SubgroupCase one{test, lab.core().limits.subgroup_size, workgroup_size, 1};
                return judge_subgroup(one, answers(lab, shader, name, SUBGROUP_ROUNDS));
            }};
}

} // namespace

Finding judge_numbering(uint32_t subgroup_size, const Words& results) {
    const auto        count = static_cast<uint32_t>(results.size() / 4);
    std::vector<bool> taken(count);
    uint32_t          wrong_size = 0, wrong_number = 0, moved = 0, seen_size = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t subgroup = results[4 * i], lane = results[4 * i + 1], size = results[4 * i + 2];
        const uint64_t number = uint64_t{subgroup} * subgroup_size + lane;
        if (size != subgroup_size || results[4 * i + 3] != count / subgroup_size) {
            ++wrong_size;
            seen_size = size;
        }
        if (lane >= subgroup_size || number >= count || taken[number]) {
            ++wrong_number;
        } else {
            taken[number] = true;
            moved += number != i;
        }
    }
    Finding finding;
    finding.numbers = {{"invocations", count},
                       {"subgroup_size", subgroup_size},
                       {"wrong_size", wrong_size},
                       {"wrong_number", wrong_number},
                       {"not_in_order_of_local_index", moved}};
    finding.verdict = wrong_size + wrong_number > 0 || count == 0 ? Verdict::failed : Verdict::ok;
    if (wrong_size > 0) {
        finding.seen = seen_size == unwritten
                           ? "nothing came back"
                           : fmt::format(
                                 "{} invocations of {} are in a subgroup of {}, or in another number of "
                                 "subgroups, than the pipeline asked for, {}",
                                 wrong_size, count, seen_size, subgroup_size);
    } else if (wrong_number > 0) {
        finding.seen = fmt::format("{} invocations of {} have no number of their own", wrong_number, count);
    } else {
        finding.seen = fmt::format(
            "{} subgroups of {}, without gaps{}", count / subgroup_size, subgroup_size,
            moved == 0 ? ", in the order of gl_LocalInvocationIndex" : ", not in the order of gl_LocalInvocationIndex");
    }
    return finding;
}

std::array<uint32_t, 4> subgroup_reference(const SubgroupCase& one, uint32_t round, uint32_t invocation) {
    const uint32_t size = one.subgroup_size, lane = invocation % size, first = invocation - lane,
                   subgroup = first / size;
    const auto value        = [&](uint32_t l) { return doctor_value(first + l, round + one.salt); };

    std::array<uint32_t, 4> words{};
    switch (one.test) {
        case SubgroupTest::shuffle:
            words = {value((lane * 3 + round) % size), value(lane ^ ((1u << round) % size)), 0, 0};
            break;
        case SubgroupTest::vote: {
            // All but one, in every second subgroup.
            const bool all = (subgroup + round) % 2 == 0;
            words          = {all, !all, all || size == 1, 0};
            break;
        }
        case SubgroupTest::ballot:
            for (uint32_t l = 0; l < size; ++l) words[l / 32] |= ((value(l) >> (8 + round)) & 1) << l % 32;
            break;
        case SubgroupTest::scan:
            for (uint32_t l = 0; l < size; ++l) {
                if (l <= lane) words[0] += value(l);
                if (l < lane) words[1] += value(l);
                words[2] += value(l);
            }
            break;
    }
    return words;
}

Finding judge_subgroup(const SubgroupCase& one, const Words& results) {
    uint32_t    wrong[2] = {}, count = one.workgroup_size * SUBGROUP_ROUNDS; // round 0, and those in the loop
    std::string first;
    if (results.size() != size_t{count} * 4) return {Verdict::failed, "the answer has another size"};
    for (uint32_t round = 0; round < SUBGROUP_ROUNDS; ++round) {
        for (uint32_t i = 0; i < one.workgroup_size; ++i) {
            const auto      expected = subgroup_reference(one, round, i);
            const uint32_t* got      = &results[4 * (size_t{round} * one.workgroup_size + i)];
            const auto      place    = std::mismatch(expected.begin(), expected.end(), got);
            if (place.first == expected.end()) continue;
            ++wrong[round > 0];
            if (first.empty()) {
                first = fmt::format("; round {}, invocation {}, word {}: {}", round, i, place.first - expected.begin(),
                                    expected_text(*place.first, *place.second));
            }
        }
    }
    Finding finding;
    finding.numbers = {{"compared", count}, {"wrong_straight", wrong[0]}, {"wrong_in_loop", wrong[1]}};
    finding.verdict = wrong[0] + wrong[1] > 0 ? Verdict::failed : Verdict::ok;
    finding.seen    = wrong[0] + wrong[1] == 0
                          ? fmt::format("{} invocations like the CPU, in straight code and in a loop", count)
                          : fmt::format("{} of {} invocations wrong in straight code, {} of {} in a loop{}", wrong[0],
                                        one.workgroup_size, wrong[1], count - one.workgroup_size, first);
    return finding;
}

std::vector<Probe> subgroup_probes() {
    return {
        {"subgroups", "numbering and size",
         "gl_SubgroupID and gl_SubgroupInvocationID number the workgroup, and the size is what the pipeline has. All "
         "relies on it.",
         [](Lab& lab) {
             if (!lab.core().has_subgroups()) return skip_unused();
             return judge_numbering(lab.core().limits.subgroup_size,
                                    answers(lab, shaders::subgroup_numbering_any, "subgroup numbering", 1));
         }},
        subgroup_probe("shuffle, shuffleXor", "As all primitives fold and scan.", shaders::subgroup_shuffle_any,
                       SubgroupTest::shuffle, VK_SUBGROUP_FEATURE_SHUFFLE_BIT),
        subgroup_probe("vote", "All, any, allEqual: how subgroups leave loops together.", shaders::subgroup_vote_any,
                       SubgroupTest::vote, VK_SUBGROUP_FEATURE_VOTE_BIT),
        subgroup_probe("ballot", "vkprim has no use for it.", shaders::subgroup_ballot_any, SubgroupTest::ballot,
                       VK_SUBGROUP_FEATURE_BALLOT_BIT),
        subgroup_probe("inclusiveAdd, exclusiveAdd", "The driver's own scan. vkprim has no use for it.",
                       shaders::subgroup_scan_any, SubgroupTest::scan, VK_SUBGROUP_FEATURE_ARITHMETIC_BIT),
    };
}

} // namespace vkprim::tools::doctor
