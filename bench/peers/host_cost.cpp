#include "host_cost.h"

#include <chrono>
#include <cstdlib>

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

double create_ms(const Context& context, const harness::Property& property, const std::string& variant) {
    const Clock::time_point begin     = Clock::now();
    const auto              primitive = property.create(context, variant);
    const double            ms        = ms_since(begin);
    if (!primitive) throw tools::Failure{tools::exit_device, primitive.error().reason};
    return ms;
}

void measure_create(const runtime::Device& device, const harness::Property& property, const std::string& variant,
                    HostCost& cost) {
    const PipelineCache cache(device.context());
    cost.cold_ms = create_ms(cache.context(), property, variant);
    std::vector<double> warm;
    for (uint32_t c = 0; c < creates; ++c) warm.push_back(create_ms(cache.context(), property, variant));
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

} // namespace

std::vector<HostCost> host_costs(const runtime::Device& device, const Filter& filter) {
    std::vector<HostCost> costs;
    for (const harness::Subject& subject : harness::subjects()) {
        for (const harness::BenchDesc& bench : subject.benches) {
            HostCost cost;
            cost.name = subject.name + " " + bench.name;
            if (bench.variant.empty() || !takes(filter, "host " + cost.name)) continue;
            measure_create(device, subject.property, bench.variant, cost); // before the benchmark creates it, too
            measure_record(device, bench, cost);
            costs.push_back(cost);
        }
    }
    return costs;
}

void switch_off_disk_caches() {
    ::setenv("__GL_SHADER_DISK_CACHE", "0", 1); // NVIDIA
    ::setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
}

} // namespace vkprim::peers
