#include "plan.h"

#include <algorithm>

#include "tools/cli/program.h"

namespace vkprim::peers {
namespace {

using harness::Peer;

std::vector<uint32_t> default_sizes(Peer::Sizes sizes) {
    switch (sizes) {
        case Peer::Sizes::leading:
            return {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28, 1 << 30};
        case Peer::Sizes::others: return {1 << 16, 1 << 20, 1 << 28};
        case Peer::Sizes::large: return {1 << 20, 1 << 28};
        case Peer::Sizes::wide: return {1 << 20, 1 << 26};
        case Peer::Sizes::largest: return {1 << 28};
    }
    return {};
}

/// Without those that are too large, but never nothing.
std::vector<uint32_t> sizes_of(const Peer& peer, const PlanOptions& options) {
    if (!options.sizes.empty()) return options.sizes;
    std::vector<uint32_t> sizes = default_sizes(peer.sizes);
    for (uint32_t& size : sizes) size = std::min(size, options.largest);
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

} // namespace

CubPeerOperation operation_of(const Peer& peer) {
#define CUB_PEER_NAMED(name) \
    if (peer.operation == #name) return cub_peer_##name;
    CUB_PEER_OPERATIONS(CUB_PEER_NAMED)
#undef CUB_PEER_NAMED
    throw tools::Failure{tools::exit_usage, "cub_peer.h has no operation '" + peer.operation + "'"};
}

bool takes(const Filter& filter, const std::string& name) {
    const auto fits = [&name](const std::string& text) {
        return text.rfind('=', 0) == 0 ? name == text.substr(1) : name.find(text) != std::string::npos;
    };
    return filter.empty() || std::any_of(filter.begin(), filter.end(), fits);
}

std::vector<Plan> plan_rows(const PlanOptions& options) {
    std::vector<Plan> plans;
    for (const harness::Subject& subject : harness::subjects()) {
        for (const harness::BenchDesc& bench : subject.benches) {
            const Peer& peer = bench.peer;
            if (peer.operation.empty()) continue;
            if (!takes(options.filter, subject.name + " " + bench.name)) continue;
            const CubPeerOperation operation = operation_of(peer);
            for (const uint32_t size : sizes_of(peer, options)) {
                plans.push_back(
                    {subject.name,
                     bench.name,
                     &bench,
                     size,
                     {operation, size, peer.offset, peer.bins, peer.lower, peer.upper, std::min(peer.row, size)}});
            }
        }
    }
    return plans;
}

} // namespace vkprim::peers
