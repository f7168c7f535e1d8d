#include "cub_histogram.cuh"

namespace vkprim::peers::cub_side {

std::vector<Formulation> histogram_u8_formulations(const CubPeerDesc& desc) {
    HistogramFormulations<uint8_t> all(desc);
    all.even<int32_t>("int");
    all.even<float>("float");
    all.range<int32_t>("int");
    return all.take();
}

} // namespace vkprim::peers::cub_side
