// Every way to ask CUB for the histograms of three of four interleaved channels.
#include <cub/device/device_histogram.cuh>

#if CUB_VERSION >= 300000
#include <cuda/std/array>
#endif

#include "formulation.h"

namespace vkprim::peers::cub_side {
namespace {

constexpr int channels = 4, counted_channels = 3;

#if CUB_VERSION >= 300000
template <class T>
using PerChannel = cuda::std::array<T, counted_channels>;
#else
template <class T>
using PerChannel = T[counted_channels];
#endif

template <class Level, class Count>
cudaError_t count_pixels(Storage& storage, const Data& data, const CubPeerDesc& desc, Count pixels,
                         cudaStream_t stream) {
    PerChannel<uint32_t*> counts;
    PerChannel<int>       level_counts;
    PerChannel<Level>     lower, upper;
    for (int c = 0; c < counted_channels; ++c) {
        counts[c]       = static_cast<uint32_t*>(data.output) + c * desc.bins;
        level_counts[c] = static_cast<int>(desc.bins + 1);
        lower[c]        = static_cast<Level>(desc.lower);
        upper[c]        = static_cast<Level>(desc.upper);
    }
    return cub::DeviceHistogram::MultiHistogramEven<channels, counted_channels>(
        storage.data, storage.size, static_cast<const uint8_t*>(data.input), counts, level_counts, lower, upper, pixels,
        stream);
}

template <class Level>
void add(std::vector<Formulation>& all, const CubPeerDesc& desc, const std::string& level_name) {
    const auto add_count = [&](auto pixels, const std::string& count_name) {
        all.push_back({"MultiHistogramEven<4, 3>, " + level_name + " levels, " + count_name,
                       [=](Storage& storage, const Data& data, cudaStream_t stream) {
                           return count_pixels<Level>(storage, data, desc, pixels, stream);
                       }});
    };
    add_count(static_cast<int32_t>(desc.count / channels), "int count");
    if (desc.count >= past_32_bits) add_count(static_cast<int64_t>(desc.count / channels), "int64 count");
}

} // namespace

std::vector<Formulation> histogram_rgba_u8_formulations(const CubPeerDesc& desc) {
    std::vector<Formulation> all;
    add<int32_t>(all, desc, "int");
    add<float>(all, desc, "float");
    return all;
}

} // namespace vkprim::peers::cub_side
