#include "tools/ladder/climb.h"
#include "tools/report/chart.h"
#include "tools/report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <sstream>

#include "tools/cli/files/csv.h"
#include "tools/cli/files/files.h"
#include "tools/cli/program.h"
#include "tools/cli/sizes.h"
#include "tools/system/path.h"

namespace vkprim::tools::report_command {

namespace {

using report::Bar;
using report::BarChart;
using report::Line;
using report::LineChart;
using report::Page;
using report::Scale;
using report::table_of;

struct Flags {
    DeviceFlags device;
    std::string output, json, csv, peers;
    bool        quick = false;
};

struct Verified {
    uint32_t cases = 0, failed = 0;
    double   seconds = 0;
};

/// Everything that is measured, as it is drawn.
struct Findings {
    std::vector<std::vector<std::string>> device;
    std::map<std::string, Verified>       verification; ///< by primitive
    std::vector<LineChart>                bandwidth, latency, sweeps, peers;
    std::vector<BarChart>                 ladders;
    std::string                           peers_file;
    std::vector<std::vector<std::string>> faults{{"what", "", ""}}; ///< wrong results, and what could not run
    bool                                  wrong = false;

    /// Notes a result that is not the CPU's.
    void check(const std::string& what, uint32_t count, const std::string& wrong_how) {
        if (wrong_how.empty()) return;
        wrong = true;
        faults.push_back({what, size_text(count) + " elements", "WRONG: " + wrong_how});
    }
};

void describe(const runtime::DeviceInfo& info, Findings& findings) {
    findings.device = {{"property", "value"},
                       {"device", info.name},
                       {"driver", info.driver},
                       {"kind", runtime::type_name(info.type)},
                       {"subgroup size", std::to_string(info.subgroup_size)},
                       {"invocations of a workgroup", std::to_string(info.max_workgroup_invocations)},
                       {"shared memory of a workgroup", fmt::format("{} KiB", info.shared_memory_size / 1024)},
                       {"memory", fmt::format("{:.1f} GiB", static_cast<double>(info.memory_size) / 1073741824.0)},
                       {"vkprim", VKPRIM_VERSION_TEXT}};
}

void verify(const runtime::Device& device, bool quick, Findings& findings, Progress& progress) {
    harness::VerifyOptions options;
    if (quick) options.extent = harness::Extent::brief;
    harness::verify({&device}, options, [&](const runtime::Device&, const harness::GroupResult& group) {
        progress.update("verifying " + group.name);
        Verified& verified = findings.verification[group.name.substr(0, group.name.find(' '))];
        verified.cases += group.cases;
        verified.failed += group.failed;
        verified.seconds += group.seconds;
        findings.wrong = findings.wrong || group.failed > 0;
    });
}

/// The first benchmarks of each subject, at every size: their bandwidth, and for few elements their time.
void measure_sizes(const runtime::Device& device, const std::vector<uint32_t>& sizes, Findings& findings,
                   Progress& progress) {
    constexpr size_t most_lines = 4, few = 1 << 16;
    Line             ceiling{"copy kernel", {}, true};
    // First of all the yardstick.
    auto subjects = harness::subjects();
    std::stable_partition(subjects.begin(), subjects.end(), [](const auto& subject) { return subject.name == "copy"; });
    for (const harness::Subject& subject : subjects) {
        if (subject.benches.empty()) continue;
        LineChart bandwidth{subject.name,
                            "What has to be read and written, by the median time.",
                            {"elements", Scale::log2},
                            {"GB/s", Scale::log10},
                            {}};
        LineChart latency{subject.name,
                          "The median time of one operation after another.",
                          {"elements", Scale::log2},
                          {"µs", Scale::log10},
                          {}};
        for (const harness::BenchDesc& bench : subject.benches) {
            if (bandwidth.lines.size() == most_lines) break;
            Line line{bench.name, {}}, short_line{bench.name, {}};
            for (uint32_t size : sizes) {
                progress.update(fmt::format("{} {}, {}", subject.name, bench.name, size_text(size)));
                const auto workload = bench.prepare(device, size);
                const auto result   = workload ? harness::measure(device, *workload) : workload.error();
                if (!result && out_of_memory(result.error().code)) continue;
                if (!result) throw Failure{exit_code_of(result.error()), result.error().reason};
                findings.check(subject.name + " " + bench.name, size, result->wrong);
                line.points.push_back({static_cast<double>(size), result->gbps,
                                       fmt::format("{} elements, {:.2f} GB/s", size_text(size), result->gbps)});
                if (size <= few) {
                    short_line.points.push_back(
                        {static_cast<double>(size), result->median_ms * 1000,
                         fmt::format("{} elements, {:.2f} µs", size_text(size), result->median_ms * 1000)});
                }
            }
            bandwidth.lines.push_back(line);
            latency.lines.push_back(short_line);
        }
        if (subject.name == "copy") {
            ceiling.points = bandwidth.lines[0].points;
            continue;
        }
        const report::Span span = span_of(latency, &report::Point::y);
        if (span.greatest < 10 * span.least) latency.y.scale = Scale::linear; // within a decade
        bandwidth.lines.push_back(ceiling);
        findings.bandwidth.push_back(bandwidth);
        findings.latency.push_back(latency);
    }
}

ladder::Watcher shown(const ladder::Ladder& ladder, Progress& progress) {
    ladder::Watcher watcher;
    watcher.on_step = [&](const ladder::Step& step) { progress.update(ladder.name + ", " + step.name); };
    return watcher;
}

void climb(const runtime::Device& device, uint32_t count, Findings& findings) {
    const double copy = ladder::copy_gbps(device, count);
    for (const ladder::Ladder& one : ladder::ladders()) {
        for (const ladder::Problem& problem : one.problems({std::min(count, one.most)})) {
            BarChart chart;
            chart.title = one.name + ": " + problem.data;
            chart.about = fmt::format(
                "{} elements, workgroups of 256. Each bar a step; the last, where its colour is another, is vkprim's.",
                size_text(problem.count));
            chart.axis         = {"GB/s", Scale::log10};
            chart.ceiling      = copy;
            chart.ceiling_name = fmt::format("the copy kernel: {:.1f} GB/s", copy);
            Progress progress("ladder");
            for (const ladder::Row& row : ladder::climb(device, one, problem, {256}, copy, shown(one, progress))) {
                if (!row.result) {
                    findings.faults.push_back({chart.title + ": " + row.step.name, "not run", row.error});
                    continue;
                }
                findings.check(chart.title + ": " + row.step.name, row.count, row.result->wrong);
                chart.bars.push_back(
                    {row.step.name,
                     fmt::format("{:.2f} GB/s, {:.4f} ms. {}", row.result->gbps, row.result->median_ms, row.step.idea),
                     row.result->gbps, row.step.own});
            }
            double least = copy;
            for (const Bar& bar : chart.bars) least = std::min(least, bar.value);
            if (copy < 10 * least) chart.axis.scale = Scale::linear; // within a decade
            findings.ladders.push_back(std::move(chart));
        }
    }
}

/// Of a scan those that add the sums of workgroups directly.
void sweep(const runtime::Device& device, uint32_t count, Findings& findings) {
    for (const ladder::Ladder& one : ladder::ladders()) {
        if (one.name != "scan" && one.name != "reduce") continue;
        ladder::Problem problem = one.problems({count})[0];
        LineChart       chart{
            one.name,
            fmt::format("{} elements of {}, each step with workgroups of 2 to 1024.", size_text(count), problem.data),
            {"invocations of a workgroup", Scale::log2},
            {"ms", Scale::log10},
            {}};
        problem.steps = [all = problem.steps](const runtime::Device& on, uint32_t size) {
            std::vector<ladder::Step> steps;
            for (ladder::Step& step : all(on, size)) {
                if (!step.lesser && !step.own) steps.push_back(step);
            }
            return steps;
        };
        Progress        progress("ladder");
        ladder::Watcher watcher = shown(one, progress);
        watcher.on_row          = [&](const ladder::Row& row) {
            if (!row.result) return;
            findings.check(fmt::format("{}: {}, workgroups of {}", one.name, row.step.name, row.workgroup_size),
                                    row.count, row.result->wrong);
            if (chart.lines.empty() || chart.lines.back().name != row.step.name)
                chart.lines.push_back({row.step.name, {}});
            chart.lines.back().points.push_back(
                         {static_cast<double>(row.workgroup_size), row.result->median_ms,
                 fmt::format("workgroups of {}, {:.4f} ms", row.workgroup_size, row.result->median_ms)});
        };
        ladder::climb(device, one, problem, ladder::all_workgroup_sizes(), 0, watcher);
        findings.sweeps.push_back(std::move(chart));
    }
}

/// A line at 1 in each, from the least number of elements to the greatest.
void add_even_lines(std::vector<LineChart>& charts) {
    for (LineChart& chart : charts) {
        const report::Span span = span_of(chart, &report::Point::x);
        chart.lines.push_back({"as fast as CUB", {{span.least, 1, ""}, {span.greatest, 1, ""}}, true});
    }
}

/// The table that `vkprim_peers --csv` wrote.
void read_peers(const std::string& path, Findings& findings) {
    std::istringstream file(need_file(read_text(path)));
    std::string        text;
    std::getline(file, text);
    const std::vector<std::string> head   = csv_fields(text);
    const auto                     column = [&](const char* name) {
        const auto found = std::find(head.begin(), head.end(), name);
        if (found == head.end()) throw Failure{exit_usage, fmt::format("{}: there is no column '{}'", path, name)};
        return static_cast<size_t>(found - head.begin());
    };
    findings.peers_file = system::text_of(system::path_of(path).filename());
    const size_t op = column("op"), name = column("name"), count = column("count"), ratio = column("ratio");
    while (std::getline(file, text)) {
        const std::vector<std::string> fields = csv_fields(text);
        if (fields.size() != head.size())
            throw Failure{exit_usage, fmt::format("{}: a row has {} fields, not {}", path, fields.size(), head.size())};
        if (fields[op] == "copy" || fields[ratio].empty()) continue;
        const bool goes_on = !findings.peers.empty() && (findings.peers.back().title == fields[op] ||
                                                         findings.peers.back().title == fields[op] + ", more");
        const bool is_full = goes_on && findings.peers.back().lines.size() == report::most_lines &&
                             findings.peers.back().lines.back().name != fields[name];
        if (!goes_on || is_full) {
            findings.peers.push_back({is_full ? fields[op] + ", more" : fields[op],
                                      "CUB's time by vkprim's: above 1, vkprim is faster.",
                                      {"elements", Scale::log2},
                                      {"CUB / vkprim", Scale::log10},
                                      {}});
        }
        std::vector<Line>& lines = findings.peers.back().lines;
        if (lines.empty() || lines.back().name != fields[name]) lines.push_back({fields[name], {}});
        const double elements = std::strtod(fields[count].c_str(), nullptr),
                     times    = std::strtod(fields[ratio].c_str(), nullptr);
        if (!(elements >= 1 && elements <= UINT32_MAX && times > 0 && std::isfinite(times))) {
            throw Failure{exit_usage,
                          fmt::format("{}: a row has count '{}' and ratio '{}', of which one is no number above 0",
                                      path, fields[count], fields[ratio])};
        }
        lines.back().points.push_back(
            {elements, times, fmt::format("{} elements, {:.2f}", size_text(static_cast<uint32_t>(elements)), times)});
    }
    add_even_lines(findings.peers);
}

template <class Chart>
std::string charts_of(const std::vector<Chart>& charts) {
    std::string out = "<div class=\"charts\">\n";
    for (const Chart& chart : charts) out += figure_of(chart);
    return out + "</div>\n";
}

std::string verification_of(const Findings& findings) {
    std::vector<std::vector<std::string>> table{{"primitive", "cases", "failed", "seconds"}};
    for (const auto& [name, verified] : findings.verification) {
        table.push_back({name, std::to_string(verified.cases), std::to_string(verified.failed),
                         fmt::format("{:.1f}", verified.seconds)});
    }
    return table_of(table);
}

Page page_of(const runtime::DeviceInfo& info, const Findings& findings) {
    Page page{"vkprim on " + info.name,
              fmt::format("Measured by vkprim {} on {}. Values show where the pointer rests, and under each chart.",
                          VKPRIM_VERSION_TEXT, today()),
              {}};
    page.sections = {{"The device", "", table_of(findings.device)},
                     {"Verification", "Every case, and all that is measured below, against the CPU, to the bit.",
                      verification_of(findings) + (findings.faults.size() > 1 ? table_of(findings.faults) : "")},
                     {"Bandwidth against size", "The dashed line is what this device's copy kernel reaches.",
                      charts_of(findings.bandwidth)},
                     {"Few elements", "What one operation costs, whatever it does.", charts_of(findings.latency)},
                     {"The ladder", "From the plainest algorithm to vkprim's, each step checked against the CPU.",
                      charts_of(findings.ladders)},
                     {"Sizes of workgroups", "Without transfers.", charts_of(findings.sweeps)}};
    if (!findings.peers.empty())
        page.sections.push_back(
            {"Beside CUB", "From one run of vkprim_peers: " + findings.peers_file + ", whatever device that was on.",
             charts_of(findings.peers)});
    return page;
}

Json json_of(const LineChart& chart) {
    Json json{{"title", chart.title},
              {"about", chart.about},
              {"x", chart.x.name},
              {"y", chart.y.name},
              {"lines", Json::array()}};
    for (const Line& line : chart.lines) {
        Json points = Json::array();
        for (const report::Point& point : line.points) points.push_back({point.x, point.y});
        json["lines"].push_back({{"name", line.name}, {"is_ceiling", line.is_ceiling}, {"points", points}});
    }
    return json;
}

Json json_of(const BarChart& chart) {
    Json json{{"title", chart.title},
              {"about", chart.about},
              {"axis", chart.axis.name},
              {"ceiling", chart.ceiling},
              {"bars", Json::array()}};
    for (const Bar& bar : chart.bars)
        json["bars"].push_back({{"name", bar.name}, {"value", bar.value}, {"note", bar.note}});
    return json;
}

Json json_of(const runtime::DeviceInfo& info, const Findings& findings) {
    Json json{{"vkprim", VKPRIM_VERSION_TEXT}, {"device", json_device_details(info)}, {"verification", Json::array()}};
    for (const auto& [name, verified] : findings.verification) {
        json["verification"].push_back({{"primitive", name},
                                        {"cases", verified.cases},
                                        {"failed", verified.failed},
                                        {"seconds", verified.seconds}});
    }
    json["faults"] = Json::array();
    for (size_t r = 1; r < findings.faults.size(); ++r) {
        const auto& row = findings.faults[r];
        json["faults"].push_back({{"what", row[0]}, {"where", row[1]}, {"reason", row[2]}});
    }
    const auto add = [&](const char* name, const auto& charts) {
        json[name] = Json::array();
        for (const auto& chart : charts) json[name].push_back(json_of(chart));
    };
    add("bandwidth", findings.bandwidth);
    add("latency", findings.latency);
    add("ladders", findings.ladders);
    add("sweeps", findings.sweeps);
    add("peers", findings.peers);
    return json;
}

std::string csv_of(const Findings& findings) {
    std::string out = "part,title,name,x,y,unit\n";
    const auto  add = [&](const std::string& part, const std::string& title, const std::string& name,
                         const std::string& x, const std::string& y, const std::string& unit) {
        out += fmt::format("{},{},{},{},{},{}\n", part, csv_field(title), csv_field(name), x, csv_field(y),
                            csv_field(unit));
    };
    const auto add_lines = [&](const std::string& part, const std::vector<LineChart>& charts) {
        for (const LineChart& chart : charts) {
            for (const Line& line : chart.lines) {
                for (const report::Point& point : line.points)
                    add(part, chart.title, line.name, fmt::to_string(point.x), fmt::to_string(point.y), chart.y.name);
            }
        }
    };
    for (size_t r = 1; r < findings.device.size(); ++r)
        add("device", "", findings.device[r][0], "", findings.device[r][1], "");
    for (const auto& [name, verified] : findings.verification) {
        add("verification", name, "cases", "", std::to_string(verified.cases), "");
        add("verification", name, "failed", "", std::to_string(verified.failed), "");
        add("verification", name, "time", "", fmt::to_string(verified.seconds), "s");
    }
    for (size_t r = 1; r < findings.faults.size(); ++r)
        add("fault", findings.faults[r][0], findings.faults[r][1], "", findings.faults[r][2], "");
    add_lines("bandwidth", findings.bandwidth);
    add_lines("latency", findings.latency);
    for (const BarChart& chart : findings.ladders) {
        for (const Bar& bar : chart.bars)
            add("ladder", chart.title, bar.name, "", fmt::to_string(bar.value), chart.axis.name);
    }
    add_lines("sweep", findings.sweeps);
    add_lines("peers", findings.peers);
    return out;
}

/// How much is measured.
struct Extent {
    const char* sizes;
    uint32_t    ladder_count, sweep_count;
};

Extent extent_of(const runtime::Device& device, bool quick) {
    const bool software = device.info().type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    if (software)
        return quick ? Extent{"2^10..2^16", 1 << 14, (1 << 14) + 1} : Extent{"2^10..2^20", 1 << 18, (1 << 16) + 1};
    return quick ? Extent{"2^10..2^24", 1 << 20, (1 << 20) + 1} : Extent{"2^10..2^26", (1 << 24) + 1, (1 << 24) + 1};
}

ExitCode run(const Flags& flags) {
    Findings findings;
    check_outputs({{"-o", flags.output}, {"--json", flags.json}, {"--csv", flags.csv}});
    if (!flags.peers.empty()) read_peers(flags.peers, findings); // a bad file is told before anything is measured
    const runtime::Device device = open_device(flags.device);
    need_timestamps(device);
    const Extent extent = extent_of(device, flags.quick);
    {
        Progress progress("report");
        describe(device.info(), findings);
        verify(device, flags.quick, findings, progress);
        measure_sizes(device, parse_sizes(extent.sizes), findings, progress);
    }
    climb(device, extent.ladder_count, findings);
    sweep(device, extent.sweep_count, findings);
    check_validation(device);
    write_report(flags.output, html_of(page_of(device.info(), findings)));
    if (!flags.json.empty()) write_report(flags.json, json_text(json_of(device.info(), findings), 2));
    if (!flags.csv.empty()) write_report(flags.csv, csv_of(findings));
    return findings.wrong ? exit_wrong : exit_good;
}

constexpr const char* footer =
    R"(The page is one self-contained HTML file: the device, the results of verification, bandwidth against size, the time for
small counts, the ladders, and workgroups of every size. Every measured result is compared with the CPU's; exit code 1 if
any was wrong. It takes minutes on a GPU.

Examples:
  vkprim report -o report.html
  vkprim report -o report.html --peers bench/results/h200.csv --json report.json
  vkprim report --device llvmpipe -o report.html)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    options.add_option("-o,--output", flags->output, "the page to write; '-': to standard output")
        .type_name("FILE")
        .required();
    options.add_option("--json", flags->json, "write the same data").type_name("FILE");
    options.add_option("--csv", flags->csv, "write the same data as a table").type_name("FILE");
    options.add_option("--peers", flags->peers, "also show the table that vkprim_peers --csv wrote").type_name("FILE");
    options.add_flag("--quick", flags->quick, "fewer cases, and fewer and smaller sizes");
    add_device_flags(options, flags->device);
    return [flags] { return run(*flags); };
}

const Registration registration({"report", "Write a page about a device: which results are right, how fast, and why",
                                 footer, setup});

} // namespace

} // namespace vkprim::tools::report_command
