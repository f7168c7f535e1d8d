#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>

#include <vkprim/reduce.h>
#include <vkprim/scan.h>
#include <vkprim/segmented_reduce.h>
#include <vkprim/segmented_scan.h>
#include "harness/harness.h"
#include "operation_file.h"
#include "tools/cli/files/csv.h"
#include "tools/cli/program.h"

namespace vkprim::tools::pipelines_command {

namespace {

struct Flags {
    DeviceFlags device;
    std::string only, csv, json;
    bool        no_spills = false;

    std::vector<std::string> operations; ///< files
    std::vector<std::string> may_spill;  ///< beginnings of groups' names
};

/// A pipeline of a primitive.
struct Row {
    std::string                 group; ///< "scan u32 add exclusive"
    runtime::PipelineStatistics pipeline;
};

/// What drivers call by different names: the sum of those that a driver has.
struct Column {
    const char*           title;
    std::set<std::string> names;
    bool                  less_is_worse = false;
};

// Mesa's drivers of 2022 to 2026, NVIDIA's own.
const Column spills = {
    "spilled",
    {"Spilled VGPRs", "Spilled SGPRs",               // RADV
     "Local Memory Size",                            // NVIDIA
     "Spill Count", "Fill Count", "Spills", "Fills", // ANV; the last two of panvk and Honeykrisp, too
     "STP Count", "LDP Count",                       // Turnip
     "Spills to memory", "Fills from memory",        // NVK
     "Spill Size"}};                                 // V3DV
const Column occupancy = {
    "occupancy", {"Subgroups per SIMD", "Max Waves Per Core", "Max warps/SM", "Threads", "Thread Count"}, true};

const Column columns[] = {
    {"registers", {"Register Count", "VGPRs", "Registers used", "Max live registers", "Number of GPRs", "GPRs"}},
    {"scalar", {"SGPRs"}},
    spills,
    {"stack", {"Stack Size", "Scratch size", "Scratch Memory Size", "SLM size", "Scratch"}},
    {"shared", {"LDS size", "Shared Memory Size", "Workgroup Memory Size"}},
    {"code", {"Code size", "Binary Size"}},
    {"instrs", {"Instructions", "Instruction Count", "Instruction count"}},
    {"cycles", {"Latency", "Cycle Count", "Cycles", "Static cycle count"}},
    occupancy,
};

/// What drivers tell besides.
const std::set<std::string> other_names = {
    // RADV
    "Driver pipeline hash", "Hash", "Copies", "Branches", "Inverse Throughput", "VMEM Clause", "SMEM Clause",
    "Pre-Sched SGPRs", "Pre-Sched VGPRs", "VALU", "SALU", "VMEM", "SMEM", "VOPD", "Combined inputs", "Combined outputs",
    // ANV
    "SEND Count", "Loop Count", "SENDs", "Loops", "GRF registers", "Max dispatch width", "Push constant ranges",
    "Push constant registers", "Non SSA regs after NIR", "Source hash", "Scheduler mode",
    // Turnip
    "NOPs Count", "MOV Count", "COV Count", "Half-registers used", "Last interpolation instruction",
    "Last helper instruction", "Instructions with SS sync bit", "Instructions with SY sync bit",
    "Estimated cycles stalled on SS", "Estimated cycles stalled on SY", "cat0 instructions", "cat1 instructions",
    "cat2 instructions", "cat3 instructions", "cat4 instructions", "cat5 instructions", "cat6 instructions",
    "cat7 instructions", "Preamble Instruction Count", "Early preamble", "Const file size",
    // NVK: registers of another kind, which are no memory
    "Spills to reg", "Fills from reg",
    // panvk, Honeykrisp
    "FMA", "CVT", "SFU", "ALU", "Varying", "Texture", "Load/store", "Spill cost", "Uniforms used", "FSCIB", "IC",
    "Uniforms", "Preamble instructions",
    // V3DV: the loads and stores that make up the size above
    "Compile Strategy", "TMU Spills", "TMU Fills", "QPU Read Stalls"};

/// Nothing where the driver has none of the names.
std::optional<double> value_of(const Row& row, const Column& column) {
    std::optional<double> sum;
    for (const auto& [name, value] : row.pipeline.values) {
        // Above bit 32, NVIDIA's driver has something else in its size of local memory.
        if (column.names.count(name) > 0) sum = sum.value_or(0) + std::fmod(value, 4294967296.0);
    }
    return sum;
}

/// What speaks against a pipeline, or nothing. What is not known is not taken for none.
std::string fault_of(const Row& row, bool may_spill) {
    for (const auto& [name, value] : row.pipeline.values) {
        const bool known = other_names.count(name) > 0 ||
                           std::any_of(std::begin(columns), std::end(columns),
                                       [&name = name](const Column& column) { return column.names.count(name) > 0; });
        if (!known)
            return fmt::format(
                "the driver tells '{}', which vkprim does not know: see tools/cli/commands/pipelines.cpp", name);
    }
    const auto spilled = value_of(row, spills);
    if (!spilled) return "the driver does not tell whether it spills registers";
    if (*spilled > 0 && !may_spill) return fmt::format("spills registers: {}", *spilled);
    if (value_of(row, occupancy) == 0.0) return "not one subgroup of it fits on the device";
    return {};
}

/// An exception that no pipeline needs is a fault as well: it would hide the next one.
void check_spills(const std::vector<Row>& rows, const std::vector<std::string>& exceptions) {
    size_t                faults = 0;
    std::string           first;
    std::set<std::string> needed;
    for (const Row& row : rows) {
        const auto exception = std::find_if(exceptions.begin(), exceptions.end(), [&row](const std::string& prefix) {
            return row.group.compare(0, prefix.size(), prefix) == 0;
        });
        const bool may_spill = exception != exceptions.end();
        if (may_spill && value_of(row, spills).value_or(0) > 0) needed.insert(*exception);
        const std::string fault = fault_of(row, may_spill);
        if (fault.empty()) continue;
        if (++faults == 1) first = fmt::format("{}, {}: {}", row.group, row.pipeline.name, fault);
    }
    if (faults > 0)
        throw Failure{exit_wrong, fmt::format("{} of {} pipelines, such as {}", faults, rows.size(), first)};
    for (const std::string& exception : exceptions)
        if (needed.count(exception) == 0)
            throw Failure{exit_wrong,
                          fmt::format("no pipeline of '{}' spills registers: leave out its --may-spill", exception)};
}

constexpr const char* line_format = "{:<46} {:<20} {:>8}";

std::string value_text(std::optional<double> value) {
    return fmt::format(" {:>9}", value ? fmt::format("{}", *value) : "-");
}

/// The largest of a column; the smallest where less is worse.
std::optional<double> worst_of(const std::vector<Row>& rows, const Column& column) {
    std::optional<double> worst;
    for (const Row& row : rows) {
        const auto value = value_of(row, column);
        if (!value) continue;
        const bool worse = worst && (column.less_is_worse ? *value < *worst : *value > *worst);
        if (!worst || worse) worst = value;
    }
    return worst;
}

std::string table_text(const std::vector<Row>& rows) {
    std::string out = fmt::format(line_format, "primitive", "pipeline", "subgroup");
    for (const Column& column : columns) out += fmt::format(" {:>9}", column.title);
    out += fmt::format(" {:>9}", "ms");
    double ms = 0;
    for (const Row& row : rows) {
        out += "\n" + fmt::format(line_format, row.group, row.pipeline.name, row.pipeline.subgroup_size);
        for (const Column& column : columns) out += value_text(value_of(row, column));
        out += fmt::format(" {:>9.1f}", row.pipeline.milliseconds);
        ms += row.pipeline.milliseconds;
    }
    out += "\n" + fmt::format(line_format, fmt::format("{} pipelines: most, and least occupancy", rows.size()), "", "");
    for (const Column& column : columns) out += value_text(worst_of(rows, column));
    return out + fmt::format(" {:>9.1f}\n", ms / static_cast<double>(std::max<size_t>(rows.size(), 1)));
}

std::string csv_text(const std::vector<Row>& rows) {
    std::string out = "primitive,pipeline,subgroup";
    for (const Column& column : columns) out += fmt::format(",{}", column.title);
    out += ",ms\n";
    for (const Row& row : rows) {
        out += fmt::format("{},{},{}", csv_field(row.group), csv_field(row.pipeline.name), row.pipeline.subgroup_size);
        for (const Column& column : columns) {
            const auto value = value_of(row, column);
            out += value ? fmt::format(",{}", *value) : ",";
        }
        out += fmt::format(",{}\n", row.pipeline.milliseconds);
    }
    return out;
}

Json report(const runtime::DeviceInfo& device, const std::vector<Row>& rows) {
    Json json;
    json["device"]    = json_device(device);
    json["pipelines"] = Json::array();
    for (const Row& row : rows) {
        Json one{{"primitive", row.group},
                 {"pipeline", row.pipeline.name},
                 {"subgroup_size", row.pipeline.subgroup_size},
                 {"milliseconds", row.pipeline.milliseconds}};
        for (const auto& [name, value] : row.pipeline.values) one["statistics"][name] = value;
        json["pipelines"].push_back(std::move(one));
    }
    return json;
}

/// The pipelines that reductions and scans, also of segments, have for an operation.
void add_own(const std::string& path, const runtime::Device& device, std::vector<Row>& rows) {
    const OperationFile file(path, device, true, true, true, true);
    const auto          take = [&](const std::string& group) {
        for (runtime::PipelineStatistics& one : device.take_pipelines())
            rows.push_back({group + " " + path, std::move(one)});
    };
    Reduce::Desc reduce;
    reduce.own = &file.operation();
    need_device(Reduce::create(device.context(), reduce));
    take("reduce");
    Scan::Desc scan;
    scan.own = &file.operation();
    need_device(Scan::create(device.context(), scan));
    take("scan");
    SegmentedReduce::Desc segmented;
    segmented.own = &file.operation();
    need_device(SegmentedReduce::create(device.context(), segmented));
    take("segmented_reduce");
    SegmentedScan::Desc segmented_scan;
    segmented_scan.own = &file.operation();
    need_device(SegmentedScan::create(device.context(), segmented_scan));
    take("segmented_scan");
}

ExitCode run(Flags flags) {
    check_outputs({{"--csv", flags.csv}, {"--json", flags.json}});
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
    for (const std::string& path : flags.operations) {
        progress.update(path);
        add_own(path, device, rows);
    }
    const std::string copy = "copy kernel";
    if (flags.operations.empty() && copy.compare(0, flags.only.size(), flags.only) == 0) {
        need_device(harness::compile_copy(device));
        for (runtime::PipelineStatistics& one : device.take_pipelines()) rows.push_back({copy, std::move(one)});
    }
    if (flags.operations.empty())
        harness::verify({&device}, verify, [&](const runtime::Device&, const harness::GroupResult& group) {
            progress.update(fmt::format("{} done", rows.size()));
            for (runtime::PipelineStatistics& one : device.take_pipelines())
                rows.push_back({group.name, std::move(one)});
            for (const harness::Mismatch& mismatch : group.mismatches) {
                failed = true;
                print(fmt::format("{}: {}\n", mismatch.case_name, mismatch.what));
            }
        });
    if (rows.empty() && !failed) throw Failure{exit_usage, fmt::format("no primitive begins with '{}'", flags.only)};

    if (flags.csv != "-" && flags.json != "-") print(device_line(device.info()) + "\n\n" + table_text(rows));
    if (!flags.csv.empty()) write_report(flags.csv, csv_text(rows));
    if (!flags.json.empty()) write_report(flags.json, json_text(report(device.info(), rows), 2));
    if (flags.no_spills) check_spills(rows, flags.may_spill);
    check_validation(device);
    return failed ? exit_wrong : exit_good;
}

constexpr const char* footer =
    R"(One line for each pipeline, from VK_KHR_pipeline_executable_properties, first that of the copy kernel, which needs
little. Drivers differ in what they report; - means not reported.
registers  of an invocation; AMD: vector registers; Adreno: of four words; Intel: of a subgroup
scalar     scalar registers of a subgroup (AMD)
spilled    what did not fit into registers and went to memory: registers (AMD), bytes (NVIDIA's own driver, V3D), or loads and
           stores (Intel, Adreno, Mali, Apple, NVK)
stack      bytes of an invocation; Intel: of a subgroup
shared     bytes of a workgroup; NVIDIA: including registers that were spilled there
code       bytes
instrs     instructions
cycles     estimated by the compiler, of a subgroup that runs all branches once (AMD), or loops many times (Intel)
occupancy  what fits at once: subgroups on a SIMD unit (AMD), a core (Adreno) or a multiprocessor (NVK), invocations on
           a core (Mali, Apple), threads (V3D)
ms         that the driver took to create the pipeline; in the last line on average
--json has all that the driver reports, in its words. Exit code 1 if the driver rejects a pipeline.

Examples:
  vkprim pipelines
  vkprim pipelines --only 'scan f32' --csv scan.csv
  vkprim pipelines --no-spills)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    options.add_option("--only", flags->only, "only pipelines of primitives whose name begins with this")
        .type_name("PREFIX");
    options
        .add_option("--operation", flags->operations,
                    "instead of vkprim's own pipelines, those of reduce and scan, also of segments, for\n"
                    "the element and operation in this file (vkprim/glsl/operation.glsl); repeatable")
        .type_name("FILE.glsl")
        .excludes({"--only"});
    options.add_flag("--no-spills", flags->no_spills, "exit code 1 if a pipeline spills registers, or may do so");
    options
        .add_option("--may-spill", flags->may_spill,
                    "but those of primitives whose name begins with this may; exit code 1 if none\n"
                    "of them does; repeatable")
        .type_name("PREFIX")
        .needs("--no-spills");
    options.add_option("--csv", flags->csv, "write the table; '-': to standard output").type_name("FILE");
    options.add_option("--json", flags->json, "write a report; '-': to standard output, instead of the lines")
        .type_name("FILE");
    add_device_flags(options, flags->device);
    return [flags] { return run(*flags); };
}

const Registration registration({"pipelines", "Show registers, spills and code size of each shader, from the driver",
                                 footer, setup});

} // namespace

} // namespace vkprim::tools::pipelines_command
