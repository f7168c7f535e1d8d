// Elements and operations of your own: what vkprim has in files of GLSL.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <cmath>

#include "formulation.h"

namespace vkprim::peers::cub_side {
namespace {

struct Box {
    float low[3], high[3];
};

struct Around {
    __host__ __device__ Box operator()(const Box& a, const Box& b) const {
        Box around;
        for (int c = 0; c < 3; ++c) {
            around.low[c]  = fminf(a.low[c], b.low[c]);
            around.high[c] = fmaxf(a.high[c], b.high[c]);
        }
        return around;
    }
};

struct Moments {
    float count, mean, m2;
};

struct Single {
    __host__ __device__ Moments operator()(float value) const { return {1, value, 0}; }
};

struct Merge {
    __host__ __device__ Moments operator()(const Moments& a, const Moments& b) const {
        if (a.count == 0) return b;
        if (b.count == 0) return a;
        const float count = a.count + b.count, delta = b.mean - a.mean, step = delta * (b.count / count);
        return {count, a.mean + step, a.m2 + b.m2 + delta * step * a.count};
    }
};

struct Product {
    const float*              a;
    const float*              b;
    __host__ __device__ float operator()(int64_t i) const { return a[i] * b[i]; }
};

struct Map {
    float scale, offset;
};

struct Compose {
    __host__ __device__ Map operator()(const Map& a, const Map& b) const {
        return {a.scale * b.scale, a.offset * b.scale + b.offset};
    }
};

Formulation boxes(const CubPeerDesc& desc) {
    return {"Reduce",
            [count = static_cast<int64_t>(desc.count)](Storage& storage, const Data& data, cudaStream_t stream) {
                const Box nothing{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
                return cub::DeviceReduce::Reduce(storage.data, storage.size, static_cast<const Box*>(data.input),
                                                 static_cast<Box*>(data.output), count, Around(), nothing, stream);
            }};
}

Formulation moments(const CubPeerDesc& desc) {
    return {"TransformReduce",
            [count = static_cast<int64_t>(desc.count)](Storage& storage, const Data& data, cudaStream_t stream) {
                return cub::DeviceReduce::TransformReduce(
                    storage.data, storage.size, static_cast<const float*>(data.input),
                    static_cast<Moments*>(data.output), count, Merge(), Single(), Moments{0, 0, 0}, stream);
            }};
}

Formulation dot(const CubPeerDesc& desc) {
    return {"Sum of a transform_iterator",
            [count = static_cast<int64_t>(desc.count)](Storage& storage, const Data& data, cudaStream_t stream) {
                const float* const a = static_cast<const float*>(data.input);
                const auto         products =
                    thrust::make_transform_iterator(thrust::make_counting_iterator(int64_t{0}), Product{a, a + count});
                return cub::DeviceReduce::Sum(storage.data, storage.size, products, static_cast<float*>(data.output),
                                              count, stream);
            }};
}

Formulation affine(const CubPeerDesc& desc) {
    return {"InclusiveScan",
            [count = static_cast<int64_t>(desc.count)](Storage& storage, const Data& data, cudaStream_t stream) {
                return cub::DeviceScan::InclusiveScan(storage.data, storage.size, static_cast<const Map*>(data.input),
                                                      static_cast<Map*>(data.output), Compose(), count, stream);
            }};
}

} // namespace

std::vector<Formulation> own_formulations(const CubPeerDesc& desc) {
    switch (desc.operation) {
        case cub_peer_own_reduce_boxes: return {boxes(desc)};
        case cub_peer_own_reduce_moments: return {moments(desc)};
        case cub_peer_own_reduce_dot: return {dot(desc)};
        default: return {affine(desc)};
    }
}

} // namespace vkprim::peers::cub_side
