#include "harness.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace vkprim::harness {
namespace {

constexpr uint32_t most_repeats  = 4096;
constexpr uint32_t most_warm_ups = 100000;

/// Operations per run of a measurement.
struct Schedule {
    uint32_t warm_ups = 0; ///< ahead of the timed runs
    uint32_t runs     = 1;
    uint32_t repeats  = 1; ///< in each run
};

/// Milliseconds of each run. All in one submission: a GPU that idles for a moment between runs lowers its clocks.
Result<std::vector<double>> time_runs(const runtime::Device& device, const Workload& workload,
                                      const Schedule& schedule) {
    auto commands = device.begin_commands(schedule.runs + 1);
    if (!commands) return commands.error();
    const auto repeat = [&](uint32_t times) {
        for (uint32_t r = 0; r < times; ++r) {
            workload.record(commands->handle());
            commands->barrier();
        }
    };
    repeat(schedule.warm_ups);
    commands->timestamp();
    for (uint32_t run = 0; run < schedule.runs; ++run) {
        repeat(schedule.repeats);
        commands->timestamp();
    }
    auto stamps = commands->submit_and_wait();
    if (!stamps) return stamps.error();
    std::vector<double> times;
    for (uint32_t run = 0; run < schedule.runs; ++run) times.push_back((*stamps)[run + 1] - (*stamps)[run]);
    return times;
}

} // namespace

Result<std::vector<double>> measure_runs(const runtime::Device& device, const Workload& workload,
                                         const MeasureOptions& options) {
    double once = options.once_ms;
    if (once <= 0) {
        // The first run also does what the driver left for later; the last tells how long one operation takes.
        auto first = time_runs(device, workload, {0, 3, 1});
        if (!first) return first.error();
        once = first->back();
    }
    once = std::max(once, 0.0005);

    Schedule schedule;
    schedule.runs    = options.runs;
    schedule.repeats = std::clamp(static_cast<uint32_t>(std::ceil(options.least_run_ms / once)), 1u, most_repeats);
    if (device.info().type != VK_PHYSICAL_DEVICE_TYPE_CPU) {
        schedule.warm_ups = std::clamp(static_cast<uint32_t>(options.warm_up_ms / once), 1u, most_warm_ups);
    }
    auto times = time_runs(device, workload, schedule);
    if (!times) return times.error();
    for (double& time : *times) time /= schedule.repeats;
    return times;
}

Result<BenchResult> measure(const runtime::Device& device, const Workload& workload, const MeasureOptions& options) {
    auto times = measure_runs(device, workload, options);
    if (!times) return times.error();
    std::sort(times->begin(), times->end());

    BenchResult result;
    result.median_ms  = (*times)[times->size() / 2];
    result.fastest_ms = times->front();
    result.slowest_ms = times->back();
    result.gbps       = static_cast<double>(workload.bytes_read + workload.bytes_written) / (result.median_ms * 1e6);
    result.wrong      = workload.check ? workload.check() : std::string();
    return result;
}

} // namespace vkprim::harness
