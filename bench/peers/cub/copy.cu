// No CUB here: the copy kernel of harness/shaders/copy in CUDA. What differs between the two sides in its row is what a
// chain of dependent kernels costs in CUDA and of dispatches in Vulkan, and is in all other rows, too.
#include "formulation.h"

namespace vkprim::peers::cub_side {
namespace {

constexpr uint32_t threads = 256, vectors_each = 4; // COPY_VECTORS

__global__ void copy_kernel(const uint4* source, uint4* target, uint64_t vectors) {
    const uint64_t first = uint64_t{blockIdx.x} * threads * vectors_each + threadIdx.x;
    uint4          loaded[vectors_each];
    if (first + (vectors_each - 1) * threads < vectors) {
#pragma unroll
        for (uint32_t v = 0; v < vectors_each; ++v) loaded[v] = source[first + v * threads];
#pragma unroll
        for (uint32_t v = 0; v < vectors_each; ++v) target[first + v * threads] = loaded[v];
    } else {
        for (uint64_t i = first; i < vectors; i += threads) target[i] = source[i];
    }
}

} // namespace

std::vector<Formulation> copy_formulations(const CubPeerDesc& desc) {
    return {
        {"the same copy kernel in CUDA", [count = desc.count](Storage& storage, const Data& data, cudaStream_t stream) {
             if (!storage.data) {
                 storage.size = 1;
                 return cudaSuccess;
             }
             const uint64_t vectors = count / 4, tile = uint64_t{threads} * vectors_each;
             copy_kernel<<<static_cast<uint32_t>((vectors + tile - 1) / tile), threads, 0, stream>>>(
                 static_cast<const uint4*>(data.input), static_cast<uint4*>(data.output), vectors);
             return cudaGetLastError();
         }}};
}

} // namespace vkprim::peers::cub_side
