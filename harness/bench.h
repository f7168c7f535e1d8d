// What is measured, and how long it takes.
#pragma once

#include <vkprim/runtime.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "values.h"

namespace vkprim::harness {

/// One thing to measure, ready to run.
struct Workload {
    uint64_t                             bytes_read    = 0; ///< each element once
    uint64_t                             bytes_written = 0;
    std::function<void(VkCommandBuffer)> record; ///< one operation
    std::function<std::string()>         check;  ///< empty where the last result was right, else what was wrong
    std::shared_ptr<void>                memory; ///< keeps buffers and pipelines alive

    // For who measures something else on the same data.
    std::shared_ptr<const Bytes>                  input;    ///< what it reads, from the first element on
    std::function<std::shared_ptr<const Bytes>()> expected; ///< what the CPU reference makes of it; computed once
    std::function<Result<void>()>                 upload;   ///< hands the input to the device once more
    std::function<Result<Bytes>()>                download; ///< what the device has made of it
};

/// Where the count of elements lies.
enum class Counting {
    host,
    gpu,
    gpu_with_grid, ///< which is made of the count
};

struct BenchSize {
    uint32_t count;    ///< elements
    uint32_t bound;    ///< if set, the count lies on the GPU, and this is all that the host knows of it
    bool     indirect; ///< with a bound: the grid is made of the count

    BenchSize(uint32_t count_, uint32_t bound_ = 0, bool indirect_ = false)
        : count(count_), bound(bound_), indirect(indirect_) {}

    uint32_t host_count() const { return bound > 0 ? bound : count; } ///< of Args
    Counting counting() const {
        return bound == 0 ? Counting::host : indirect ? Counting::gpu_with_grid : Counting::gpu;
    }
};

/// The same work in another library, for those who compare (bench/peers).
struct Peer {
    /// The leading rows show how time grows with size, the others what a type or an option changes.
    enum class Sizes { leading, others, large, wide, largest };

    std::string operation; ///< as bench/peers/cub/cub_peer.h has it: "reduce_add_u32"; empty: none
    Sizes       sizes  = Sizes::others;
    uint32_t    offset = 0;           ///< elements before input and output
    uint32_t    bins   = 0;           ///< of a histogram
    double      lower = 0, upper = 0; ///< of a histogram, or of a range of keys
    uint32_t    row = 0;              ///< elements of a row
};

struct BenchDesc {
    std::string name; ///< "add u32", "u8 256 bins": unique within the subject
    std::string type; ///< element or sample type, for --type
    uint32_t    element_size = 4;
    std::function<Result<Workload>(const runtime::Device& device, const BenchSize& size)> prepare;

    Counting counting = Counting::gpu_with_grid; ///< the last that it can
    Peer     peer     = {};
    /// Of the subject's Property, if the host's cost of creating and recording it is of interest.
    std::string variant = {};
};

/// A benchmark with its peer; with `variant`, where the host's cost is of interest.
inline BenchDesc with_peer(BenchDesc bench, Peer peer, std::string variant = {}) {
    bench.peer    = std::move(peer);
    bench.variant = std::move(variant);
    return bench;
}

/// A number that a profile may set, and how `vkprim tune` finds the best.
struct Tunable {
    std::string knob;      ///< as profiles name it: "scan.prefetch_distance"
    std::string bench;     ///< of the same subject: the one that decides
    uint32_t    count = 0; ///< of elements, in that

    std::vector<uint32_t> candidates;       ///< values to try
    std::vector<uint32_t> on_software = {}; ///< instead of these on software devices, if any
};

/// Creates the pipeline of the copy kernel, every benchmark's yardstick, for what its driver says of it.
Result<void> compile_copy(const runtime::Device& device);

/// Of a steady clock.
double seconds_now();

struct BenchResult {
    double      median_ms = 0, fastest_ms = 0, slowest_ms = 0;
    double      gbps = 0; ///< (bytes read + bytes written) / median
    std::string wrong;    ///< what check() said
};

struct MeasureOptions {
    double   warm_up_ms   = 700; ///< ahead of the timed runs, in the same submission; none on software devices
    double   least_run_ms = 2;   ///< of one timed run, so that the timestamps' own cost does not show
    uint32_t runs         = 15;
    double   once_ms      = 0; ///< how long one operation takes, where that is known; 0: find out first
};

/// Milliseconds per operation in each of options.runs timestamped runs, in the order in which they ran. A run is enough
/// repetitions to last, with barriers between them, as dependent dispatches have.
Result<std::vector<double>> measure_runs(const runtime::Device& device, const Workload& workload,
                                         const MeasureOptions& options);

/// measure_runs() as a BenchResult, with the last result checked.
Result<BenchResult> measure(const runtime::Device& device, const Workload& workload,
                            const MeasureOptions& options = {});

} // namespace vkprim::harness
