#include "harness.h"

#include <algorithm>

namespace vkprim::harness {
namespace {

constexpr double   warm_up_ms   = 150;
constexpr double   least_run_ms = 2; // of one timestamped run, so that the timestamps' own cost does not show
constexpr uint32_t most_repeats = 256;
constexpr uint32_t runs         = 15;

/// Milliseconds for `repeats` operations, one after the other.
Result<double> time_once(const runtime::Device& device, const Workload& workload, uint32_t repeats) {
    auto commands = device.begin_commands(2);
    if (!commands) return commands.error();
    commands->timestamp();
    for (uint32_t r = 0; r < repeats; ++r) {
        workload.record(commands->handle());
        commands->barrier();
    }
    commands->timestamp();
    auto times = commands->submit_and_wait();
    if (!times) return times.error();
    return times->back();
}

} // namespace

Result<BenchResult> measure(const runtime::Device& device, const Workload& workload, uint32_t count) {
    // The first run also compiles what the driver left for later; the second tells how long one operation takes.
    double once = 0;
    for (int run = 0; run < 2; ++run) {
        auto time = time_once(device, workload, 1);
        if (!time) return time.error();
        once = *time;
    }
    const uint32_t repeats = std::clamp(static_cast<uint32_t>(least_run_ms / std::max(once, 0.001)), 1u, most_repeats);
    for (double warm = 0; warm < warm_up_ms;) {
        auto time = time_once(device, workload, repeats);
        if (!time) return time.error();
        warm += std::max(*time, 0.1);
    }

    std::vector<double> times;
    for (uint32_t run = 0; run < runs; ++run) {
        auto time = time_once(device, workload, repeats);
        if (!time) return time.error();
        times.push_back(*time / repeats);
    }
    std::sort(times.begin(), times.end());
    BenchResult result;
    result.count      = count;
    result.median_ms  = times[times.size() / 2];
    result.fastest_ms = times.front();
    result.slowest_ms = times.back();
    result.gbps       = static_cast<double>(workload.bytes_read + workload.bytes_written) / (result.median_ms * 1e6);
    result.wrong      = workload.check ? workload.check() : std::string();
    return result;
}

} // namespace vkprim::harness
