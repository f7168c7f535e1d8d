#include <cuda_fp16.h>
#include <cub/device/device_reduce.cuh>

#include "formulation.h"

namespace vkprim::peers::cub_side {
namespace {

/// CUB makes uint32_t of every count type of up to four bytes, so that int would be the same code again.
template <class Element, class Count>
Formulation sum(const CubPeerDesc& desc, const char* name) {
    return {name, [count = static_cast<Count>(desc.count)](Storage& storage, const Data& data, cudaStream_t stream) {
                return cub::DeviceReduce::Sum(storage.data, storage.size, static_cast<const Element*>(data.input),
                                              static_cast<Element*>(data.output), count, stream);
            }};
}

template <class Element, class Count>
Formulation min(const CubPeerDesc& desc, const char* name) {
    return {name, [count = static_cast<Count>(desc.count)](Storage& storage, const Data& data, cudaStream_t stream) {
                return cub::DeviceReduce::Min(storage.data, storage.size, static_cast<const Element*>(data.input),
                                              static_cast<Element*>(data.output), count, stream);
            }};
}

/// With counts of both sizes, where the count has both.
template <class Element>
std::vector<Formulation> sums(const CubPeerDesc& desc) {
    std::vector<Formulation> all;
    if (desc.count < past_32_bits) all.push_back(sum<Element, uint32_t>(desc, "Sum, 32-bit count"));
    all.push_back(sum<Element, uint64_t>(desc, "Sum, 64-bit count"));
    return all;
}

Formulation sum_of_halves(const CubPeerDesc& desc) {
    return {"Reduce, sums as float", [count = desc.count](Storage& storage, const Data& data, cudaStream_t stream) {
                return cub::DeviceReduce::Reduce(storage.data, storage.size, static_cast<const __half*>(data.input),
                                                 static_cast<float*>(data.output), count, ::cuda::std::plus<float>{},
                                                 0.0f, stream);
            }};
}

Formulation argmin(const CubPeerDesc& desc) {
    return {"ArgMin", [count = desc.count](Storage& storage, const Data& data, cudaStream_t stream) {
                return cub::DeviceReduce::ArgMin(
                    storage.data, storage.size, static_cast<const float*>(data.input), static_cast<float*>(data.output),
                    static_cast<uint32_t*>(data.output) + 1, static_cast<int64_t>(count), stream);
            }};
}

} // namespace

std::vector<Formulation> reduce_formulations(const CubPeerDesc& desc) {
    std::vector<Formulation> all;
    const bool               small = desc.count < past_32_bits;
    switch (desc.operation) {
        case cub_peer_reduce_add_u32: return sums<uint32_t>(desc);
        case cub_peer_reduce_add_f32: return sums<float>(desc);
        case cub_peer_reduce_min_u32:
            if (small) all.push_back(min<uint32_t, uint32_t>(desc, "Min, 32-bit count"));
            all.push_back(min<uint32_t, uint64_t>(desc, "Min, 64-bit count"));
            break;
        case cub_peer_reduce_add_u64: return sums<uint64_t>(desc);
        case cub_peer_reduce_add_f64: return sums<double>(desc);
        case cub_peer_reduce_add_f16: all.push_back(sum_of_halves(desc)); break;
        case cub_peer_reduce_argmin_f32: all.push_back(argmin(desc)); break;
        default: break;
    }
    return all;
}

} // namespace vkprim::peers::cub_side
