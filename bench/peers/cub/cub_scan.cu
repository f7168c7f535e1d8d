#include <cub/device/device_scan.cuh>

#include "formulation.h"

namespace vkprim::peers::cub_side {
namespace {

template <class Element, class Count>
Formulation exclusive(const CubPeerDesc& desc, const char* name) {
    return {name, [count = static_cast<Count>(desc.count)](Storage& storage, const Data& data, cudaStream_t stream) {
                return cub::DeviceScan::ExclusiveSum(storage.data, storage.size,
                                                     static_cast<const Element*>(data.input),
                                                     static_cast<Element*>(data.output), count, stream);
            }};
}

template <class Element, class Count>
Formulation inclusive(const CubPeerDesc& desc, const char* name) {
    return {name, [count = static_cast<Count>(desc.count)](Storage& storage, const Data& data, cudaStream_t stream) {
                return cub::DeviceScan::InclusiveSum(storage.data, storage.size,
                                                     static_cast<const Element*>(data.input),
                                                     static_cast<Element*>(data.output), count, stream);
            }};
}

/// With counts of both sizes, where the count has both.
template <class Element>
std::vector<Formulation> exclusives(const CubPeerDesc& desc) {
    std::vector<Formulation> all;
    if (desc.count < past_32_bits) all.push_back(exclusive<Element, uint32_t>(desc, "ExclusiveSum, 32-bit count"));
    all.push_back(exclusive<Element, uint64_t>(desc, "ExclusiveSum, 64-bit count"));
    return all;
}

} // namespace

std::vector<Formulation> scan_formulations(const CubPeerDesc& desc) {
    std::vector<Formulation> all;
    const bool               small = desc.count < past_32_bits;
    switch (desc.operation) {
        case cub_peer_scan_exclusive_add_u32: return exclusives<uint32_t>(desc);
        case cub_peer_scan_inclusive_add_u32:
            if (small) all.push_back(inclusive<uint32_t, uint32_t>(desc, "InclusiveSum, 32-bit count"));
            all.push_back(inclusive<uint32_t, uint64_t>(desc, "InclusiveSum, 64-bit count"));
            break;
        case cub_peer_scan_exclusive_add_f32: return exclusives<float>(desc);
        case cub_peer_scan_exclusive_add_u64: return exclusives<uint64_t>(desc);
        case cub_peer_scan_exclusive_add_f64: return exclusives<double>(desc);
        default: break;
    }
    return all;
}

} // namespace vkprim::peers::cub_side
