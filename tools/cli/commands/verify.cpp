#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "harness/harness.h"
#include "harness/levels.h"
#include "harness/soak.h"
#include "laws.h"
#include "tools/cli/program.h"
#include "tools/cli/record.h"
#include "tools/cli/sizes.h"
#include "tools/system/machine.h"
#include "tools/system/open_file.h"

namespace vkprim::tools::verify_command {

namespace {

using harness::GroupResult;

struct Flags {
    DeviceFlags            device;
    harness::VerifyOptions verify;
    bool                   brief = false, pairs = false, quick = false, full = false, levels = false;
    uint32_t               jobs         = 1;
    uint32_t               random_cases = 0;
    std::string            property; ///< a case as text
    double                 soak_minutes = 0;
    std::optional<int64_t> soak_batch;
    std::string            json, sizes;
    LawFlags               laws;
};

/// The beginning of every command line that repeats something.
std::string repeat_head(const Flags& flags, const runtime::DeviceInfo& device) {
    const std::string profile =
        flags.device.profile.empty() ? "" : " --profile " + system::shell_word(flags.device.profile);
    std::string values;
    for (const std::string& value : flags.device.values) values += " --set " + system::shell_word(value);
    const std::string inject =
        flags.device.inject.empty() ? "" : " --inject " + system::shell_word(flags.device.inject);
    const char* const validation = flags.device.gpu_validation ? " --gpu-validation"
                                   : flags.device.validation   ? " --validation"
                                                               : "";
    return fmt::format("vkprim verify --device {}{}{}{}{}", device.index, validation, profile, values, inject);
}

std::string property_line(const Flags& flags, const runtime::DeviceInfo& device, const std::string& case_text) {
    return fmt::format("{} --property {}", repeat_head(flags, device), system::shell_word(case_text));
}

struct Repeated {
    std::string case_name;
    std::string after = {}; ///< the case before it on the same scratch, if any
};

/// The command line that runs one case again.
std::string repeat_line(const Flags& flags, const runtime::DeviceInfo& device, const Repeated& repeated) {
    if (flags.random_cases > 0 || !flags.property.empty()) return property_line(flags, device, repeated.case_name);
    const std::string sizes = flags.sizes.empty() ? "" : " --sizes " + flags.sizes;
    const std::string after = repeated.after.empty() ? "" : " --after " + system::shell_word(repeated.after);
    return fmt::format("{} --seed {}{}{}{} --only {}", repeat_head(flags, device), flags.verify.seed,
                       flags.full    ? " --full"
                       : flags.pairs ? " --pairs"
                       : flags.brief ? " --brief"
                                     : "",
                       sizes, after, system::shell_word(repeated.case_name));
}

/// What the report's file holds as long as there is no report: the case that runs. A driver that crashes or stands still leaves it.
class Journal {
public:
    Journal(const Flags& flags, const runtime::DeviceInfo& device) : flags_(flags), device_(device) {
        system::Status status;
        const bool     other = system::status_of(flags.json, status) == 0 && status.kind != system::Status::Kind::file;
        if (flags.json != "-" && !other) path_ = flags.json; // else nobody could take back what is written
    }

    void note(const Repeated& running) {
        if (path_.empty()) return;
        Json json;
        json["device"]  = json_device(device_);
        json["running"] = {{"case", running.case_name}, {"repeat", repeat_line(flags_, device_, running)}};
        if (!running.after.empty()) json["running"]["after"] = running.after;
        const std::string text = json_text(json, 2);
        if (std::exchange(is_first_, false)) {
            write_report(path_, text); // fails where nobody may write
        } else {
            system::OpenFile file; // many times a second
            if (file.open_to_write(path_) == 0 && file.resize(0) == 0) file.write(text.data(), text.size());
        }
    }

private:
    const Flags&               flags_;
    const runtime::DeviceInfo& device_;
    std::string                path_; ///< empty: none is kept
    bool                       is_first_ = true;
};

Json json_of(const Flags& flags, const runtime::DeviceInfo& device, const GroupResult& group) {
    Json json{{"name", group.name}, {"cases", group.cases}, {"failed", group.failed}, {"seconds", group.seconds}};
    if (!group.skipped.empty()) json["skipped"] = group.skipped;
    for (const harness::Mismatch& mismatch : group.mismatches) {
        Json shown = {{"case", mismatch.case_name},
                      {"what", mismatch.what},
                      {"repeat", repeat_line(flags, device, {mismatch.case_name, mismatch.after})}};
        if (!mismatch.after.empty()) shown["after"] = mismatch.after;
        json["mismatches"].push_back(std::move(shown));
    }
    return json;
}

std::string group_text(const Json& group) {
    const bool        skipped = group.contains("skipped");
    const auto        failed  = group["failed"].get<uint32_t>();
    const std::string status  = failed > 0 ? "{failed} FAILED" : skipped ? "skipped" : "ok";
    std::string       out =
        filled("{name:<44} {cases:>6} cases {seconds:>8.2f} s  " + status + (skipped ? ": {skipped}\n" : "\n"), group);
    const Json mismatches = group.value("mismatches", Json::array());
    for (const Json& mismatch : mismatches) {
        const std::string after = mismatch.contains("after") ? "        after {after}, on the same scratch\n" : "";
        out += filled("    {case}\n        {what}\n" + after + "        {repeat}\n", mismatch);
    }
    if (failed > mismatches.size()) out += fmt::format("    and {} more\n", failed - mismatches.size());
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

const char* extent_name(const Flags& flags) {
    return flags.full ? "full" : flags.pairs ? "pairs" : flags.brief ? "brief" : "quick";
}

Json report(const Flags& flags, const runtime::DeviceInfo& device, const std::vector<GroupResult>& groups) {
    Totals totals;
    Json   all = Json::array();
    for (const GroupResult& group : groups) {
        all.push_back(json_of(flags, device, group));
        totals.add(group);
    }
    return {
        {"device", json_device(device)}, {"extent", extent_name(flags)}, {"seed", flags.verify.seed}, {"groups", all},
        {"passed", totals.passed},       {"failed", totals.failed},      {"skipped", totals.skipped}};
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

/// A Failure where VerifyOptions::only has left no case, or none was the one that VerifyOptions::after names.
void require_cases(const Flags& flags, const Totals& totals, bool has_first) {
    if (!flags.verify.only.empty() && totals.passed + totals.failed == 0) {
        throw Failure{exit_usage,
                      fmt::format("no case begins with '{}'; 'vkprim verify' lists the groups with which cases begin",
                                  flags.verify.only)};
    }
    if (!has_first) throw Failure{exit_usage, fmt::format("no case is called '{}'", flags.verify.after)};
}

/// One line for each level, one column for each primitive.
ExitCode run_levels(const Flags& flags) {
    runtime::Device device = open_device(flags.device);
    const Profile   own    = device.context().profile ? *device.context().profile : Profile{};
    auto            levels = harness::levels_of(device.info(), own);
    for (harness::Level& named : harness::named_levels_of(device.info(), own)) levels.push_back(std::move(named));

    std::vector<const harness::Subject*> subjects;
    for (const harness::Subject& subject : harness::subjects()) {
        if (subject.verify) subjects.push_back(&subject);
    }
    std::string header = fmt::format("{}\n{:<26}", device_line(device.info()), "level");
    for (const harness::Subject* subject : subjects) header += fmt::format(" {:>12}", subject->name);
    const auto tell = [&](const std::string& text) {
        if (flags.json != "-") print(text);
    };
    tell(header + "\n");
    Totals      totals;
    std::string failures;
    Json        json      = {{"device", json_device(device.info())}, {"levels", Json::array()}};
    bool        has_first = flags.verify.after.empty();
    for (const harness::Level& level : levels) {
        Json& one = json["levels"].emplace_back(Json{{"name", level.name}});
        if (!level.skipped.empty()) {
            tell(fmt::format("{:<26} skipped: {}\n", level.name, level.skipped));
            one["skipped"] = level.skipped;
            continue;
        }
        if (!level.remains.empty()) one["remains"] = level.remains;
        device.use_profile(level.profile);
        Flags repeat = flags;
        for (const auto& [knob, value] : level.profile.values) {
            repeat.device.values.push_back(fmt::format("{}={}", knob, value));
        }
        Journal journal(repeat, device.info());
        repeat.verify.on_case = [&](const std::string& name, const std::string& after) {
            has_first = has_first || name == flags.verify.after;
            journal.note({name, after});
        };
        std::string line = fmt::format("{:<26}", level.name);
        for (const harness::Subject* subject : subjects) {
            Totals            of_subject;
            harness::Verifier verifier(device, repeat.verify);
            subject->verify(verifier);
            for (const GroupResult& group : verifier.finish()) {
                of_subject.add(group);
                totals.add(group);
                if (group.failed > 0) failures += level.name + ": " + group_text(json_of(repeat, device.info(), group));
            }
            one[subject->name] = {{"passed", of_subject.passed}, {"failed", of_subject.failed}};
            line += of_subject.failed > 0 ? fmt::format(" {:>5} FAILED", of_subject.failed)
                                          : fmt::format(" {:>12}", fmt::format("{} passed", of_subject.passed));
        }
        tell(line + (level.remains.empty() ? "" : "  with " + level.remains) + "\n");
    }
    require_cases(flags, totals, has_first);
    tell(failures + totals.text());
    json["passed"] = totals.passed;
    json["failed"] = totals.failed;
    if (!flags.json.empty()) write_report(flags.json, json_text(json, 2));
    check_validation(device);
    return totals.failed > 0 ? exit_wrong : exit_good;
}

harness::VariantsDesc variants_of(const Flags& flags) {
    harness::VariantsDesc variants;
    variants.seed = flags.verify.seed;
    variants.only = flags.verify.only;
    return variants;
}

/// One case from its text, or random ones.
ExitCode run_cases(const Flags& flags, const runtime::Device& device) {
    GroupResult group;
    Journal     journal(flags, device.info());
    if (!flags.property.empty()) {
        const harness::Case steps = need_device(harness::read_case(flags.property));
        journal.note({text_of(steps)});
        harness::CaseRunner runner(device);
        const std::string   what = need_device(runner.run(steps));
        group.name               = "one case";
        group.cases              = 1;
        if (!what.empty()) {
            group.failed     = 1;
            group.mismatches = {{text_of(steps), what}};
        }
    } else {
        Progress                 progress("verify");
        harness::RandomCasesDesc desc;
        desc.variants = variants_of(flags);
        desc.cases    = flags.random_cases;
        group = need_device(harness::run_random_cases(device, desc, [&](uint32_t done, const harness::Case& next) {
            progress.update("random cases", done, flags.random_cases);
            journal.note({text_of(next)});
        }));
        if (group.cases == 0) throw Failure{exit_usage, "no operation's name begins with '" + desc.variants.only + "'"};
    }
    if (flags.json != "-") {
        Totals totals;
        totals.add(group);
        print(group_text(json_of(flags, device.info(), group)) + totals.text());
    }
    if (!flags.json.empty()) write_report(flags.json, json_text(report(flags, device.info(), {group}), 2));
    check_validation(device);
    return group.failed > 0 ? exit_wrong : exit_good;
}

/// What a soak's mismatch comes to when it runs alone: the smallest case that fails, if any.
struct Reduced {
    harness::SoakMismatch          mismatch;
    std::optional<harness::Shrunk> shrunk;
};

std::string soak_repeat_line(const Flags& flags, const runtime::DeviceInfo& device, uint64_t batch) {
    const std::string only = flags.verify.only.empty() ? "" : " --only " + system::shell_word(flags.verify.only);
    return fmt::format("{} --seed {}{} --soak-batch {}", repeat_head(flags, device), flags.verify.seed, only, batch);
}

Json json_of(const Flags& flags, const runtime::DeviceInfo& device, const Reduced& reduced) {
    Json json = {{"batch", reduced.mismatch.batch},
                 {"what", reduced.mismatch.what},
                 {"repeat", soak_repeat_line(flags, device, reduced.mismatch.batch)}};
    if (!reduced.shrunk) return json;
    const std::string smallest = text_of(reduced.shrunk->smallest);
    json["smallest"]           = {
                  {"case", smallest}, {"what", reduced.shrunk->what}, {"repeat", property_line(flags, device, smallest)}};
    return json;
}

/// `so_far`: nobody knows whether a smaller case fails.
std::string reduced_text(const Json& reduced, bool so_far) {
    const std::string out = filled("batch {batch}: {what}\n        {repeat}\n", reduced);
    if (!reduced.contains("smallest"))
        return out + "    It does not fail on scratch of its own and with nothing else in flight.\n";
    return out + filled(std::string("    smallest case that fails") + (so_far ? " so far" : "") +
                            ": {case}\n        {what}\n        {repeat}\n",
                        reduced["smallest"]);
}

Json soak_report(const Flags& flags, const runtime::DeviceInfo& device, const harness::SoakResult& result,
                 const std::vector<Reduced>& mismatches) {
    Json json{{"device", json_device(device)}, {"seed", flags.verify.seed},           {"minutes", result.seconds / 60},
              {"batches", result.batches},     {"operations", result.operations},     {"bytes", result.bytes},
              {"queues", result.queues},       {"command_buffers", result.in_flight}, {"failed", result.mismatches}};
    for (const Reduced& one : mismatches) json["mismatches"].push_back(json_of(flags, device, one));
    return json;
}

/// Looks for the smallest case behind each mismatch. A driver that fails on the way has shown enough.
std::vector<Reduced> reduce_mismatches(const runtime::Device&                    device,
                                       const std::vector<harness::SoakMismatch>& mismatches) {
    std::vector<Reduced> all;
    harness::CaseRunner  runner(device);
    for (const harness::SoakMismatch& mismatch : mismatches) {
        Reduced    reduced{mismatch, {}};
        const auto what = runner.run(mismatch.steps);
        if (what && !what->empty()) reduced.shrunk = harness::shrink_on(runner, mismatch.steps, *what);
        all.push_back(std::move(reduced));
        if (all.back().shrunk) break; // others are of the same cause, more often than not
    }
    return all;
}

ExitCode run_soak(const Flags& flags, const runtime::Device& device) {
    harness::SoakOptions options;
    options.variants = variants_of(flags);
    options.seconds  = 60 * flags.soak_minutes;
    if (flags.soak_batch) options.batch = static_cast<uint64_t>(*flags.soak_batch);
    harness::SoakResult  result;
    std::vector<Reduced> mismatches;
    {
        Progress   progress("soak");
        const auto on_progress = [&](const harness::SoakProgress& now) {
            const std::string step  = now.seconds > 0 ? fmt::format("{} operations", now.operations) : "pipelines";
            const auto        total = static_cast<uint64_t>(options.batch ? 0 : options.seconds);
            progress.update(step, std::min(static_cast<uint64_t>(now.seconds), total), total);
        };
        result = need_device(harness::soak(device, options, on_progress));
        progress.update("makes the failing case smaller");
        mismatches = reduce_mismatches(device, result.shown);
    }
    const Json json = soak_report(flags, device.info(), result, mismatches);
    if (flags.json != "-") {
        for (const Reduced& one : mismatches) {
            print(reduced_text(json_of(flags, device.info(), one), one.shrunk && !one.shrunk->complete));
        }
        print(filled(
            fmt::format("soak: {{minutes:.1f}} minutes, {{operations}} operations, {:.1f} GB, {{queues}} queue{}, "
                        "{{command_buffers}} command buffers in flight, {{failed}} mismatches\n",
                        static_cast<double>(result.bytes) / 1e9, result.queues == 1 ? "" : "s"),
            json));
    }
    if (!flags.json.empty()) write_report(flags.json, json_text(json, 2));
    check_validation(device);
    return result.mismatches > 0 ? exit_wrong : exit_good;
}

ExitCode run(Flags flags) {
    if (!flags.laws.own.file.empty()) {
        flags.laws.seed   = flags.verify.seed;
        flags.laws.json   = flags.json;
        flags.laws.device = flags.device;
        return verify_laws(flags.laws);
    }
    if (!flags.sizes.empty()) flags.verify.counts = parse_sizes(flags.sizes);
    const bool soaks    = flags.soak_minutes > 0 || flags.soak_batch;
    flags.verify.extent = flags.full    ? harness::Extent::full
                          : flags.brief ? harness::Extent::brief
                          : flags.pairs ? harness::Extent::pairs
                                        : harness::Extent::quick;
    if (flags.levels) return run_levels(flags);
    flags.device.queues = soaks ? harness::soak_queues : 1;
    std::vector<runtime::Device> devices;
    const size_t                 jobs = std::min<size_t>(flags.jobs, harness::subjects().size());
    for (size_t job = 0; job < jobs; ++job) devices.push_back(open_device(flags.device));
    const runtime::Device& device = devices.front();
    if (device.context().profile) require_profile(device, flags.device.profile);
    const bool lines = flags.json != "-";
    if (lines) print(device_line(device.info()) + "\n");
    if (soaks) return run_soak(flags, device);
    if (flags.random_cases > 0 || !flags.property.empty()) return run_cases(flags, device);
    Totals     totals;
    uint64_t   groups_done = 0;
    Progress   progress("verify");
    const auto on_group = [&](const runtime::Device& ran_on, const GroupResult& group) {
        if (group.failed > 0) require_alive(ran_on);
        totals.add(group);
        if (lines) print(group_text(json_of(flags, device.info(), group)));
        progress.update(fmt::format("{} groups done", ++groups_done));
    };
    Journal journal(flags, device.info());
    bool    has_first    = flags.verify.after.empty();
    flags.verify.on_case = [&](const std::string& name, const std::string& after) {
        has_first = has_first || name == flags.verify.after;
        journal.note({name, after});
    };
    progress.update("starting");
    std::vector<const runtime::Device*> pointers;
    for (const runtime::Device& one : devices) pointers.push_back(&one);
    const std::vector<GroupResult> groups = harness::verify(pointers, flags.verify, on_group);

    require_cases(flags, totals, has_first);
    if (lines) print(totals.text());
    if (!flags.json.empty()) write_report(flags.json, json_text(report(flags, device.info(), groups), 2));
    for (const runtime::Device& one : devices) check_validation(one);
    return totals.failed > 0 ? exit_wrong : exit_good;
}

constexpr const char* footer =
    R"(One line per group of cases. A wrong result is shown with its index, and the expected and actual values and bits. A
command line follows that repeats only that case, preceded by the case before it on the same scratch (--after).
The last line is: N passed, M failed; and K skipped, if groups were. Exit code 1 if any case failed.

While cases run (not with --soak), the file of --json names the running case, as "running", and the command that repeats
it. If a driver crashes, this remains; else the report replaces it. With --jobs, the case that started last is named.

--random draws cases with random size, offset, count on the GPU and earlier operations on the same scratch, and shrinks a
failing one. --soak mixes such operations in many command buffers on several queues; its last line says how many
operations were checked, and how many were wrong.

{}

Examples:
  vkprim verify
  vkprim verify --full --device llvmpipe --validation
  vkprim verify --levels
  vkprim verify --only scan --inject withhold=10% --sizes 1,1000,2^20,100000000
  vkprim verify --only 'scan f32' --seed 7
  vkprim verify --random 1000 --seed 7
  vkprim verify --soak 30
  vkprim verify --operation mine.glsl --elements data.npy
  vkprim verify --json - | jq .failed)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    options.add_flag("--quick", flags->quick, "the sizes most likely to fail; the default");
    options.add_flag("--full", flags->full, "many more sizes; on a CPU, pairs of those above 2^19")
        .excludes({"--quick"});
    options.add_flag("--pairs", flags->pairs, "fewer cases: all pairs of variant, size and shape (pairwise testing)")
        .excludes({"--quick", "--full"});
    options
        .add_flag("--brief", flags->brief,
                  "fewest cases: of --pairs, each kind of element and each way through a shader once")
        .excludes({"--quick", "--full", "--pairs"});
    options.add_option("--only", flags->verify.only, "only cases whose name begins with this").type_name("PREFIX");
    options.add_option("--after", flags->verify.after, "run this case first, on the same scratch")
        .type_name("CASE")
        .needs("--only");
    options
        .add_option("--jobs", flags->jobs,
                    "verify this many primitives at the same time, each on a device of its own: faster where a driver\n"
                    "takes most of the time for compiling; default: 1")
        .type_name("N")
        .within(1u, 256u)
        .excludes({"--after"});
    options.add_option("--random", flags->random_cases, "this many random cases instead")
        .type_name("N")
        .within(1u, 1000000000u);
    options.add_option("--property", flags->property, "this random case instead, as printed by a failure")
        .type_name("CASE")
        .excludes({"--only"});
    options
        .add_option("--soak", flags->soak_minutes,
                    "instead, random operations in flight on up to 8 queues, for this many minutes")
        .type_name("MINUTES")
        .within(0.001, 1e6);
    options
        .add_option("--soak-batch", flags->soak_batch,
                    "instead, one batch of a soak, by the number that a failure prints")
        .type_name("N")
        .within(int64_t{0}, INT64_MAX);
    options
        .add_flag("--levels", flags->levels,
                  "once for each of several emulated devices with fewer features, such as one without subgroups; shows "
                  "a table")
        .excludes({"--jobs"});
    options.add_option("--sizes", flags->sizes, "only these counts of elements, such as 1000 or 2^20,2^24")
        .type_name("SIZES");
    options
        .add_option("--operation", flags->laws.own.file,
                    "instead, test whether an operation of your own is associative, and more: see below")
        .type_name("FILE.glsl")
        .excludes({"--only"});
    options.add_option("--elements", flags->laws.elements.path, "the elements for that test: a .npy file")
        .type_name("FILE")
        .needs("--operation");
    options
        .add_option("--parameter", flags->laws.own.parameters, "words 0 to 3 of its parameters, as for vkprim reduce")
        .type_name("X")
        .values(1, 4)
        .needs("--operation");
    const std::vector<std::string> kinds = {"--random", "--property", "--soak", "--soak-batch", "--operation"};
    for (const std::string& kind : kinds) {
        Option option = options.get_option(kind);
        option.excludes({"--quick", "--full", "--pairs", "--brief", "--levels", "--sizes", "--after", "--jobs"});
        for (const std::string& other : kinds) {
            if (other != kind) option.excludes({other});
        }
    }
    options.add_option("--seed", flags->verify.seed, "of the random inputs; default: 1")
        .type_name("S")
        .excludes({"--property"}); // which has its data's own
    options.add_option("--json", flags->json, "write a report; '-': to standard output, instead of the lines")
        .type_name("FILE");
    add_device_flags(options, flags->device);
    return [flags] { return run(*flags); };
}

const Registration registration({"verify", "Verify all primitives on a device against the CPU, to the bit",
                                 fmt::format(footer, laws_help), setup});

} // namespace

} // namespace vkprim::tools::verify_command
