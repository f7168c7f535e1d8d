// Which operations are compared, and at which sizes.
#pragma once

#include <string>
#include <vector>

#include "cub/cub_peer.h"
#include "harness/harness.h"

namespace vkprim::peers {

/// One row of the table before it is measured.
struct Plan {
    std::string               op, name; ///< of the harness's benchmark
    const harness::BenchDesc* bench = nullptr;
    uint32_t                  count = 0;
    CubPeerDesc               cub   = {}; ///< the same for CUB
};

/// Which rows are measured: each text is a part of "op name", or all of it where '=' leads. None: all rows.
using Filter = std::vector<std::string>;

bool takes(const Filter& filter, const std::string& name);

struct PlanOptions {
    Filter                filter;
    std::vector<uint32_t> sizes; ///< of all rows; empty for each row's own
    uint32_t              largest = UINT32_MAX;
};

std::vector<Plan> plan_rows(const PlanOptions& options);

/// What CUB is asked for; a Failure where cub_peer.h has nothing of that name.
CubPeerOperation operation_of(const harness::Peer& peer);

} // namespace vkprim::peers
