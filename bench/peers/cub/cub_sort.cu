// Keys, and what goes with them: values behind the keys, or indices, which CUB must be given.
#include <cub/device/device_radix_sort.cuh>

#include "formulation.h"

namespace vkprim::peers::cub_side {
namespace {

template <class Key>
Formulation keys(const CubPeerDesc& desc) {
    return {"SortKeys",
            [count = static_cast<int64_t>(desc.count)](Storage& storage, const Data& data, cudaStream_t stream) {
                return cub::DeviceRadixSort::SortKeys(storage.data, storage.size, static_cast<const Key*>(data.input),
                                                      static_cast<Key*>(data.output), count, 0, sizeof(Key) * 8,
                                                      stream);
            }};
}

template <class Key>
cudaError_t sort_pairs(Storage& storage, const Data& data, const uint32_t* values, int64_t count, cudaStream_t stream) {
    const auto* const from = static_cast<const Key*>(data.input);
    auto* const       to   = static_cast<Key*>(data.output);
    return cub::DeviceRadixSort::SortPairs(storage.data, storage.size, from, to, values,
                                           reinterpret_cast<uint32_t*>(to + count), count, 0, sizeof(Key) * 8, stream);
}

template <class Key>
Formulation pairs(const CubPeerDesc& desc) {
    return {"SortPairs",
            [count = static_cast<int64_t>(desc.count)](Storage& storage, const Data& data, cudaStream_t stream) {
                const auto* const values =
                    reinterpret_cast<const uint32_t*>(static_cast<const Key*>(data.input) + count);
                return sort_pairs<Key>(storage, data, values, count, stream);
            }};
}

__global__ void fill_indices(uint32_t* indices, uint32_t count) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) indices[i] = i;
}

/// The indices lie ahead of CUB's own storage.
Formulation indices(const CubPeerDesc& desc) {
    return {"indices, SortPairs",
            [count = static_cast<uint32_t>(desc.count)](Storage& storage, const Data& data, cudaStream_t stream) {
                const size_t size   = (size_t{count} * 4 + 255) / 256 * 256;
                auto* const  values = static_cast<uint32_t*>(storage.data);
                Storage      behind{values ? static_cast<char*>(storage.data) + size : nullptr,
                               values ? storage.size - size : 0};
                if (values) fill_indices<<<(count + 255) / 256, 256, 0, stream>>>(values, count);
                const cudaError_t error = sort_pairs<uint32_t>(behind, data, values, count, stream);
                if (!values) storage.size = size + behind.size;
                return error;
            }};
}

} // namespace

std::vector<Formulation> sort_formulations(const CubPeerDesc& desc) {
    switch (desc.operation) {
        case cub_peer_sort_keys_u32: return {keys<uint32_t>(desc)};
        case cub_peer_sort_keys_u64: return {keys<uint64_t>(desc)};
        case cub_peer_sort_pairs_u32: return {pairs<uint32_t>(desc)};
        case cub_peer_sort_pairs_u64: return {pairs<uint64_t>(desc)};
        default: return {indices(desc)};
    }
}

} // namespace vkprim::peers::cub_side
