#include "rows.h"

#include <algorithm>

#include "tools/cli/program.h"

namespace vkprim::peers {
namespace {

/// The leading rows show how time grows with size, the others what a type or an option changes.
enum class Sizes { leading, others, largest, own, boxes };

struct Pair {
    const char*      op;
    const char*      name;
    CubPeerOperation cub;
    Sizes            sizes  = Sizes::others;
    uint32_t         bins   = 0;
    double           upper  = 0; ///< of a histogram that begins at 0, or of a range of keys
    uint32_t         offset = 0;
    double           lower  = 0; ///< of a range of keys
};

constexpr double whole_u32 = 4294967296.0;

const Pair pairs[] = {
    {"copy", "u32", cub_peer_copy_u32},
    {"reduce", "add u32", cub_peer_reduce_add_u32, Sizes::leading},
    {"reduce", "add u32, offset 1", cub_peer_reduce_add_u32, Sizes::largest, 0, 0, 1},
    {"reduce", "add f32", cub_peer_reduce_add_f32},
    {"reduce", "min u32", cub_peer_reduce_min_u32},
    {"reduce", "add u64", cub_peer_reduce_add_u64},
    {"reduce", "add f64", cub_peer_reduce_add_f64},
    {"reduce", "argmin f32", cub_peer_reduce_argmin_f32},
    {"scan", "add u32 exclusive", cub_peer_scan_exclusive_add_u32, Sizes::leading},
    {"scan", "add u32 exclusive, offset 1", cub_peer_scan_exclusive_add_u32, Sizes::largest, 0, 0, 1},
    {"scan", "add u32 inclusive", cub_peer_scan_inclusive_add_u32},
    {"scan", "add f32 exclusive", cub_peer_scan_exclusive_add_f32},
    {"scan", "add u64 exclusive", cub_peer_scan_exclusive_add_u64},
    {"scan", "add f64 exclusive", cub_peer_scan_exclusive_add_f64},
    {"own", "reduce boxes", cub_peer_own_reduce_boxes, Sizes::boxes},
    {"own", "reduce moments", cub_peer_own_reduce_moments, Sizes::own},
    {"own", "reduce dot", cub_peer_own_reduce_dot, Sizes::own},
    {"own", "scan affine inclusive", cub_peer_own_scan_affine, Sizes::own},
    {"compact", "u8 nonzero elements, half kept", cub_peer_select_flagged_u32, Sizes::leading},
    {"compact", "u8 nonzero elements, 1 % kept", cub_peer_select_flagged_u32},
    {"compact", "u8 nonzero indices, half kept", cub_peer_select_flagged_indices},
    {"compact", "u32 inside keys, half kept", cub_peer_select_range_u32, Sizes::others, 0, 5, 0, 2},
    {"histogram", "u8 256 bins", cub_peer_histogram_u8, Sizes::leading, 256, 256},
    {"histogram", "u8 256 bins, equal", cub_peer_histogram_u8, Sizes::others, 256, 256},
    {"histogram", "u8 256 bins, 3 of 4 channels", cub_peer_histogram_rgba_u8, Sizes::others, 256, 256},
    {"histogram", "u32 256 bins", cub_peer_histogram_u32, Sizes::leading, 256, 256},
    {"histogram", "u32 256 bins, full range", cub_peer_histogram_u32, Sizes::others, 256, whole_u32},
    {"histogram", "u32 2048 bins", cub_peer_histogram_u32, Sizes::others, 2048, 2048},
    {"histogram", "u32 8192 bins", cub_peer_histogram_u32, Sizes::others, 8192, 8192},
    {"histogram", "u32 65536 bins", cub_peer_histogram_u32, Sizes::others, 65536, 65536},
    {"histogram", "u32 1048576 bins", cub_peer_histogram_u32, Sizes::others, 1048576, 1048576},
    {"histogram", "u32 1048576 bins, equal", cub_peer_histogram_u32, Sizes::others, 1048576, 1048576},
    {"histogram", "f32 256 bins", cub_peer_histogram_f32, Sizes::others, 256, 1},
    {"histogram", "f32 2048 bins", cub_peer_histogram_f32, Sizes::others, 2048, 1},
};

std::vector<uint32_t> default_sizes(Sizes sizes) {
    switch (sizes) {
        case Sizes::leading:
            return {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28, 1 << 30};
        case Sizes::others: return {1 << 16, 1 << 20, 1 << 28};
        case Sizes::largest: return {1 << 28};
        case Sizes::own: return {1 << 20, 1 << 28};
        case Sizes::boxes: return {1 << 20, 1 << 26}; // 1.6 GB
    }
    return {};
}

/// Without those that are too large, but never nothing.
std::vector<uint32_t> sizes_of(const Pair& pair, const PlanOptions& options) {
    if (!options.sizes.empty()) return options.sizes;
    std::vector<uint32_t> sizes = default_sizes(pair.sizes);
    for (uint32_t& size : sizes) size = std::min(size, options.largest);
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

} // namespace

const harness::BenchDesc& find_bench(const std::string& op, const std::string& name) {
    for (const harness::Subject& subject : harness::subjects()) {
        if (subject.name != op) continue;
        for (const harness::BenchDesc& bench : subject.benches) {
            if (bench.name == name) return bench;
        }
    }
    throw tools::Failure{tools::exit_usage, "the harness has no benchmark '" + op + " " + name + "'"};
}

std::vector<Plan> plan_rows(const PlanOptions& options) {
    std::vector<Plan> plans;
    for (const Pair& pair : pairs) {
        const std::string full_name = std::string(pair.op) + " " + pair.name;
        if (full_name.find(options.filter) == std::string::npos) continue;
        const harness::BenchDesc& bench = find_bench(pair.op, pair.name);
        for (const uint32_t size : sizes_of(pair, options)) {
            plans.push_back(
                {pair.op, pair.name, &bench, size, {pair.cub, size, pair.offset, pair.bins, pair.lower, pair.upper}});
        }
    }
    return plans;
}

} // namespace vkprim::peers
