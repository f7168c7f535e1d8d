#include "climb.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/common/failure.h"

namespace vkprim::tools::ladder {

namespace {

/// Milliseconds from the input in the host's memory to the result there.
double full_ms(const runtime::Device& device, const harness::Workload& workload) {
    const double began = harness::seconds_now();
    need_device(workload.upload());
    runtime::Commands commands = need_device(device.begin_commands());
    workload.record(commands.handle());
    need_device(commands.submit_and_wait());
    need_device(workload.download());
    return (harness::seconds_now() - began) * 1000;
}

/// On a software device, where steps may take minutes, each runs once; thrice if that was short.
Result<harness::BenchResult> time_of(const runtime::Device& device, const harness::Workload& workload) {
    harness::MeasureOptions options;
    if (device.info().type != VK_PHYSICAL_DEVICE_TYPE_CPU) return harness::measure(device, workload, options);
    constexpr double short_ms = 500;
    options.least_run_ms      = 0;
    options.once_ms           = short_ms; // so that it need not find out
    options.runs              = 1;
    const auto once           = harness::measure(device, workload, options);
    if (!once || once->median_ms >= short_ms || !once->wrong.empty()) return once;
    options.runs = 3;
    return harness::measure(device, workload, options);
}

void measure(const runtime::Device& device, const Problem& problem, Row& row) {
    row.error = row.step.skipped;
    if (!row.error.empty()) return;
    const auto workload = row.step.prepare(problem);
    const auto result   = workload ? time_of(device, *workload) : workload.error();
    if (result) {
        row.result       = *result;
        row.result->gbps = static_cast<double>(problem.bytes) / (result->median_ms * 1e6);
        row.full_ms      = full_ms(device, *workload);
    } else if (out_of_memory(result.error().code)) {
        row.error = "does not fit into memory";
    } else {
        throw Failure{exit_code_of(result.error()),
                      fmt::format("{}, {}: {}", row.ladder, row.step.name, result.error().reason)};
    }
}

} // namespace

const std::vector<uint32_t>& all_workgroup_sizes() {
    static const std::vector<uint32_t> sizes{2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
    return sizes;
}

double copy_gbps(const runtime::Device& device, uint32_t count) {
    for (const harness::Subject& subject : harness::subjects()) {
        if (subject.name != "copy") continue;
        const auto workload = need_device(subject.benches[0].prepare(device, std::max(count, 4u)));
        return need_device(harness::measure(device, workload)).gbps;
    }
    return 0;
}

std::vector<Row> climb(const runtime::Device& device, const Ladder& ladder, const Problem& problem,
                       const std::vector<uint32_t>& sizes, double copy, const Watcher& watcher) {
    std::vector<std::vector<Step>> steps;
    for (uint32_t size : sizes) steps.push_back(problem.steps(device, size));
    std::vector<Row> rows;
    double           before = 0;
    for (size_t s = 0; s < steps[0].size(); ++s) {
        double fastest = 0;
        for (size_t i = 0; i < sizes.size() && (i == 0 || !steps[0][s].own); ++i) {
            Row row{ladder.name, problem.data, problem.count, sizes[i], steps[i][s], {}, 0, "", copy, 0};
            watcher.on_step(row.step);
            measure(device, problem, row);
            if (row.result && before > 0) row.gain = before / row.result->median_ms;
            watcher.on_row(row);
            if (row.result && (fastest == 0 || row.result->median_ms < fastest)) fastest = row.result->median_ms;
            rows.push_back(std::move(row));
        }
        if (fastest > 0) before = fastest;
    }
    return rows;
}

} // namespace vkprim::tools::ladder
