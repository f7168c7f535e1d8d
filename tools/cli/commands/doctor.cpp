#include "tools/doctor/doctor.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "tools/cli/program.h"

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

/// A probe, and what came of it.
struct Row {
    Probe   probe;
    Finding finding;
    double  seconds = 0;
};

Row run_probe(const Probe& probe, doctor::Lab& lab) {
    const auto began = std::chrono::steady_clock::now();
    Row        row{probe, {}, 0};
    try {
        row.finding = probe.run(lab);
    } catch (const doctor::Rejected& rejected) {
        row.finding = {Verdict::failed, rejected.reason};
    }
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return row;
}

std::string row_text(const Row& row) {
    std::string text =
        fmt::format("  {:<27} {:<7}  {}\n", row.probe.name, name_of(row.finding.verdict), row.finding.seen);
    if (row.finding.verdict == Verdict::failed) text += fmt::format("      {}\n", row.probe.about);
    return text;
}

std::string uses_text(const std::vector<doctor::Use>& uses) {
    std::string text = "\nwhat vkprim uses here, and why\n";
    for (const doctor::Use& use : uses) text += fmt::format("  {:<27} {}: {}\n", use.what, use.choice, use.why);
    return text;
}

struct Totals {
    uint32_t ok = 0, notes = 0, failed = 0, skipped = 0;

    explicit Totals(const std::vector<Row>& rows) {
        for (const Row& row : rows) {
            switch (row.finding.verdict) {
                case Verdict::ok: ++ok; break;
                case Verdict::note: ++notes; break;
                case Verdict::failed: ++failed; break;
                case Verdict::skipped: ++skipped; break;
            }
        }
    }
    std::string text() const {
        const std::string more = skipped > 0 ? fmt::format(", {} skipped", skipped) : std::string();
        return fmt::format("\n{} ok, {} notes, {} failed{}\n", ok, notes, failed, more);
    }
};

/// What the report has without any probe.
Json report_of(const Flags& flags, const runtime::DeviceInfo& info, const doctor::Lab& lab) {
    Json json;
    json["vkprim"] = VKPRIM_VERSION_TEXT;
    json["extent"] = flags.quick ? "quick" : "usual";
    json["device"] = json_device_details(info);
    json.update(doctor::properties_json(lab.properties()));
    json["known_crash"] = doctor::known_crash(info);
    json["uses"]        = Json::array();
    for (const doctor::Use& use : doctor::uses_of(lab.core())) {
        json["uses"].push_back({{"what", use.what}, {"choice", use.choice}, {"why", use.why}});
    }
    return json;
}

void add_rows(Json& json, const std::vector<Row>& rows) {
    json["probes"] = Json::array();
    for (const Row& row : rows) {
        json["probes"].push_back({{"topic", row.probe.topic},
                                  {"name", row.probe.name},
                                  {"result", name_of(row.finding.verdict)},
                                  {"seen", row.finding.seen},
                                  {"numbers", row.finding.numbers},
                                  {"about", row.probe.about},
                                  {"seconds", row.seconds}});
    }
    const Totals totals(rows);
    json["ok"]      = totals.ok;
    json["notes"]   = totals.notes;
    json["failed"]  = totals.failed;
    json["skipped"] = totals.skipped;
}

ExitCode run(const Flags& flags) {
    const runtime::Device device = open_device(flags.device);
    doctor::Lab           lab(device, flags.quick);
    const bool            lines  = flags.json != "-";
    Json                  report = report_of(flags, device.info(), lab);
    std::vector<Row>      rows;
    const std::string     crash = doctor::known_crash(device.info());
    if (lines) print(device_line(device.info()) + "\n");
    if (lines && !crash.empty()) print("\nknown to fail: " + crash + "\n");

    const auto write = [&] {
        add_rows(report, rows);
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
    if (lines) print(uses_text(doctor::uses_of(lab.core())) + Totals(rows).text());
    write();
    check_validation(device);
    return Totals(rows).failed > 0 ? exit_wrong : exit_good;
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
