#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "csv.h"
#include "harness/harness.h"
#include "program.h"

namespace vkprim::tools {

namespace {

struct Flags {
    DeviceFlags device;
    std::string only, csv, json;
    bool        no_spills = false;
};

/// A pipeline of a primitive.
struct Row {
    std::string                 group; ///< "scan u32 add exclusive"
    runtime::PipelineStatistics pipeline;
};

/// What drivers call by different names: the sum of those that a driver has.
struct Column {
    const char*              title;
    std::vector<const char*> names;
};

const Column columns[] = {
    {"registers", {"Register Count", "VGPRs"}},
    {"scalar", {"SGPRs"}},
    {"spilled", {"Spilled VGPRs", "Spilled SGPRs", "Local Memory Size"}},
    {"stack", {"Stack Size", "Scratch size"}},
    {"shared", {"LDS size", "Shared Memory Size"}},
    {"code", {"Code size", "Binary Size"}},
    {"occupancy", {"Subgroups per SIMD"}},
};

const Column& spills    = columns[2];
const Column& occupancy = columns[6];

/// Nothing where the driver has none of the names.
std::optional<double> value_of(const Row& row, const Column& column) {
    std::optional<double> sum;
    for (const auto& [name, value] : row.pipeline.values) {
        const bool wanted = std::any_of(column.names.begin(), column.names.end(),
                                        [&name = name](const char* one) { return name == one; });
        // Above bit 32, NVIDIA's driver has something else in its size of local memory.
        if (wanted) sum = sum.value_or(0) + std::fmod(value, 4294967296.0);
    }
    return sum;
}

bool is_spilling(const Row& row) { return value_of(row, spills).value_or(0) > 0; }

constexpr const char* line_format = "{:<46} {:<20} {:>8}";

std::string value_text(std::optional<double> value) {
    return fmt::format(" {:>9}", value ? fmt::format("{}", *value) : "-");
}

/// The largest of a column; of occupancy, the smallest.
std::optional<double> worst_of(const std::vector<Row>& rows, const Column& column) {
    std::optional<double> worst;
    for (const Row& row : rows) {
        const auto value = value_of(row, column);
        if (!value) continue;
        const bool worse = worst && (&column == &occupancy ? *value < *worst : *value > *worst);
        if (!worst || worse) worst = value;
    }
    return worst;
}

std::string table_text(const std::vector<Row>& rows) {
    std::string out = fmt::format(line_format, "primitive", "pipeline", "subgroup");
    for (const Column& column : columns) out += fmt::format(" {:>9}", column.title);
    for (const Row& row : rows) {
        out += "\n" + fmt::format(line_format, row.group, row.pipeline.name, row.pipeline.subgroup_size);
        for (const Column& column : columns) out += value_text(value_of(row, column));
    }
    out += "\n" + fmt::format(line_format, fmt::format("{} pipelines: most, and least occupancy", rows.size()), "", "");
    for (const Column& column : columns) out += value_text(worst_of(rows, column));
    return out + "\n";
}

std::string csv_text(const std::vector<Row>& rows) {
    std::string out = "primitive,pipeline,subgroup";
    for (const Column& column : columns) out += fmt::format(",{}", column.title);
    out += "\n";
    for (const Row& row : rows) {
        out += fmt::format("{},{},{}", csv_field(row.group), csv_field(row.pipeline.name), row.pipeline.subgroup_size);
        for (const Column& column : columns) {
            const auto value = value_of(row, column);
            out += value ? fmt::format(",{}", *value) : ",";
        }
        out += "\n";
    }
    return out;
}

Json report(const runtime::DeviceInfo& device, const std::vector<Row>& rows) {
    Json json;
    json["device"]    = json_device(device);
    json["pipelines"] = Json::array();
    for (const Row& row : rows) {
        Json one{
            {"primitive", row.group}, {"pipeline", row.pipeline.name}, {"subgroup_size", row.pipeline.subgroup_size}};
        for (const auto& [name, value] : row.pipeline.values) one["statistics"][name] = value;
        json["pipelines"].push_back(std::move(one));
    }
    return json;
}

ExitCode run(Flags flags) {
    flags.device.pipeline_statistics = true;
    const runtime::Device device     = open_device(flags.device);

    harness::VerifyOptions verify;
    verify.extent      = harness::Extent::full;
    verify.only        = flags.only;
    verify.create_only = true;
    std::vector<Row> rows;
    bool             failed = false;
    Progress         progress("pipelines");
    progress.update("starting");
    harness::verify(device, verify, [&](const harness::GroupResult& group) {
        progress.update(fmt::format("{} done", rows.size()));
        for (runtime::PipelineStatistics& one : device.take_pipelines()) rows.push_back({group.name, std::move(one)});
        for (const harness::Mismatch& mismatch : group.mismatches) {
            failed = true;
            print(fmt::format("{}: {}\n", mismatch.case_name, mismatch.what));
        }
    });
    if (rows.empty() && !failed) throw Failure{exit_usage, fmt::format("no primitive begins with '{}'", flags.only)};

    if (flags.csv != "-" && flags.json != "-") print(device_line(device.info()) + "\n\n" + table_text(rows));
    if (!flags.csv.empty()) write_report(flags.csv, csv_text(rows));
    if (!flags.json.empty()) write_report(flags.json, json_text(report(device.info(), rows), 2));
    const auto spilling = std::count_if(rows.begin(), rows.end(), is_spilling);
    if (flags.no_spills && spilling > 0)
        throw Failure{exit_wrong, fmt::format("{} pipelines spill registers", spilling)};
    check_validation(device);
    return failed ? exit_wrong : exit_good;
}

constexpr const char* footer =
    R"(One line for each pipeline, from VK_KHR_pipeline_executable_properties. Drivers differ in what they tell; - is untold.
registers  of an invocation; AMD: vector registers, and scalar ones of a subgroup
spilled    registers (AMD) or bytes (NVIDIA) that did not fit and went to memory
stack      bytes of an invocation
shared     bytes of a workgroup; NVIDIA: with registers that were spilled there
code       bytes
occupancy  subgroups that fit on a SIMD unit at once
--json has all that the driver tells, in its words. Exit code 1 where the driver rejects a pipeline.

Examples:
  vkprim pipelines
  vkprim pipelines --only 'scan f32' --csv scan.csv
  RADV_FORCE_FAMILY=navi21 vkprim pipelines --no-spills)";

std::function<ExitCode()> setup(CLI::App& app) {
    const auto flags = std::make_shared<Flags>();
    app.add_option("--only", flags->only, "only primitives whose name begins with this")->type_name("PREFIX");
    app.add_flag("--no-spills", flags->no_spills, "exit code 1 where a pipeline spills registers");
    app.add_option("--csv", flags->csv, "write the table; '-': to standard output")->type_name("FILE");
    app.add_option("--json", flags->json, "write a report; '-': to standard output, instead of the lines")
        ->type_name("FILE");
    add_device_flags(app, flags->device);
    return [flags] { return run(*flags); };
}

const Registration registration({"pipelines", "Show what the driver made of each shader", footer, setup});

} // namespace

} // namespace vkprim::tools
