#include <fmt/format.h>
#include <vkprim/profile.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "harness/harness.h"
#include "tools/cli/program.h"
#include "tools/cli/sizes.h"

namespace vkprim::tools::tune_command {

namespace {

struct Flags {
    runtime::DeviceOptions device;
    std::string            op = "all", output;
};

/// Largest count on a software device, where everything takes a thousand times as long.
constexpr uint32_t largest_on_software = 1u << 22;

/// Smaller ones say nothing about large ones.
constexpr uint32_t smallest_count = 1u << 16;

/// A value must be this much faster than vkprim's own to get into the profile.
constexpr double least_gain = 1.01;

/// One measurement.
struct Row {
    std::optional<uint32_t>             value; ///< nothing: vkprim's own
    std::optional<harness::BenchResult> result;
    std::string                         error; ///< where there is no result
};

/// What is measured to set one number.
struct Task {
    std::string           name; ///< "scan.prefetch_distance"
    harness::BenchDesc    bench;
    uint32_t              count = 0;
    std::vector<uint32_t> candidates;
};

std::vector<Task> plan_tasks(const Flags& flags, bool software) {
    std::vector<Task> tasks;
    for (const harness::Subject& subject : harness::subjects()) {
        if (flags.op != "all" && flags.op != subject.name) continue;
        for (const harness::Tunable& tunable : subject.tunables) {
            const auto bench = std::find_if(subject.benches.begin(), subject.benches.end(),
                                            [&](const auto& one) { return one.name == tunable.bench; });
            if (bench == subject.benches.end()) continue;
            const bool other = software && !tunable.on_software.empty();
            tasks.push_back({tunable.knob, *bench,
                             software ? std::min(tunable.count, largest_on_software) : tunable.count,
                             other ? tunable.on_software : tunable.candidates});
        }
    }
    return tasks;
}

std::string value_text(std::optional<uint32_t> value) {
    return value ? std::to_string(*value) : std::string("default");
}

/// The better of both measurements of vkprim's own value; 0 where there is none.
double own_median_ms(const std::vector<Row>& rows) {
    double median_ms = 0;
    for (const Row& row : rows) {
        if (row.value || !row.result) continue;
        median_ms = median_ms > 0 ? std::min(median_ms, row.result->median_ms) : row.result->median_ms;
    }
    return median_ms;
}

/// Measures on one device, with the values chosen so far.
class Tuner {
public:
    explicit Tuner(runtime::Device& device) : device_(device) {
        profile_.vendor_id = device.info().vendor_id;
        profile_.device_id = device.info().device_id;
    }

    const Profile& profile() const { return profile_; }

    /// Measures a task's values, vkprim's own first and last, since devices warm up and slow down; and takes the best
    /// into the profile. Lowers the task's count where its data does not fit into memory.
    std::vector<Row> tune(Task& task) {
        Row own = measure(task, std::nullopt);
        while (!own.result && task.count / 4 >= smallest_count) {
            task.count /= 4;
            own = measure(task, std::nullopt);
        }
        std::vector<Row> rows = {own};
        if (!own.result) return rows;
        for (const uint32_t value : task.candidates) rows.push_back(measure(task, value));
        rows.push_back(measure(task, std::nullopt));

        const double own_ms = own_median_ms(rows);
        const Row*   best   = nullptr;
        for (const Row& row : rows) {
            if (!row.value || !row.result || !row.result->wrong.empty()) continue;
            if (own_ms < least_gain * row.result->median_ms) continue;
            if (!best || row.result->median_ms < best->result->median_ms) best = &row;
        }
        if (best) profile_.values[task.name] = *best->value;
        return rows;
    }

private:
    /// A Failure where the device is at fault.
    Row measure(const Task& task, std::optional<uint32_t> value) {
        Profile profile = profile_;
        if (value) profile.values[task.name] = *value;
        device_.use_profile(profile);

        harness::MeasureOptions options;
        if (warm_) options.warm_up_ms = 250;
        if (device_.info().type == VK_PHYSICAL_DEVICE_TYPE_CPU) options.runs = 7;
        const auto prepared = task.bench.prepare(device_, task.count);
        const auto result   = prepared ? harness::measure(device_, *prepared, options) : prepared.error();
        warm_               = true;
        if (result) return {value, *result, {}};
        if (out_of_memory(result.error().code)) return {value, std::nullopt, "does not fit into memory"};
        throw Failure{exit_device, fmt::format("{} {}, {} elements: {}", task.name, value_text(value), task.count,
                                               result.error().reason)};
    }

    runtime::Device& device_;
    Profile          profile_; ///< the values chosen so far
    bool             warm_ = false;
};

constexpr const char* line_format = "{:<22} {:>8} {:>6} {:>11}  {:<23} {:>9} {:>8}  {}\n";

std::string row_text(const Task& task, const Row& row, double own_ms, bool chosen) {
    const std::string value = value_text(row.value), count = size_text(task.count);
    if (!row.result) return fmt::format("{:<22} {:>8} {:>6} {}\n", task.name, value, count, row.error);
    const harness::BenchResult& result = *row.result;
    return fmt::format(line_format, task.name, value, count, fmt::format("{:.4f}", result.median_ms),
                       fmt::format("{:.4f}..{:.4f}", result.fastest_ms, result.slowest_ms),
                       fmt::format("{:.1f}", result.gbps), fmt::format("{:.3f}", own_ms / result.median_ms),
                       !result.wrong.empty() ? "WRONG: " + result.wrong
                       : chosen              ? "<- chosen"
                                             : "");
}

ExitCode run(const Flags& flags) {
    runtime::Device            device = open_device(flags.device);
    const runtime::DeviceInfo& info   = device.info();
    need_timestamps(device);
    const bool lines = flags.output != "-";
    if (lines) {
        print(fmt::format("{}\n\n", device_line(info)));
        print(fmt::format(line_format, "number", "value", "count", "median ms", "fastest..slowest", "GB/s", "speedup",
                          ""));
    }
    std::vector<Task> tasks = plan_tasks(flags, info.type == VK_PHYSICAL_DEVICE_TYPE_CPU);
    Tuner             tuner(device);
    Progress          progress("tune");
    bool              wrong = false;
    for (Task& task : tasks) {
        progress.update(task.name, static_cast<uint64_t>(&task - tasks.data()), tasks.size());
        const std::vector<Row> rows   = tuner.tune(task);
        const auto             chosen = tuner.profile().values.find(task.name);
        for (const Row& row : rows) {
            const bool is_chosen =
                chosen == tuner.profile().values.end() ? &row == rows.data() : row.value == chosen->second;
            wrong = wrong || (row.result && !row.result->wrong.empty());
            if (lines) print(row_text(task, row, own_median_ms(rows), is_chosen));
        }
    }
    check_validation(device);
    if (wrong) throw Failure{exit_wrong, "a result was wrong, so there is no profile; 'vkprim verify' says more"};
    if (!flags.output.empty()) write_report(flags.output, write_profile(tuner.profile(), info.name));
    return exit_good;
}

std::vector<std::string> op_names() {
    std::vector<std::string> names;
    for (const harness::Subject& subject : harness::subjects()) {
        if (!subject.tunables.empty()) names.push_back(subject.name);
    }
    names.push_back("all");
    return names;
}

constexpr const char* footer =
    R"(Tunes vkprim's parameters one after the other, keeping the values chosen so far. Each
line shows one value: the median of 15 timed runs on a warm device (7 on software), the fastest and the slowest,
GB/s, and how much faster it is than vkprim's own value ("default", measured twice). A value is chosen if it is the
fastest and at least 1 % faster than the default. The last result of each line is compared with the CPU's. Exit code 1
if any was wrong; then no profile is written.
Results never depend on a profile. Use it with --profile FILE, or pass it to create(): vkprim/profile.h.

Examples:
  vkprim tune
  vkprim tune --op scan -o gpu.json
  vkprim bench --profile gpu.json)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    options.add_option("--op", flags->op, "what to tune; default: all").type_name("OP").one_of(op_names());
    options
        .add_option("-o,--output", flags->output,
                    "write the profile; '-': to standard output, instead of the lines; by default, no profile\n"
                    "is written")
        .type_name("FILE");
    add_device_flags(options, flags->device);
    return [flags] { return run(*flags); };
}

const Registration registration({"tune", "Find the fastest settings for a device", footer, setup});

} // namespace

} // namespace vkprim::tools::tune_command
