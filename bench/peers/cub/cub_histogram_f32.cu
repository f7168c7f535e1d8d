#include "cub_histogram.cuh"

namespace vkprim::peers::cub_side {

std::vector<Formulation> histogram_f32_formulations(const CubPeerDesc& desc) {
    HistogramFormulations<float> all(desc);
    all.even<float>("float");
    all.even<double>("double");
    all.even<int32_t>("int");
    all.range<float>("float");
    return all.take();
}

} // namespace vkprim::peers::cub_side
