// Which bin of a Histogram a sample is in.
#pragma once

#include <vkprim/histogram.h>

namespace vkprim {

/// The constants of shaders/histogram/binning/ that stand for the range.
struct Binning {
    uint32_t lower = 0, last = 0, scale_whole = 0, scale_high = 0, scale_low = 0, upper_high = 0;
    uint32_t width_low = 0, width_high = 0;
    bool     narrow = false;
    float    near   = 0;
};

/// Bins of all channels that are counted.
inline uint32_t bins_of(const Histogram::Desc& desc) {
    return desc.bins * (desc.counted_channels > 0 ? desc.counted_channels : desc.channels);
}

/// Fails with ErrorKind::invalid_desc where the bins of `desc` are none that can be counted.
Result<Binning> plan_binning(const Histogram::Desc& desc);

} // namespace vkprim
