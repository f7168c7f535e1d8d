#include "tools/doctor/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "tools/cli/program.h"
#include "tools/cli/record.h"

namespace vkprim::tools::doctor_command {

namespace {

using doctor::Finding;
using doctor::Probe;
using doctor::Verdict;

struct Flags {
    runtime::DeviceOptions device;
    bool                   quick = false;
    std::string            json;
};

/// What came of a probe.
Json run_probe(const Probe& probe, doctor::Lab& lab) {
    const auto began = std::chrono::steady_clock::now();
    Finding    finding;
    try {
        finding = probe.run(lab);
    } catch (const doctor::Rejected& rejected) {
        finding = {Verdict::failed, rejected.reason};
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return {{"topic", probe.topic}, {"name", probe.name},         {"result", name_of(finding.verdict)},
            {"seen", finding.seen}, {"numbers", finding.numbers}, {"about", probe.about},
            {"seconds", seconds}};
}

std::string row_text(const Json& row) {
    const bool failed = row["result"] == name_of(Verdict::failed);
    return filled(std::string("  {name:<27} {result:<7}  {seen}\n") + (failed ? "      {about}\n" : ""), row);
}

std::string uses_text(const Json& uses) {
    std::string text = "\nwhat vkprim uses here, and why\n";
    for (const Json& use : uses) text += filled("  {what:<27} {choice}: {why}\n", use);
    return text;
}

/// How many probes have each verdict.
Json totals_of(const Json& rows) {
    const auto count = [&](Verdict verdict) {
        return std::count_if(rows.begin(), rows.end(),
                             [&](const Json& row) { return row["result"] == name_of(verdict); });
    };
    return {{"ok", count(Verdict::ok)},
            {"notes", count(Verdict::note)},
            {"failed", count(Verdict::failed)},
            {"skipped", count(Verdict::skipped)}};
}

/// What the report has without any probe.
Json report_of(const Flags& flags, const runtime::DeviceInfo& info, const doctor::Lab& lab) {
    Json json{{"vkprim", VKPRIM_VERSION_TEXT},
              {"extent", flags.quick ? "quick" : "usual"},
              {"device", json_device_details(info)}};
    json.update(doctor::properties_json(lab.properties()));
    json["known_crash"] = doctor::known_crash(info);
    json["uses"]        = Json::array();
    for (const doctor::Use& use : doctor::uses_of(lab.core())) {
        json["uses"].push_back({{"what", use.what}, {"choice", use.choice}, {"why", use.why}});
    }
    return json;
}

ExitCode run(const Flags& flags) {
    const runtime::Device device = open_device(flags.device);
    doctor::Lab           lab(device, flags.quick);
    const bool            lines  = flags.json != "-";
    Json                  report = report_of(flags, device.info(), lab);
    Json                  rows   = Json::array();
    const std::string     crash  = doctor::known_crash(device.info());
    if (lines) print(device_line(device.info()) + "\n");
    if (lines && !crash.empty()) print("\nknown to fail: " + crash + "\n");

    const auto write = [&] {
        report["probes"] = rows;
        report.update(totals_of(rows));
        report["validation_messages"] = device.validation_messages();
        if (!flags.json.empty()) write_report(flags.json, json_text(report, 2));
    };
    const auto         probes = doctor::all_probes();
    Progress           progress("doctor");
    const std::string* topic = nullptr;
    for (const Probe& probe : probes) {
        progress.update(probe.name, rows.size(), probes.size());
        try {
            rows.push_back(run_probe(probe, lab));
        } catch (const Failure& failure) {
            // The device has gone; the report still says how far it came.
            report["error"] = {{"probe", probe.name}, {"reason", failure.reason}};
            write();
            throw Failure{failure.code, fmt::format("{}, {}: {}", probe.topic, probe.name, failure.reason)};
        }
        if (lines && (topic == nullptr || *topic != probe.topic)) print("\n" + probe.topic + "\n");
        topic = &probe.topic;
        if (lines) print(row_text(rows.back()));
    }
    progress.erase();
    const Json  totals  = totals_of(rows);
    const char* skipped = totals["skipped"] > 0 ? ", {skipped} skipped\n" : "\n";
    if (lines)
        print(uses_text(report["uses"]) +
              filled(std::string("\n{ok} ok, {notes} notes, {failed} failed") + skipped, totals));
    write();
    check_validation(device);
    return totals["failed"] > 0 ? exit_wrong : exit_good;
}

constexpr const char* footer =
    R"(One line per probe: its result and what was observed.
ok       it is as Vulkan promises and vkprim needs it
note     both outcomes are allowed; the result is information
FAILED   vkprim's results may be wrong on this device: please report it, with the file that --json writes
skipped  the probe could not run, and why
After the probes comes what vkprim uses on this device, and why. Exit code 1 if any probe failed.

memory      what one workgroup sees of another one's writes, in many trials at once (litmus tests)
progress    whether workgroups keep running while others wait for them; how long loops may be
subgroups, floats, integers: compared with the CPU
dispatch, timestamps: what the measurements and large inputs need
--json adds the device's limits and features, every number that was observed, and a description of each probe.

Examples:
  vkprim doctor
  vkprim doctor --json report.json
  vkprim doctor --device llvmpipe --validation --quick
  vkprim doctor --json - | jq '.probes[] | select(.result == "FAILED")')";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    options.add_flag("--quick", flags->quick, "fewer trials for each probe");
    options
        .add_option("--json", flags->json,
                    "write a report for a bug report; '-': to standard output, instead of the lines")
        .type_name("FILE");
    add_device_flags(options, flags->device);
    return [flags] { return run(*flags); };
}

const Registration registration({"doctor", "Probe what a device and its driver do, for a bug report", footer, setup});

} // namespace

} // namespace vkprim::tools::doctor_command
