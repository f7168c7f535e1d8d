#include "cub_peer.h"

#include <cub/version.cuh>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "formulation.h"

namespace vkprim::peers::cub_side {
namespace {

constexpr uint32_t most_repeats = 8192; // nodes of one graph

std::string last_error;

struct Failure {
    CubPeerResult result;
    std::string   reason;
};

CubPeerResult result_of(cudaError_t error) {
    if (error == cudaErrorMemoryAllocation) return cub_peer_out_of_memory;
    // What HistogramEven answers where its arithmetic would overflow.
    if (error == cudaErrorInvalidValue) return cub_peer_refused;
    return cub_peer_failed;
}

void need(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    cudaGetLastError(); // or the next call would report it again
    throw Failure{result_of(error), std::string(what) + ": " + cudaGetErrorString(error)};
}

/// Runs `body`, which may throw a Failure, for a C caller.
template <class Body>
CubPeerResult guarded(Body body) {
    try {
        body();
        return cub_peer_good;
    } catch (const Failure& failure) {
        last_error = failure.reason;
        return failure.result;
    } catch (const std::exception& error) {
        last_error = error.what();
        return cub_peer_failed;
    }
}

class Memory {
public:
    Memory() = default;
    explicit Memory(size_t size) { need(cudaMalloc(&data_, std::max<size_t>(size, 1)), "cudaMalloc"); }
    Memory(Memory&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
    Memory& operator=(Memory&& other) noexcept {
        std::swap(data_, other.data_);
        return *this;
    }
    ~Memory() { cudaFree(data_); }
    char* get() const { return static_cast<char*>(data_); }

private:
    void* data_ = nullptr;
};

class Stream {
public:
    Stream() { need(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate"); }
    Stream(const Stream&) = delete;
    ~Stream() { cudaStreamDestroy(stream_); }
    operator cudaStream_t() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

class Event {
public:
    Event() { need(cudaEventCreate(&event_), "cudaEventCreate"); }
    Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    ~Event() {
        if (event_) cudaEventDestroy(event_);
    }
    operator cudaEvent_t() const { return event_; }

private:
    cudaEvent_t event_ = nullptr;
};

/// `repeats` calls, one after another.
class Graph {
public:
    Graph()             = default;
    Graph(const Graph&) = delete;
    ~Graph() { clear(); }

    void clear() {
        if (executable_) cudaGraphExecDestroy(executable_);
        executable_ = nullptr;
        repeats_    = 0;
    }

    template <class Call>
    void capture(cudaStream_t stream, uint32_t repeats, Call call) {
        clear();
        need(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
        cudaError_t called = cudaSuccess;
        for (uint32_t r = 0; r < repeats && called == cudaSuccess; ++r) called = call();
        cudaGraph_t       graph = nullptr;
        const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
        need(called, "CUB, captured");
        need(ended, "cudaStreamEndCapture");
        const cudaError_t made = cudaGraphInstantiate(&executable_, graph, 0);
        cudaGraphDestroy(graph);
        need(made, "cudaGraphInstantiate");
        need(cudaGraphUpload(executable_, stream), "cudaGraphUpload");
        repeats_ = repeats;
    }

    uint32_t repeats() const { return repeats_; } ///< 0: there is none
    void     launch(cudaStream_t stream) const { need(cudaGraphLaunch(executable_, stream), "cudaGraphLaunch"); }

private:
    cudaGraphExec_t executable_ = nullptr;
    uint32_t        repeats_    = 0;
};

struct Way {
    Formulation formulation;
    double      once_ms = 0; ///< of one call, as far as known
    Graph       graph;

    explicit Way(Formulation one) : formulation(std::move(one)) {}
};

bool is_select(const CubPeerDesc& desc) {
    return desc.operation >= cub_peer_select_flagged_u32 && desc.operation <= cub_peer_reduce_by_key_u32;
}

bool is_sort(const CubPeerDesc& desc) { return desc.operation >= cub_peer_sort_keys_u32; }

bool is_segmented(const CubPeerDesc& desc) {
    return desc.operation == cub_peer_segmented_rows_add_f32 || desc.operation == cub_peer_segmented_offsets_add_f32;
}

bool is_reduce(const CubPeerDesc& desc) { return desc.operation <= cub_peer_reduce_argmin_f32; }

std::vector<Formulation> formulations_of(const CubPeerDesc& desc) {
    if (is_sort(desc)) return sort_formulations(desc);
    if (is_segmented(desc)) return segmented_formulations(desc);
    if (desc.operation >= cub_peer_own_reduce_boxes) return own_formulations(desc);
    if (is_reduce(desc)) return reduce_formulations(desc);
    if (desc.operation <= cub_peer_scan_exclusive_add_f64) return scan_formulations(desc);
    if (desc.operation == cub_peer_histogram_u8) return histogram_u8_formulations(desc);
    if (desc.operation == cub_peer_histogram_rgba_u8) return histogram_rgba_u8_formulations(desc);
    if (desc.operation == cub_peer_histogram_u32) return histogram_u32_formulations(desc);
    if (desc.operation == cub_peer_histogram_f32) return histogram_f32_formulations(desc);
    if (is_select(desc)) return select_formulations(desc);
    return copy_formulations(desc);
}

bool is_histogram(const CubPeerDesc& desc) {
    return desc.operation >= cub_peer_histogram_u8 && desc.operation <= cub_peer_histogram_f32;
}

uint64_t element_size(const CubPeerDesc& desc) {
    switch (desc.operation) {
        case cub_peer_histogram_u8:
        case cub_peer_histogram_rgba_u8: return 1;
        case cub_peer_reduce_add_f16: return 2;
        case cub_peer_reduce_add_u64:
        case cub_peer_reduce_add_f64:
        case cub_peer_scan_exclusive_add_u64:
        case cub_peer_scan_exclusive_add_f64:
        case cub_peer_own_scan_affine:
        case cub_peer_sort_keys_u64:
        case cub_peer_sort_pairs_u64: return 8;
        default: return 4;
    }
}

uint32_t segments_of(const CubPeerDesc& desc, const void* input) {
    if (desc.operation == cub_peer_segmented_rows_add_f32) return static_cast<uint32_t>(desc.count / desc.row);
    uint32_t segments = 0;
    if (is_segmented(desc)) std::memcpy(&segments, input, sizeof segments);
    return segments;
}

uint64_t output_size(const CubPeerDesc& desc, uint32_t segments) {
    if (is_segmented(desc)) return uint64_t{segments} * 4;
    if (is_histogram(desc)) return uint64_t{desc.bins} * (desc.operation == cub_peer_histogram_rgba_u8 ? 3 : 1) * 4;
    if (desc.operation == cub_peer_encode_runs_u32 || desc.operation == cub_peer_reduce_by_key_u32)
        return 4 + desc.count * 8;
    if (is_select(desc)) return 4 + desc.count * 4; // how many come behind them
    if (desc.operation >= cub_peer_sort_pairs_u32) return desc.count * (element_size(desc) + 4);
    if (desc.operation == cub_peer_reduce_add_f16) return 4;
    if (desc.operation == cub_peer_reduce_argmin_f32) return 8;
    if (desc.operation == cub_peer_own_reduce_boxes) return 24;
    if (desc.operation == cub_peer_own_reduce_moments) return 12;
    if (desc.operation == cub_peer_own_reduce_dot) return 4;
    return (is_reduce(desc) ? 1 : desc.count) * element_size(desc);
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

} // namespace
} // namespace vkprim::peers::cub_side

namespace cub_side = vkprim::peers::cub_side;
using namespace cub_side;

struct CubPeerTask {
    CubPeerDesc                       desc;
    uint32_t                          segments;
    Stream                            stream;
    Memory                            input, output, storage;
    size_t                            storage_size = 0;
    std::vector<std::unique_ptr<Way>> ways;

    CubPeerTask(const CubPeerDesc& wanted, const void* data, size_t size)
        : desc(wanted),
          segments(segments_of(wanted, data)),
          input(offset_size() + size),
          output(offset_size() + output_size()) {
        need(cudaMemcpyAsync(input.get() + offset_size(), data, size, cudaMemcpyHostToDevice, stream), "cudaMemcpy");
        need(cudaStreamSynchronize(stream), "cudaMemcpy");
        for (Formulation& one : formulations_of(desc)) ways.push_back(std::make_unique<Way>(std::move(one)));
    }

    uint64_t offset_size() const { return desc.offset * element_size(desc); }
    char*    result() const { return output.get() + offset_size(); }
    Data     data() const { return {input.get() + offset_size(), result(), segments}; }
    size_t   output_size() const { return cub_side::output_size(desc, segments); }

    void garble_output() { need(cudaMemsetAsync(result(), 0xa5, output_size(), stream), "cudaMemset"); }

    void fetch_output(void* target) {
        need(cudaMemcpyAsync(target, result(), output_size(), cudaMemcpyDeviceToHost, stream), "cudaMemcpy");
        need(cudaStreamSynchronize(stream), "CUB");
    }

    cudaError_t call(const Way& way) const {
        if (!storage.get()) return cudaErrorInvalidDevicePointer; // CUB would take it for a question for the size
        Storage temporary{storage.get(), storage_size};
        return way.formulation.call(temporary, data(), stream);
    }

    /// Makes room for what the formulation asks for. Graphs know the old place, so they go.
    void reserve(const Way& way) {
        Storage asked;
        need(way.formulation.call(asked, data(), stream), "CUB's temporary storage");
        if (asked.size <= storage_size && storage.get()) return;
        Memory larger(asked.size); // where that fails, the old one is there still
        for (const auto& one : ways) one->graph.clear();
        storage      = std::move(larger);
        storage_size = asked.size;
    }

    double time_calls(const Way& way, uint32_t calls) const {
        const Event begin, end;
        for (uint32_t c = 0; c < calls; ++c) need(call(way), "CUB"); // the clocks of a moment ago tell little
        need(cudaEventRecord(begin, stream), "cudaEventRecord");
        for (uint32_t c = 0; c < calls; ++c) need(call(way), "CUB");
        need(cudaEventRecord(end, stream), "cudaEventRecord");
        need(cudaEventSynchronize(end), "CUB");
        float ms = 0;
        need(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
        return std::max(double{ms} / calls, 0.0005);
    }

    void build_graph(Way& way, double least_run_ms) {
        if (way.once_ms <= 0) {
            way.once_ms      = time_calls(way, 1);
            const auto calls = static_cast<uint32_t>(3 / way.once_ms);
            if (calls > 1) way.once_ms = time_calls(way, std::min(calls, 1000u));
        }
        const double   wanted  = std::ceil(least_run_ms / way.once_ms);
        const auto     repeats = static_cast<uint32_t>(std::clamp(wanted, 1.0, double{most_repeats}));
        const uint32_t there   = way.graph.repeats();
        if (there < repeats || there > 2 * repeats) way.graph.capture(stream, repeats, [&] { return call(way); });
    }

    void time(const std::vector<Way*>& chosen, const CubPeerSchedule& schedule, double* times_ms) {
        for (Way* way : chosen) build_graph(*way, schedule.least_run_ms);
        std::vector<Event> events(chosen.size() * (schedule.runs + 1));
        const Way&         first  = *chosen.front();
        const double       run_ms = first.once_ms * first.graph.repeats();
        const auto         event  = [&](size_t way, uint32_t run) -> const Event& {
            return events[way * (schedule.runs + 1) + run];
        };
        garble_output();
        for (double warm = 0; warm < schedule.warm_up_ms; warm += run_ms) first.graph.launch(stream);
        for (size_t w = 0; w < chosen.size(); ++w) {
            need(cudaEventRecord(event(w, 0), stream), "cudaEventRecord");
            for (uint32_t run = 0; run < schedule.runs; ++run) {
                chosen[w]->graph.launch(stream);
                need(cudaEventRecord(event(w, run + 1), stream), "cudaEventRecord");
            }
        }
        need(cudaStreamSynchronize(stream), "CUB in a graph");
        for (size_t w = 0; w < chosen.size(); ++w) {
            double* const times = times_ms + w * schedule.runs;
            for (uint32_t run = 0; run < schedule.runs; ++run) {
                float ms = 0;
                need(cudaEventElapsedTime(&ms, event(w, run), event(w, run + 1)), "cudaEventElapsedTime");
                times[run] = double{ms} / chosen[w]->graph.repeats();
            }
            chosen[w]->once_ms = std::max(median({times, times + schedule.runs}), 0.0001);
        }
    }
};

const char* cub_peer_error(void) { return last_error.c_str(); }

CubPeerResult cub_peer_open(const uint8_t uuid[16], CubPeerVersions* versions) {
    return guarded([&] {
        versions->cuda = CUDART_VERSION;
        versions->cub  = CUB_VERSION;
        int devices    = 0;
        need(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
        need(cudaDriverGetVersion(&versions->driver), "cudaDriverGetVersion");
        for (int d = 0; d < devices; ++d) {
            cudaDeviceProp properties;
            need(cudaGetDeviceProperties(&properties, d), "cudaGetDeviceProperties");
            if (std::memcmp(properties.uuid.bytes, uuid, 16) != 0) continue;
            need(cudaSetDevice(d), "cudaSetDevice");
            need(cudaFree(nullptr), "cudaFree"); // creates the context
            return;
        }
        throw Failure{cub_peer_failed,
                      "none of the " + std::to_string(devices) + " CUDA devices has the UUID of the Vulkan device"};
    });
}

CubPeerResult cub_peer_create(const CubPeerDesc* desc, const void* input, size_t input_size, CubPeerTask** task) {
    return guarded([&] { *task = new CubPeerTask(*desc, input, input_size); });
}

void cub_peer_destroy(CubPeerTask* task) { delete task; }

uint32_t cub_peer_formulations(const CubPeerTask* task) { return static_cast<uint32_t>(task->ways.size()); }

const char* cub_peer_formulation_name(const CubPeerTask* task, uint32_t formulation) {
    return task->ways[formulation]->formulation.name.c_str();
}

size_t cub_peer_output_size(const CubPeerTask* task) { return task->output_size(); }

CubPeerResult cub_peer_run(CubPeerTask* task, uint32_t formulation, void* output) {
    return guarded([&] {
        const Way& way = *task->ways[formulation];
        task->reserve(way);
        task->garble_output();
        need(task->call(way), "CUB");
        task->fetch_output(output);
    });
}

CubPeerResult cub_peer_fetch(CubPeerTask* task, void* output) {
    return guarded([&] { task->fetch_output(output); });
}

CubPeerResult cub_peer_time(CubPeerTask* task, const uint32_t* formulations, uint32_t formulation_count,
                            const CubPeerSchedule* schedule, double* times_ms) {
    return guarded([&] {
        std::vector<Way*> chosen;
        for (uint32_t f = 0; f < formulation_count; ++f) chosen.push_back(task->ways[formulations[f]].get());
        task->time(chosen, *schedule, times_ms);
    });
}
