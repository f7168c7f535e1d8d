// What the files for the primitives hand to cub_peer.cu: every way to ask CUB for an operation.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <vector>

#include "cub_peer.h"

namespace vkprim::peers::cub_side {

/// Temporary storage as CUB takes it: where `data` is null, a call only tells the size.
struct Storage {
    void*  data = nullptr;
    size_t size = 0;
};

/// Device memory of one task, past the offset.
struct Data {
    const void* input;
    void*       output;
    uint32_t    segments; ///< 0: there are none
};

struct Formulation {
    std::string                                                     name;
    std::function<cudaError_t(Storage&, const Data&, cudaStream_t)> call;
};

std::vector<Formulation> copy_formulations(const CubPeerDesc& desc);
std::vector<Formulation> reduce_formulations(const CubPeerDesc& desc);
std::vector<Formulation> scan_formulations(const CubPeerDesc& desc);
std::vector<Formulation> histogram_u8_formulations(const CubPeerDesc& desc);
std::vector<Formulation> histogram_rgba_u8_formulations(const CubPeerDesc& desc);
std::vector<Formulation> histogram_u32_formulations(const CubPeerDesc& desc);
std::vector<Formulation> histogram_f32_formulations(const CubPeerDesc& desc);
std::vector<Formulation> select_formulations(const CubPeerDesc& desc);
std::vector<Formulation> own_formulations(const CubPeerDesc& desc);
std::vector<Formulation> segmented_formulations(const CubPeerDesc& desc);
std::vector<Formulation> sort_formulations(const CubPeerDesc& desc);

/// Counts from here on go in 64-bit integers alone.
constexpr uint64_t past_32_bits = uint64_t{1} << 31;

} // namespace vkprim::peers::cub_side
