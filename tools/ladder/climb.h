// Steps of a ladder, run and timed.
#pragma once

#include <functional>
#include <optional>

#include "ladder.h"

namespace vkprim::tools::ladder {

/// A step, and what came of it.
struct Row {
    std::string                         ladder, data;
    uint32_t                            count = 0, workgroup_size = 0;
    Step                                step;
    std::optional<harness::BenchResult> result;
    double                              full_ms = 0;   ///< with the transfers; of a sweep
    std::string                         error;         ///< where there is no result
    double                              copy_gbps = 0; ///< of the copy kernel
    double gain = 0; ///< the least time of the step before by that of this; 0: it is the first
};

/// Powers of two that workgroups are tried with.
const std::vector<uint32_t>& all_workgroup_sizes();

/// Of the copy kernel, at that many elements.
double copy_gbps(const runtime::Device& device, uint32_t count);

/// Gets to know how it goes.
struct Watcher {
    std::function<void(const Step& step)> on_step = [](const Step&) {}; ///< what begins now
    std::function<void(const Row& row)>   on_row  = [](const Row&) {};  ///< what came of it
};

/// All steps of one problem, each with workgroups of every size. A Failure where the device is at fault.
std::vector<Row> climb(const runtime::Device& device, const Ladder& ladder, const Problem& problem,
                       const std::vector<uint32_t>& sizes, double copy, const Watcher& watcher);

} // namespace vkprim::tools::ladder
