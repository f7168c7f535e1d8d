// vkprim_peers: vkprim and CUB in one table, measured by turns in one process on one GPU.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "contest.h"
#include "host_cost.h"
#include "tools/cli/program.h"
#include "tools/cli/sizes.h"
#include "tools/system/machine.h"

namespace vkprim::peers {
namespace {

using tools::ExitCode;
using tools::Failure;

struct Flags {
    tools::DeviceFlags device;
    Filter             rows;
    std::string        sizes, csv, md;
    ContestOptions     contest;
    bool               without_cub = false;
    std::string        command; ///< this call
};

/// Largest size of the rows' own on a software device, where everything takes a thousand times as long.
constexpr uint32_t largest_on_software = 1 << 16;

void read_uuid(const Context& context, uint8_t (&uuid)[VK_UUID_SIZE]) {
    const auto get_properties = reinterpret_cast<PFN_vkGetPhysicalDeviceProperties2>(
        context.get_instance_proc_addr(context.instance, "vkGetPhysicalDeviceProperties2"));
    VkPhysicalDeviceIDProperties ids{};
    ids.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES;
    VkPhysicalDeviceProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &ids;
    get_properties(context.physical_device, &properties);
    std::copy(std::begin(ids.deviceUUID), std::end(ids.deviceUUID), uuid);
}

CubPeerVersions open_cub(const runtime::Device& device) {
    uint8_t uuid[VK_UUID_SIZE];
    read_uuid(device.context(), uuid);
    CubPeerVersions versions{};
    if (cub_peer_open(uuid, &versions) == cub_peer_good) return versions;
    throw Failure{tools::exit_device,
                  fmt::format("CUB cannot run on {}: {}; choose another --device, or measure vkprim "
                              "alone with --without-cub",
                              device.info().name, cub_peer_error())};
}

Head head_of(const runtime::Device& device, const Flags& flags) {
    Head head;
    head.device  = device.info().name;
    head.command = flags.command;
    head.date    = tools::today();
    head.vkprim  = VKPRIM_VERSION_TEXT;
    head.vulkan  = device.info().driver;
    head.method  = fmt::format(
         "{} rounds by turns, {} runs a round and side ({} in all where an operation takes long), "
          "{} ms of warm-up ahead of each",
         flags.contest.rounds, runs_per_round, runs_per_round, flags.contest.warm_up_ms);
    return head;
}

void name_versions(Head& head, const CubPeerVersions& versions) {
    const auto cuda = [](int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); };
    head.cub        = fmt::format("{}.{}.{}", versions.cub / 100000, versions.cub / 100 % 1000, versions.cub % 100);
    head.cuda       = cuda(versions.cuda) + " (driver: up to " + cuda(versions.driver) + ")";
}

/// Writes the files anew after every row, so that a run that is broken off leaves what it has.
class Report {
public:
    Report(Head head, const Flags& flags)
        : head_(std::move(head)), csv_(path(flags.csv)), md_(path(flags.md)), lines_(csv_ != "-" && md_ != "-") {}

    std::vector<HostCost> costs;

    void add(const Row& row) {
        rows_.push_back(row);
        if (lines_) tools::print(line_text(row));
        write(false);
    }

    void finish() { write(true); }

    bool any_wrong() const {
        return std::any_of(rows_.begin(), rows_.end(), [](const Row& row) { return !row.wrong.empty(); });
    }

private:
    /// "{gpu}" stands for the device's name.
    std::string path(std::string text) const {
        const std::string mark  = "{gpu}";
        const size_t      where = text.find(mark);
        if (where != std::string::npos) text.replace(where, mark.size(), file_name(head_.device));
        return text;
    }

    void write(bool last) const {
        const auto ready = [last](const std::string& to) { return !to.empty() && (last || to != "-"); };
        if (ready(csv_)) tools::write_report(csv_, csv_text(rows_));
        if (ready(md_)) tools::write_report(md_, markdown_text(head_, rows_, costs));
    }

    Head             head_;
    std::string      csv_, md_;
    bool             lines_;
    std::vector<Row> rows_;
};

PlanOptions plan_options(const Flags& flags) {
    PlanOptions options;
    options.filter = flags.rows;
    if (!flags.sizes.empty()) options.sizes = tools::parse_sizes(flags.sizes);
    return options;
}

ExitCode run(Flags flags) {
    if (flags.csv == "-" && flags.md == "-") {
        throw Failure{tools::exit_usage, "--csv - and --md - cannot share standard output; write one into a file"};
    }
    PlanOptions plan = plan_options(flags);
    switch_off_disk_caches();
    const runtime::Device device = tools::open_device(flags.device);
    tools::need_timestamps(device);
    if (device.info().type == VK_PHYSICAL_DEVICE_TYPE_CPU) plan.largest = largest_on_software;
    flags.contest.with_cub = !flags.without_cub;

    Head head = head_of(device, flags);
    if (flags.contest.with_cub) name_versions(head, open_cub(device));
    Report report(std::move(head), flags);
    report.costs                  = host_costs(device, flags.rows);
    const std::vector<Plan> plans = plan_rows(plan);
    if (plans.empty() && report.costs.empty()) {
        throw Failure{tools::exit_usage, fmt::format("no row's name fits --rows '{}'", fmt::join(flags.rows, "', '"))};
    }
    tools::Progress progress("peers");
    for (const Plan& one : plans) {
        progress.update(one.op, static_cast<uint64_t>(&one - plans.data()), plans.size());
        report.add(contest(device, one, flags.contest));
    }
    report.finish();
    tools::check_validation(device);
    return report.any_wrong() ? tools::exit_wrong : tools::exit_good;
}

constexpr const char* footer =
    R"(Rows are measured by turns: ours, CUB, ours, CUB, ... A row's name is its operation and variant, as in
"scan add u32 exclusive"; the names of the host costs begin with "host".
Sizes: 1000 or 2^20, with commas between; 2^10..2^28 goes from one to the other in steps of four times.
In the names of files {gpu} stands for the device's name; '-' is standard output, instead of the lines.
Exit codes: 0 good, 1 one of our results is wrong, 2 bad usage or output, 3 no usable device or a driver error.)";

void add_flags(CLI::App& app, Flags& flags) {
    app.footer(footer);
    app.add_option("--rows", flags.rows, "only rows whose name contains one of these, or is it, where '=' leads")
        ->type_name("TEXT");
    app.add_option("--sizes", flags.sizes, "counts of elements for all rows, instead of each row's own")
        ->type_name("SIZES");
    app.add_option("--csv", flags.csv, "write a table as CSV")->type_name("FILE");
    app.add_option("--md", flags.md, "write the tables as Markdown")->type_name("FILE");
    app.add_option("--rounds", flags.contest.rounds, "turns of each side, 3 without it")
        ->type_name("N")
        ->check(CLI::Range(1, 100));
    app.add_option("--warm-up", flags.contest.warm_up_ms, "milliseconds ahead of each side's turn, 150 without it")
        ->type_name("MS")
        ->check(CLI::Range(0, 10000));
    app.add_flag("--without-cub", flags.without_cub, "measure vkprim alone, on any device");
    app.add_flag("--formulations", flags.contest.show_formulations, "tell how each way to ask CUB does");
    tools::Options options(app);
    tools::add_device_flags(options, flags.device);
    app.set_version_flag("--version", "vkprim_peers " VKPRIM_VERSION_TEXT);
}

/// With what changes the figures: where they were written to does not.
std::string command_text(const CLI::App& app) {
    std::string text = app.get_name();
    for (const CLI::Option* option : app.get_options()) {
        const std::string flag = option->get_name();
        if (flag == "--csv" || flag == "--md") continue;
        const bool has_value = option->get_items_expected_max() > 0;
        for (const std::string& value : option->results()) {
            text += " " + flag + (has_value ? " " + tools::system::shell_word(value) : "");
        }
    }
    return text;
}

ExitCode report_failure(ExitCode code, const std::string& reason) {
    std::fprintf(stderr, "vkprim_peers: error: %s\n", reason.c_str());
    return code;
}

ExitCode parse_and_run(int argc, char** argv) {
    CLI::App app("Measures vkprim and CUB in turns on one GPU.", "vkprim_peers");
    Flags    flags;
    add_flags(app, flags);
    try {
        app.parse(argc, argv);
        flags.command = command_text(app);
    } catch (const CLI::Success& success) { // --help, --version
        app.exit(success);
        return tools::exit_good;
    } catch (const CLI::ParseError& error) {
        return report_failure(tools::exit_usage, std::string(error.what()) + "; 'vkprim_peers --help' explains");
    }
    return run(flags);
}

} // namespace
} // namespace vkprim::peers

int main(int argc, char** argv) {
    using namespace vkprim;
    try {
        return peers::parse_and_run(argc, argv);
    } catch (const tools::Failure& failure) {
        return peers::report_failure(failure.code, failure.reason);
    } catch (const std::bad_alloc&) {
        return peers::report_failure(tools::exit_device, "not enough memory on this machine");
    }
}
