#include "contest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "compare.h"
#include "harness/elements.h"
#include "harness/own.h"
#include "tools/cli/program.h"

namespace vkprim::peers {
namespace {

constexpr double   least_run_ms     = 2.2; // a little above 2, for operations that turn out faster than expected
constexpr double   long_ms          = 10;  // operations that take longer are repeated less
constexpr uint32_t trial_runs       = 3;
constexpr double   trial_warm_up_ms = 100;

using Runs = std::vector<double>; // milliseconds per operation

double median(const Runs& runs) { return summary(runs)->median_ms; }

/// The runs of one side in one round.
uint32_t runs_of(double once_ms, uint32_t rounds) {
    return once_ms <= long_ms ? runs_per_round : (runs_per_round + rounds - 1) / rounds;
}

std::string title(const Plan& plan) { return fmt::format("{} {}, {} elements", plan.op, plan.name, plan.count); }

Bytes floats_of_halves(const Bytes& halves) {
    const auto  count = static_cast<uint32_t>(halves.size() / 2);
    const auto  words = harness::elements_in(ElementType::f16, halves.data(), count);
    const auto* bytes = reinterpret_cast<const uint8_t*>(words.data());
    return {bytes, bytes + words.size() * 4};
}

class Ours {
public:
    Ours(const runtime::Device& device, const harness::Workload& workload) : device_(device), workload_(workload) {}

    void run(uint32_t runs, double warm_up_ms) {
        harness::MeasureOptions options;
        options.warm_up_ms   = warm_up_ms;
        options.least_run_ms = least_run_ms;
        options.runs         = runs;
        options.once_ms      = once_ms_;
        const Runs times     = tools::need_device(harness::measure_runs(device_, workload_, options));
        once_ms_             = median(times);
        runs_.insert(runs_.end(), times.begin(), times.end());
    }

    /// One trial, so that later runs know how long an operation takes on a warm device.
    void warm_up() {
        run(trial_runs, trial_warm_up_ms);
        runs_.clear();
    }

    double               once_ms() const { return once_ms_; }
    std::optional<Times> times() const { return summary(runs_); }

private:
    const runtime::Device&   device_;
    const harness::Workload& workload_;
    double                   once_ms_ = 0;
    Runs                     runs_;
};

/// CUB in the fastest of its formulations that give the right result.
class Cub {
public:
    Cub(const Plan& plan, const harness::Workload& workload) : plan_(plan), workload_(workload) {}
    Cub(const Cub&) = delete;
    ~Cub() { cub_peer_destroy(task_); }

    /// False, with a remark, where there is nothing to measure. That is no reason to end: ours is measured still.
    bool prepare(bool show) {
        try {
            create();
            choose(right_formulations(show), show);
            return true;
        } catch (const tools::Failure& failure) {
            remark_ = failure.reason;
            return false;
        }
    }

    void run(uint32_t runs, double warm_up_ms) {
        const Runs times = time({chosen_}, {warm_up_ms, least_run_ms, runs});
        once_ms_         = median(times);
        runs_.insert(runs_.end(), times.begin(), times.end());
    }

    /// What is wrong with the timed runs' output; empty where nothing is.
    std::string check() const {
        Bytes output(cub_peer_output_size(task_));
        need(cub_peer_fetch(task_, output.data()));
        return compare(output);
    }

    double               once_ms() const { return once_ms_; }
    std::optional<Times> times() const { return summary(runs_); }
    std::string          formulation() const { return task_ && once_ms_ > 0 ? name(chosen_) : std::string(); }
    const std::string&   remark() const { return remark_; }

private:
    void create() {
        const auto created = cub_peer_create(&plan_.cub, workload_.input->data(), workload_.input->size(), &task_);
        if (created == cub_peer_out_of_memory) {
            throw tools::Failure{tools::exit_device, "CUB: does not fit into memory"};
        }
        need(created);
    }

    void need(CubPeerResult result) const {
        if (result == cub_peer_good) return;
        throw tools::Failure{tools::exit_device, title(plan_) + ": CUB: " + cub_peer_error()};
    }

    std::string name(uint32_t formulation) const { return cub_peer_formulation_name(task_, formulation); }

    void tell(bool show, uint32_t formulation, const std::string& what) const {
        if (show) std::fprintf(stderr, "%s: %s: %s\n", title(plan_).c_str(), name(formulation).c_str(), what.c_str());
    }

    std::string compare(const Bytes& got) const {
        switch (plan_.cub.operation) {
            case cub_peer_reduce_add_f32: return compare_sum<float>(*workload_.input, got);
            case cub_peer_reduce_add_f64: return compare_sum<double>(*workload_.input, got);
            case cub_peer_reduce_add_f16: return compare_sum<float>(floats_of_halves(*workload_.input), got);
            case cub_peer_scan_exclusive_add_f32: return compare_exclusive_sums<float>(*workload_.input, got);
            case cub_peer_scan_exclusive_add_f64: return compare_exclusive_sums<double>(*workload_.input, got);
            case cub_peer_segmented_rows_add_f32:
            case cub_peer_segmented_offsets_add_f32:
                return compare_segmented_sums(*workload_.input, plan_.cub.row, got);
            case cub_peer_select_flagged_u32:
            case cub_peer_select_flagged_indices:
            case cub_peer_select_range_u32:
            case cub_peer_select_unique_u32: return compare_selected(*workload_.expected(), got);
            case cub_peer_partition_flagged_u32: return compare_partition(*workload_.expected(), got);
            case cub_peer_encode_runs_u32: return compare_runs(*workload_.expected(), got);
            case cub_peer_reduce_by_key_u32: return compare_by_key(*workload_.expected(), got);
            case cub_peer_own_reduce_moments: return harness::moments_differ(*workload_.expected(), got);
            default: return compare_words(*workload_.expected(), got);
        }
    }

    /// Those that give the CPU reference's result. A Failure where there are none.
    std::vector<uint32_t> right_formulations(bool show) {
        const uint32_t        all = cub_peer_formulations(task_);
        std::vector<uint32_t> right;
        std::string           reason;
        Bytes                 output(cub_peer_output_size(task_));
        for (uint32_t f = 0; f < all; ++f) {
            const bool        ran   = cub_peer_run(task_, f, output.data()) == cub_peer_good;
            const std::string wrong = ran ? compare(output) : std::string(cub_peer_error());
            if (wrong.empty()) {
                right.push_back(f);
                continue;
            }
            reason = wrong;
            tell(show, f, "left out: " + wrong);
        }
        if (right.empty()) throw tools::Failure{tools::exit_device, "CUB: no formulation gives this result: " + reason};
        if (right.size() < all) {
            remark_ = fmt::format("{} of {} formulations refused, or with another result", all - right.size(), all);
        }
        return right;
    }

    Runs time(const std::vector<uint32_t>& formulations, const CubPeerSchedule& schedule) {
        Runs times(formulations.size() * schedule.runs);
        need(cub_peer_time(task_, formulations.data(), static_cast<uint32_t>(formulations.size()), &schedule,
                           times.data()));
        return times;
    }

    /// The fastest in a trial of all.
    void choose(const std::vector<uint32_t>& formulations, bool show) {
        const Runs times = time(formulations, {trial_warm_up_ms, least_run_ms, trial_runs});
        for (size_t f = 0; f < formulations.size(); ++f) {
            const auto   begin = times.begin() + static_cast<std::ptrdiff_t>(f * trial_runs);
            const double ms    = median({begin, begin + trial_runs});
            tell(show, formulations[f], fmt::format("{:.5f} ms", ms));
            if (once_ms_ > 0 && ms >= once_ms_) continue;
            once_ms_ = ms;
            chosen_  = formulations[f];
        }
    }

    const Plan&              plan_;
    const harness::Workload& workload_;
    CubPeerTask*             task_    = nullptr;
    uint32_t                 chosen_  = 0;
    double                   once_ms_ = 0; ///< of the chosen one
    Runs                     runs_;
    std::string              remark_;
};

void take_turns(Ours& ours, Cub* cub, const ContestOptions& options) {
    ours.warm_up();
    for (uint32_t round = 0; round < options.rounds; ++round) {
        ours.run(runs_of(ours.once_ms(), options.rounds), options.warm_up_ms);
        if (cub) cub->run(runs_of(cub->once_ms(), options.rounds), options.warm_up_ms);
    }
}

} // namespace

Row contest(const runtime::Device& device, const Plan& plan, const ContestOptions& options) {
    Row row;
    row.op              = plan.op;
    row.name            = plan.name;
    row.count           = plan.count;
    const auto workload = plan.bench->prepare(device, plan.count);
    if (!workload && tools::out_of_memory(workload.error().code)) {
        row.remark = "does not fit into memory";
        return row;
    }
    if (!workload) throw tools::Failure{tools::exit_device, title(plan) + ": " + workload.error().reason};

    Ours       ours(device, *workload);
    Cub        cub(plan, *workload);
    const bool with_cub = options.with_cub && cub.prepare(options.show_formulations);
    take_turns(ours, with_cub ? &cub : nullptr, options);
    row.ours        = ours.times();
    row.wrong       = workload->check();
    row.formulation = cub.formulation();
    row.remark      = cub.remark();
    if (!with_cub) return row;
    const std::string cub_wrong = cub.check();
    if (cub_wrong.empty()) {
        row.cub = cub.times();
    } else {
        row.remark = "CUB: wrong after the timed runs: " + cub_wrong;
    }
    return row;
}

} // namespace vkprim::peers
