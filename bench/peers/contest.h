// Measures one row on both sides, by turns.
#pragma once

#include "plan.h"
#include "table.h"

namespace vkprim::peers {

struct ContestOptions {
    bool     with_cub          = true;
    bool     show_formulations = false; ///< on standard error
    uint32_t rounds            = 3;
    double   warm_up_ms        = 150; ///< ahead of each side in each round
};

constexpr uint32_t runs_per_round = 15; ///< fewer where one operation takes long, but as many over all rounds

/// Throws a Failure where a device is at fault.
Row contest(const runtime::Device& device, const Plan& plan, const ContestOptions& options);

} // namespace vkprim::peers
