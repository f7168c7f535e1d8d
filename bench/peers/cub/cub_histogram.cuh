// Every way to ask CUB for a histogram with equal bins: the type of the levels decides in which arithmetic a sample
// finds its bin, and the type of the count decides the index arithmetic.
#pragma once

#include <cub/device/device_histogram.cuh>

#include <cmath>
#include <limits>
#include <memory>

#include "formulation.h"

namespace vkprim::peers::cub_side {

/// Adds formulations for samples of type Sample.
template <class Sample>
class HistogramFormulations {
public:
    explicit HistogramFormulations(const CubPeerDesc& desc) : desc_(desc) {}

    /// HistogramEven: levels from `lower` to `upper` in even steps. Nothing where Level does not hold those.
    template <class Level>
    void even(const std::string& level_name) {
        if (!holds<Level>()) return;
        for_each_count([&](auto count, const std::string& count_name) {
            add("HistogramEven, " + level_name + " levels, " + count_name,
                [=, desc = desc_](Storage& storage, const Data& data, cudaStream_t stream) {
                    return cub::DeviceHistogram::HistogramEven(
                        storage.data, storage.size, static_cast<const Sample*>(data.input),
                        static_cast<uint32_t*>(data.output), static_cast<int>(desc.bins + 1),
                        static_cast<Level>(desc.lower), static_cast<Level>(desc.upper), count, stream);
                });
        });
    }

    /// HistogramRange: a sample's bin is searched for among the levels. The same where a level of each bin is exact.
    template <class Level>
    void range(const std::string& level_name) {
        if (!holds<Level>()) return;
        const std::shared_ptr<Level> levels = device_levels<Level>();
        if (!levels) return;
        for_each_count([&](auto count, const std::string& count_name) {
            add("HistogramRange, " + level_name + " levels, " + count_name,
                [=, desc = desc_](Storage& storage, const Data& data, cudaStream_t stream) {
                    return cub::DeviceHistogram::HistogramRange(
                        storage.data, storage.size, static_cast<const Sample*>(data.input),
                        static_cast<uint32_t*>(data.output), static_cast<int>(desc.bins + 1),
                        static_cast<const Level*>(levels.get()), count, stream);
                });
        });
    }

    std::vector<Formulation> take() { return std::move(all_); }

private:
    template <class Level>
    bool holds() const {
        const auto exact = [](double value) {
            if constexpr (std::is_integral_v<Level>) {
                return value >= static_cast<double>(std::numeric_limits<Level>::min()) &&
                       value <= static_cast<double>(std::numeric_limits<Level>::max());
            } else {
                return static_cast<double>(static_cast<Level>(value)) == value;
            }
        };
        return exact(desc_.lower) && exact(desc_.upper);
    }

    /// CUB takes an int64 count for an int itself where the samples' bytes are fewer than 2^31.
    template <class Function>
    void for_each_count(Function function) {
        if (desc_.count < past_32_bits) {
            function(static_cast<int32_t>(desc_.count), "int count");
            function(static_cast<uint32_t>(desc_.count), "uint32 count");
        }
        if (desc_.count * sizeof(Sample) >= past_32_bits) function(static_cast<int64_t>(desc_.count), "int64 count");
    }

    template <class Call>
    void add(const std::string& name, Call call) {
        all_.push_back({name, call});
    }

    template <class Level>
    std::shared_ptr<Level> device_levels() const {
        std::vector<Level> levels(desc_.bins + 1);
        for (size_t b = 0; b < levels.size(); ++b) {
            const double level = desc_.lower + static_cast<double>(b) * (desc_.upper - desc_.lower) / desc_.bins;
            levels[b]          = static_cast<Level>(std::is_integral_v<Level> ? std::ceil(level) : level);
        }
        void* memory = nullptr;
        if (cudaMalloc(&memory, levels.size() * sizeof(Level)) != cudaSuccess) {
            cudaGetLastError(); // or the next call would report it again
            return nullptr;
        }
        std::shared_ptr<Level> shared(static_cast<Level*>(memory), [](Level* levels_) { cudaFree(levels_); });
        const cudaError_t      copied =
            cudaMemcpy(memory, levels.data(), levels.size() * sizeof(Level), cudaMemcpyHostToDevice);
        return copied == cudaSuccess ? shared : nullptr;
    }

    CubPeerDesc              desc_;
    std::vector<Formulation> all_;
};

} // namespace vkprim::peers::cub_side
