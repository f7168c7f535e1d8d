#include "host_cost.h"

#include <vkprim/compact.h>
#include <vkprim/histogram.h>
#include <vkprim/reduce.h>
#include <vkprim/scan.h>

#include <chrono>
#include <cstdlib>

#include "rows.h"
#include "tools/cli/program.h"

namespace vkprim::peers {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t batch   = 10000; // calls into one command buffer
constexpr uint32_t batches = 11;
constexpr uint32_t creates = 11; // with a warm cache
constexpr uint32_t count   = 1 << 16;

double ms_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// A VkPipelineCache, empty at first.
class PipelineCache {
public:
    explicit PipelineCache(const Context& context) : context_(context) {
        VkPipelineCacheCreateInfo info{};
        info.sType         = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
        const auto create  = function<PFN_vkCreatePipelineCache>("vkCreatePipelineCache");
        const auto created = create(context.device, &info, nullptr, &context_.pipeline_cache);
        if (created != VK_SUCCESS) throw tools::Failure{tools::exit_device, "vkCreatePipelineCache failed"};
    }
    PipelineCache(const PipelineCache&) = delete;
    ~PipelineCache() {
        const auto destroy = function<PFN_vkDestroyPipelineCache>("vkDestroyPipelineCache");
        destroy(context_.device, context_.pipeline_cache, nullptr);
    }

    /// The context with this cache.
    const Context& context() const { return context_; }

private:
    template <class Function>
    Function function(const char* name) const {
        return reinterpret_cast<Function>(context_.get_instance_proc_addr(context_.instance, name));
    }

    Context context_;
};

template <class Primitive>
double create_ms(const Context& context, const typename Primitive::Desc& desc) {
    const Clock::time_point begin     = Clock::now();
    const auto              primitive = Primitive::create(context, desc);
    const double            ms        = ms_since(begin);
    if (!primitive) throw tools::Failure{tools::exit_device, primitive.error().reason};
    return ms;
}

template <class Primitive>
void measure_create(const runtime::Device& device, const typename Primitive::Desc& desc, HostCost& cost) {
    const PipelineCache cache(device.context());
    cost.cold_ms = create_ms<Primitive>(cache.context(), desc);
    std::vector<double> warm;
    for (uint32_t c = 0; c < creates; ++c) warm.push_back(create_ms<Primitive>(cache.context(), desc));
    cost.warm_ms = summary(warm)->median_ms;
}

void measure_record(const runtime::Device& device, const harness::BenchDesc& bench, HostCost& cost) {
    const harness::Workload workload = tools::need_device(bench.prepare(device, count));
    std::vector<double>     batch_ms;
    for (uint32_t b = 0; b < batches; ++b) {
        const runtime::Commands commands = tools::need_device(device.begin_commands());
        const Clock::time_point begin    = Clock::now();
        for (uint32_t call = 0; call < batch; ++call) workload.record(commands.handle());
        batch_ms.push_back(ms_since(begin));
    }
    cost.record_us = summary(batch_ms)->median_ms * 1000 / batch;
}

/// A benchmark of the harness, and how to create what it runs.
struct Subject {
    const char*                                            op;
    const char*                                            name;
    std::function<void(const runtime::Device&, HostCost&)> create;
};

template <class Primitive>
Subject subject(const char* op, const char* name, const typename Primitive::Desc& desc) {
    return {op, name,
            [desc](const runtime::Device& device, HostCost& cost) { measure_create<Primitive>(device, desc, cost); }};
}

std::vector<Subject> all_subjects() {
    constexpr auto u32 = ElementType::u32, f32 = ElementType::f32;
    constexpr auto add = Operation::add;
    return {
        subject<Reduce>("reduce", "add u32", {u32, add}),
        subject<Reduce>("reduce", "add f32", {f32, add}),
        subject<Scan>("scan", "add u32 exclusive", {u32, add, Scan::Kind::exclusive}),
        subject<Scan>("scan", "add f32 exclusive", {f32, add, Scan::Kind::exclusive}),
        subject<Compact>("compact", "u8 nonzero elements, half kept", {}),
        subject<Histogram>("histogram", "u8 256 bins", {SampleType::u8, 256, 0, 256}),
        subject<Histogram>("histogram", "u32 1048576 bins", {SampleType::u32, 1048576, 0, 1048576}),
    };
}

} // namespace

std::vector<HostCost> host_costs(const runtime::Device& device, const std::string& filter) {
    std::vector<HostCost> costs;
    for (const Subject& one : all_subjects()) {
        HostCost cost;
        cost.name = std::string(one.op) + " " + one.name;
        if (("host " + cost.name).find(filter) == std::string::npos) continue;
        one.create(device, cost); // before the benchmark creates it, too
        measure_record(device, find_bench(one.op, one.name), cost);
        costs.push_back(cost);
    }
    return costs;
}

void switch_off_disk_caches() {
    ::setenv("__GL_SHADER_DISK_CACHE", "0", 1); // NVIDIA
    ::setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
}

} // namespace vkprim::peers
