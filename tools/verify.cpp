#include <fmt/format.h>

#include <memory>

#include "harness/harness.h"
#include "harness/levels.h"
#include "program.h"
#include "sizes.h"

namespace vkprim::tools {

namespace {

using harness::GroupResult;

struct Flags {
    DeviceFlags            device;
    harness::VerifyOptions verify;
    bool                   quick = false, full = false, levels = false;
    std::string            json, sizes;
};

/// The command line that runs one case again.
std::string repeat_line(const Flags& flags, const runtime::DeviceInfo& device, const std::string& case_name) {
    const std::string profile = flags.device.profile.empty() ? "" : " --profile " + shell_word(flags.device.profile);
    std::string       values;
    for (const std::string& value : flags.device.values) values += " --set " + shell_word(value);
    const std::string inject = flags.device.inject.empty() ? "" : " --inject " + shell_word(flags.device.inject);
    const std::string sizes  = flags.sizes.empty() ? "" : " --sizes " + flags.sizes;
    return fmt::format("vkprim verify --device {}{}{}{}{} --seed {}{}{} --only {}", device.index,
                       flags.device.validation ? " --validation" : "", profile, values, inject, flags.verify.seed,
                       flags.full ? " --full" : "", sizes, shell_word(case_name));
}

std::string group_text(const Flags& flags, const runtime::DeviceInfo& device, const GroupResult& group) {
    std::string status = "ok";
    if (!group.skipped.empty()) status = "skipped";
    if (group.failed > 0) status = fmt::format("{} FAILED", group.failed);
    std::string out = fmt::format("{:<36} {:>6} cases {:>8.2f} s  {}", group.name, group.cases, group.seconds, status);
    if (!group.skipped.empty()) out += ": " + group.skipped;
    out += "\n";
    for (const harness::Mismatch& mismatch : group.mismatches) {
        out += fmt::format("    {}\n        {}\n        {}\n", mismatch.case_name, mismatch.what,
                           repeat_line(flags, device, mismatch.case_name));
    }
    if (group.failed > group.mismatches.size()) {
        out += fmt::format("    and {} more\n", group.failed - group.mismatches.size());
    }
    return out;
}

struct Totals {
    uint64_t passed = 0, failed = 0; ///< cases
    uint64_t skipped = 0;            ///< groups

    void add(const GroupResult& group) {
        passed += group.cases - group.failed;
        failed += group.failed;
        skipped += group.skipped.empty() ? 0 : 1;
    }
    std::string text() const {
        const std::string more = skipped > 0 ? fmt::format(", {} skipped", skipped) : std::string();
        return fmt::format("{} passed, {} failed{}\n", passed, failed, more);
    }
};

Json report(const Flags& flags, const runtime::DeviceInfo& device, const std::vector<GroupResult>& groups) {
    Json   json;
    Totals totals;
    json["device"] = json_device(device);
    json["extent"] = flags.full ? "full" : "quick";
    json["seed"]   = flags.verify.seed;
    json["groups"] = Json::array();
    for (const GroupResult& group : groups) {
        Json one;
        one["name"]    = group.name;
        one["cases"]   = group.cases;
        one["failed"]  = group.failed;
        one["seconds"] = group.seconds;
        if (!group.skipped.empty()) one["skipped"] = group.skipped;
        for (const harness::Mismatch& mismatch : group.mismatches) {
            one["mismatches"].push_back({{"case", mismatch.case_name},
                                         {"what", mismatch.what},
                                         {"repeat", repeat_line(flags, device, mismatch.case_name)}});
        }
        json["groups"].push_back(std::move(one));
        totals.add(group);
    }
    json["passed"]  = totals.passed;
    json["failed"]  = totals.failed;
    json["skipped"] = totals.skipped;
    return json;
}

/// A Failure where the device takes no more work: the cases after that say nothing about the primitives.
void require_alive(const runtime::Device& device) {
    runtime::Commands commands = need_device(device.begin_commands());
    need_device(commands.submit_and_wait());
}

/// A Failure where a primitive refuses the profile, which is no wrong result.
void require_profile(const runtime::Device& device, const std::string& path) {
    for (const harness::Subject& subject : harness::subjects()) {
        if (subject.tunables.empty()) continue;
        const auto prepared = subject.benches.front().prepare(device, 1);
        if (!prepared) throw Failure{exit_usage, (path.empty() ? "" : path + ": ") + prepared.error().reason};
    }
}

/// One line for each level, one column for each primitive.
ExitCode run_levels(const Flags& flags) {
    runtime::Device device = open_device(flags.device);
    const Profile*  own    = device.context().profile;
    const auto      levels = harness::levels_of(device.info(), own ? *own : Profile{});

    std::vector<const harness::Subject*> subjects;
    for (const harness::Subject& subject : harness::subjects()) {
        if (subject.verify) subjects.push_back(&subject);
    }
    std::string header = fmt::format("{}\n{:<26}", device_line(device.info()), "level");
    for (const harness::Subject* subject : subjects) header += fmt::format(" {:>12}", subject->name);
    print(header + "\n");
    Totals      totals;
    std::string failures;
    for (const harness::Level& level : levels) {
        if (!level.skipped.empty()) {
            print(fmt::format("{:<26} skipped: {}\n", level.name, level.skipped));
            continue;
        }
        device.use_profile(level.profile);
        std::string line = fmt::format("{:<26}", level.name);
        for (const harness::Subject* subject : subjects) {
            Totals            of_subject;
            harness::Verifier verifier(device, flags.verify);
            subject->verify(verifier);
            for (const GroupResult& group : verifier.finish()) {
                of_subject.add(group);
                totals.add(group);
                if (group.failed > 0) failures += level.name + ": " + group_text(flags, device.info(), group);
            }
            line += of_subject.failed > 0 ? fmt::format(" {:>5} FAILED", of_subject.failed)
                                          : fmt::format(" {:>12}", fmt::format("{} passed", of_subject.passed));
        }
        print(line + "\n");
    }
    print(failures + totals.text());
    check_validation(device);
    return totals.failed > 0 ? exit_wrong : exit_good;
}

ExitCode run(Flags flags) {
    if (!flags.sizes.empty()) flags.verify.counts = parse_sizes(flags.sizes);
    flags.verify.extent = flags.full ? harness::Extent::full : harness::Extent::quick;
    if (flags.levels) return run_levels(flags);
    const runtime::Device device = open_device(flags.device);
    if (device.context().profile) require_profile(device, flags.device.profile);
    const bool lines = flags.json != "-";
    if (lines) print(device_line(device.info()) + "\n");
    Totals     totals;
    uint64_t   groups_done = 0;
    Progress   progress("verify");
    const auto on_group = [&](const GroupResult& group) {
        if (group.failed > 0) require_alive(device);
        totals.add(group);
        if (lines) print(group_text(flags, device.info(), group));
        progress.update(fmt::format("{} groups done", ++groups_done));
    };
    progress.update("starting");
    const std::vector<GroupResult> groups = harness::verify(device, flags.verify, on_group);

    if (!flags.verify.only.empty() && totals.passed + totals.failed == 0) {
        throw Failure{exit_usage, fmt::format("no case begins with '{}'; 'vkprim verify' lists the groups with which "
                                              "cases begin",
                                              flags.verify.only)};
    }
    if (lines) print(totals.text());
    if (!flags.json.empty()) write_report(flags.json, json_text(report(flags, device.info(), groups), 2));
    check_validation(device);
    return totals.failed > 0 ? exit_wrong : exit_good;
}

constexpr const char* footer =
    R"(One line per group of cases. A wrong result is shown with its index, what was expected and what came, in value
and bits, and with the command line that repeats just that case. The last line: N passed, M failed.
Exit code 1 if any case failed.

Examples:
  vkprim verify
  vkprim verify --full --device llvmpipe --validation
  vkprim verify --levels
  vkprim verify --only scan --inject withhold=10% --sizes 1,1000,2^20,100000000
  vkprim verify --only 'scan f32' --seed 7
  vkprim verify --json - | jq .failed)";

std::function<ExitCode()> setup(CLI::App& app) {
    const auto flags = std::make_shared<Flags>();
    auto*      quick = app.add_flag("--quick", flags->quick, "the sizes most likely to be wrong; so without a flag");
    app.add_flag("--full", flags->full, "many more sizes")->excludes(quick);
    app.add_flag("--levels", flags->levels,
                 "once for each thing that a lesser device might lack, which is taken away; a table");
    app.add_option("--only", flags->verify.only, "only cases whose name begins with this")->type_name("PREFIX");
    app.add_option("--sizes", flags->sizes, "only these counts of elements, such as 100000000 or 2^20,2^24")
        ->type_name("SIZES");
    app.add_option("--seed", flags->verify.seed, "of the random inputs; 1 without it")->type_name("S");
    app.add_option("--json", flags->json, "write a report; '-': to standard output, instead of the lines")
        ->type_name("FILE");
    add_device_flags(app, flags->device);
    return [flags] { return run(*flags); };
}

const Registration registration({"verify", "Prove all primitives on a device against the CPU, to the bit", footer,
                                 setup});

} // namespace

} // namespace vkprim::tools
