#include "cub_histogram.cuh"

namespace vkprim::peers::cub_side {

std::vector<Formulation> histogram_u32_formulations(const CubPeerDesc& desc) {
    HistogramFormulations<uint32_t> all(desc);
    all.even<int32_t>("int");
    all.even<uint32_t>("uint32");
    all.even<int64_t>("int64");
    all.even<float>("float"); // may round samples into a neighbouring bin: then it is not among those compared
    all.even<double>("double");
    all.range<uint32_t>("uint32");
    if (desc.upper > static_cast<double>(UINT32_MAX)) all.range<int64_t>("int64");
    return all.take();
}

} // namespace vkprim::peers::cub_side
