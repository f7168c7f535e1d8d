#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "judge.h"
#include "recorder.h"
#include "shaders/doctor.h"

namespace vkprim::tools::doctor {

namespace {

using Clock = std::chrono::steady_clock;

/// Of the smaller work; the larger has four times as many. On a CPU so few that other programs seldom come in between.
uint32_t small_rounds_of(const Lab& lab) { return lab.core().limits.software ? 512 : 4096; }

uint32_t workgroups_of(const Lab& lab) { return lab.core().limits.software ? 8 : 64; }

/// Dispatches of `rounds` rounds each, one after the other, with a timestamp ahead of each and at the end.
std::vector<double> time_work(Lab& lab, const Pipeline& pipeline, const std::vector<uint32_t>& rounds) {
    runtime::Commands commands = need_device(lab.device().begin_commands(static_cast<uint32_t>(rounds.size()) + 1));
    DoctorPush        push{};
    push.results = lab.results_address();
    commands.timestamp();
    for (const uint32_t one : rounds) {
        push.count = one;
        record_dispatch(commands.handle(), lab.core(), pipeline, &push, workgroups_of(lab));
        commands.barrier();
        commands.timestamp();
    }
    return need_device(commands.submit_and_wait());
}

/// Everything there is to judge. The fastest of several runs, since the machine may have other work.
TimestampTest measure(Lab& lab) {
    PipelineDesc desc;
    desc.shader             = shaders::work_any;
    desc.name               = "timestamps";
    desc.push_size          = sizeof(DoctorPush);
    const Pipeline pipeline = lab.prepare(desc);
    lab.set_results(workgroups_of(lab) * desc.workgroup_size, 0);

    const uint32_t small_rounds = small_rounds_of(lab), large_rounds = 4 * small_rounds;
    TimestampTest  test;
    test.period_ns = lab.device().info().timestamp_period;
    for (int run = 0; run < 32; ++run) {
        const auto stamps = time_work(lab, pipeline, {small_rounds, small_rounds, large_rounds});
        if (std::is_sorted(test.stamps.begin(), test.stamps.end())) test.stamps = stamps; // else they are the proof
        const double small = stamps[2] - stamps[1], large = stamps[3] - stamps[2];
        test.small_ms = run == 0 ? small : std::min(test.small_ms, small);
        test.large_ms = run == 0 ? large : std::min(test.large_ms, large);
    }

    // Long enough that what the host does around it does not count.
    const double wanted  = lab.quick() ? 100 : 250;
    const double repeats = std::clamp(std::ceil(wanted / std::max(test.large_ms, 0.01)), 1.0, 4096.0);
    for (int run = 0; run < 3; ++run) {
        runtime::Commands commands = need_device(lab.device().begin_commands(2));
        DoctorPush        push{};
        push.results = lab.results_address();
        push.count   = large_rounds;
        commands.timestamp();
        for (uint32_t r = 0; r < static_cast<uint32_t>(repeats); ++r) {
            record_dispatch(commands.handle(), lab.core(), pipeline, &push, workgroups_of(lab));
            commands.barrier();
        }
        commands.timestamp();
        const auto   began  = Clock::now();
        const double device = need_device(commands.submit_and_wait())[1];
        const double host   = std::chrono::duration<double, std::milli>(Clock::now() - began).count();
        const bool   closer = std::abs(device / host - 1) < std::abs(test.device_ms / test.host_ms - 1);
        if (run == 0 || closer) {
            test.device_ms = device;
            test.host_ms   = host;
        }
    }
    return test;
}

} // namespace

Finding judge_timestamps(const TimestampTest& test) {
    Finding finding;
    finding.numbers   = {{"period_ns", test.period_ns}, {"stamps_ms", test.stamps}};
    const bool rising = std::is_sorted(test.stamps.begin(), test.stamps.end());
    const bool moving = !test.stamps.empty() && test.stamps.back() > 0;
    finding.verdict   = test.period_ns > 0 && rising && moving ? Verdict::ok : Verdict::failed;
    finding.seen      = !(test.period_ns > 0) ? fmt::format("timestampPeriod is {}", test.period_ns)
                        : !rising             ? "a timestamp lies before one that was written earlier"
                        : !moving             ? "all timestamps are the same"
                                  : fmt::format("a tick is {} ns; {} timestamps, none before the one ahead of it",
                                                test.period_ns, test.stamps.size());
    return finding;
}

Finding judge_work_ratio(const TimestampTest& test) {
    // Four times the work; what a dispatch costs by itself makes it less, and other work on a CPU more.
    const double ratio = test.small_ms > 0 ? test.large_ms / test.small_ms : 0;
    Finding      finding;
    finding.numbers = {{"small_ms", test.small_ms}, {"large_ms", test.large_ms}, {"ratio", ratio}};
    finding.verdict = ratio > 1.5 && ratio < 16 ? Verdict::ok : Verdict::failed;
    finding.seen    = fmt::format("four times the work takes {:.2f} times as long ({:.3f} and {:.3f} ms)", ratio,
                                  test.small_ms, test.large_ms);
    return finding;
}

Finding judge_host_clock(const TimestampTest& test) {
    const double ratio = test.host_ms > 0 ? test.device_ms / test.host_ms : 0;
    Finding      finding;
    finding.numbers = {{"device_ms", test.device_ms}, {"host_ms", test.host_ms}};
    finding.verdict = ratio > 0.8 && ratio < 1.2 ? Verdict::ok : Verdict::failed;
    finding.seen = fmt::format("{:.1f} ms by timestamps, {:.1f} ms by the host's clock", test.device_ms, test.host_ms);
    return finding;
}

std::vector<Probe> timestamp_probes() {
    // Measured by the first of them.
    const auto measured = std::make_shared<TimestampTest>();
    const auto probe    = [=](Finding (*judge)(const TimestampTest&)) {
        return [=](Lab& lab) {
            if (!(lab.device().info().timestamp_period > 0)) return skip("the device has no timestamps");
            if (measured->stamps.empty()) *measured = measure(lab);
            return judge(*measured);
        };
    };
    return {
        {"timestamps", "order", "vkprim bench and tune measure with them.", probe(judge_timestamps)},
        {"timestamps", "two sizes of work", "Times must grow with the work.", probe(judge_work_ratio)},
        {"timestamps", "against the host's clock", "Within 20 %, or bench's figures are off by as much.",
         probe(judge_host_clock)},
    };
}

} // namespace vkprim::tools::doctor
