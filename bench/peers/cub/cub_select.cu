#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>

#include "formulation.h"

namespace vkprim::peers::cub_side {
namespace {

uint32_t* kept_of(const CubPeerDesc& desc, const Data& data) {
    return static_cast<uint32_t*>(data.output) + desc.count;
}

/// `Algorithm`: cub::DeviceSelect or cub::DevicePartition. `Flag`: how the flags' bytes are taken.
template <class Algorithm, class Flag>
Formulation flagged(const CubPeerDesc& desc, const char* name) {
    return {
        name, [=](Storage& storage, const Data& data, cudaStream_t stream) {
            const auto* flags = static_cast<const Flag*>(data.input);
            const auto* elements =
                reinterpret_cast<const uint32_t*>(static_cast<const char*>(data.input) + (desc.count + 15) / 16 * 16);
            return Algorithm::Flagged(storage.data, storage.size, elements, flags, static_cast<uint32_t*>(data.output),
                                      kept_of(desc, data), static_cast<int64_t>(desc.count), stream);
        }};
}

/// Both ways to take the flags' bytes.
template <class Algorithm>
std::vector<Formulation> all_flagged(const CubPeerDesc& desc) {
    return {flagged<Algorithm, uint8_t>(desc, "Flagged, uint8 flags"),
            flagged<Algorithm, bool>(desc, "Flagged, bool flags")};
}

template <class Flag>
Formulation flagged_indices(const CubPeerDesc& desc, const char* name) {
    return {name, [=](Storage& storage, const Data& data, cudaStream_t stream) {
                return cub::DeviceSelect::Flagged(storage.data, storage.size, thrust::counting_iterator<uint32_t>(0),
                                                  static_cast<const Flag*>(data.input),
                                                  static_cast<uint32_t*>(data.output), kept_of(desc, data),
                                                  static_cast<int64_t>(desc.count), stream);
            }};
}

struct InRange {
    uint32_t lower, upper;

    __host__ __device__ bool operator()(uint32_t key) const { return key >= lower && key <= upper; }
};

/// The same by one comparison.
struct InRangeByDifference {
    uint32_t lower, span;

    __host__ __device__ bool operator()(uint32_t key) const { return key - lower <= span; }
};

template <class Predicate>
Formulation in_range(const CubPeerDesc& desc, const char* name, Predicate predicate) {
    return {name, [=](Storage& storage, const Data& data, cudaStream_t stream) {
                return cub::DeviceSelect::If(storage.data, storage.size, static_cast<const uint32_t*>(data.input),
                                             static_cast<uint32_t*>(data.output), kept_of(desc, data),
                                             static_cast<int64_t>(desc.count), predicate, stream);
            }};
}

Formulation unique(const CubPeerDesc& desc) {
    return {"Unique", [=](Storage& storage, const Data& data, cudaStream_t stream) {
                return cub::DeviceSelect::Unique(storage.data, storage.size, static_cast<const uint32_t*>(data.input),
                                                 static_cast<uint32_t*>(data.output), kept_of(desc, data),
                                                 static_cast<int64_t>(desc.count), stream);
            }};
}

Formulation encode_runs(const CubPeerDesc& desc) {
    return {"Encode", [=](Storage& storage, const Data& data, cudaStream_t stream) {
                auto* const elements = static_cast<uint32_t*>(data.output);
                return cub::DeviceRunLengthEncode::Encode(
                    storage.data, storage.size, static_cast<const uint32_t*>(data.input), elements,
                    elements + desc.count, elements + 2 * desc.count, static_cast<int>(desc.count), stream);
            }};
}

Formulation reduce_by_key(const CubPeerDesc& desc) {
    return {"ReduceByKey", [=](Storage& storage, const Data& data, cudaStream_t stream) {
                const auto* const keys     = static_cast<const uint32_t*>(data.input);
                const auto* const elements = keys + (desc.count + 3) / 4 * 4;
                auto* const       output   = static_cast<uint32_t*>(data.output);
                return cub::DeviceReduce::ReduceByKey(storage.data, storage.size, keys, output, elements,
                                                      output + desc.count, output + 2 * desc.count,
                                                      ::cuda::std::plus<>{}, static_cast<int>(desc.count), stream);
            }};
}

} // namespace

std::vector<Formulation> select_formulations(const CubPeerDesc& desc) {
    const auto lower = static_cast<uint32_t>(desc.lower), upper = static_cast<uint32_t>(desc.upper);
    switch (desc.operation) {
        case cub_peer_select_flagged_u32: return all_flagged<cub::DeviceSelect>(desc);
        case cub_peer_select_flagged_indices:
            return {flagged_indices<uint8_t>(desc, "Flagged, counting iterator, uint8 flags"),
                    flagged_indices<bool>(desc, "Flagged, counting iterator, bool flags")};
        case cub_peer_select_range_u32:
            return {in_range(desc, "If, two comparisons", InRange{lower, upper}),
                    in_range(desc, "If, one comparison", InRangeByDifference{lower, upper - lower})};
        case cub_peer_select_unique_u32: return {unique(desc)};
        case cub_peer_partition_flagged_u32: return all_flagged<cub::DevicePartition>(desc);
        case cub_peer_encode_runs_u32: return {encode_runs(desc)};
        case cub_peer_reduce_by_key_u32: return {reduce_by_key(desc)};
        default: return {};
    }
}

} // namespace vkprim::peers::cub_side
