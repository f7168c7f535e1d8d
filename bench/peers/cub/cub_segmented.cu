// Sums of many segments. CUB 3.0 takes offsets alone, from memory or computed.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_segmented_reduce.cuh>

#include "formulation.h"

namespace vkprim::peers::cub_side {
namespace {

template <class Offset>
struct Row {
    Offset length;

    __host__ __device__ Offset operator()(Offset row) const { return row * length; }
};

template <class Offset>
Formulation of_rows(const CubPeerDesc& desc, const char* name) {
    return {name, [length = static_cast<Offset>(desc.row)](Storage& storage, const Data& data, cudaStream_t stream) {
                const auto offsets =
                    thrust::make_transform_iterator(thrust::counting_iterator<Offset>(0), Row<Offset>{length});
                return cub::DeviceSegmentedReduce::Sum(
                    storage.data, storage.size, static_cast<const float*>(data.input), static_cast<float*>(data.output),
                    data.segments, offsets, offsets + 1, stream);
            }};
}

Formulation of_offsets() {
    return {"offsets in memory", [](Storage& storage, const Data& data, cudaStream_t stream) {
                const auto* const bytes   = static_cast<const char*>(data.input);
                const auto* const offsets = reinterpret_cast<const uint32_t*>(bytes + 16);
                const size_t      size    = (16 + (size_t{data.segments} + 1) * 4 + 15) / 16 * 16;
                return cub::DeviceSegmentedReduce::Sum(
                    storage.data, storage.size, reinterpret_cast<const float*>(bytes + size),
                    static_cast<float*>(data.output), data.segments, offsets, offsets + 1, stream);
            }};
}

} // namespace

std::vector<Formulation> segmented_formulations(const CubPeerDesc& desc) {
    if (desc.operation == cub_peer_segmented_offsets_add_f32) return {of_offsets()};
    std::vector<Formulation> all{of_rows<uint64_t>(desc, "computed 64-bit offsets")};
    if (desc.count < past_32_bits) all.push_back(of_rows<uint32_t>(desc, "computed 32-bit offsets"));
    return all;
}

} // namespace vkprim::peers::cub_side
