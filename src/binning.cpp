#include "binning.h"

#include "bin_edges.h"
#include "float_bits.h"

#include <cmath>
#include <cstring>

namespace vkprim {
namespace {

constexpr uint32_t most_bins = 1u << 20, most_channels = 4;

Error refuse(std::string reason) { return {ErrorKind::invalid_desc, std::move(reason)}; }

Result<Binning> plan_integer_binning(const Histogram::Desc& desc) {
    const double smallest = desc.type == SampleType::i32 ? -2147483648.0 : 0.0;
    const double beyond   = desc.type == SampleType::u8    ? 256.0
                            : desc.type == SampleType::u16 ? 65536.0
                            : desc.type == SampleType::u32 ? 4294967296.0
                                                           : 2147483648.0;
    if (desc.lower != std::floor(desc.lower) || desc.upper != std::floor(desc.upper)) {
        return refuse("histogram: the range of integer samples must begin and end at whole numbers");
    }
    if (desc.lower < smallest || desc.upper > beyond) {
        return refuse("histogram: the range must lie within that of the sample type, which is " +
                      std::to_string(static_cast<int64_t>(smallest)) + " to " +
                      std::to_string(static_cast<int64_t>(beyond)) + " (exclusive)");
    }
    // bins / span = whole + fraction, the fraction rounded up to a multiple of 2^-64: two steps of long division in
    // base 2^32.
    const auto     span      = static_cast<uint64_t>(desc.upper - desc.lower);
    const uint64_t remainder = desc.bins % span;
    const uint64_t high      = (remainder << 32) / span;
    const uint64_t rest      = (remainder << 32) % span;
    const uint64_t low       = (rest << 32) / span + ((rest << 32) % span != 0);
    Binning        binning;
    binning.lower       = static_cast<uint32_t>(static_cast<int64_t>(desc.lower));
    binning.last        = static_cast<uint32_t>(span - 1);
    binning.scale_whole = static_cast<uint32_t>(desc.bins / span);
    binning.scale_high  = static_cast<uint32_t>(high + (low >> 32));
    binning.scale_low   = static_cast<uint32_t>(low);
    return binning;
}

/// Of f32 or f64, whose precision is `precision`; refused if bins do not have edges of their own.
template <class Number>
Result<BinEdges<Number>> plan_edges(const Histogram::Desc& desc, const std::string& precision) {
    const BinEdges<Number> edges(desc);
    if (!std::isfinite(edges.upper - edges.lower))
        return refuse("histogram: upper - lower overflows " + precision + " precision");
    if (std::isnormal(edges.scale()) && edges.hold()) return edges;
    return refuse("histogram: the range has too few numbers of " + precision + " precision for " +
                  std::to_string(desc.bins) + " bins: choose a wider range, or fewer bins");
}

Result<Binning> plan_float_binning(const Histogram::Desc& desc) {
    const auto edges = plan_edges<float>(desc, "single");
    if (!edges) return edges.error();
    Binning binning;
    binning.lower       = order_of(edges->lower) ^ 0x80000000u; // as integers with a sign
    binning.last        = order_of(edges->upper) - order_of(edges->lower) - 1;
    binning.scale_whole = bits_of(edges->lower);
    binning.scale_high  = bits_of(edges->scale());
    binning.width_low   = bits_of(edges->width);
    binning.narrow      = edges->narrow();
    return binning;
}

Result<Binning> plan_double_binning(const Histogram::Desc& desc) {
    const auto edges = plan_edges<double>(desc, "double");
    if (!edges) return edges.error();
    const auto words = [](double value, uint32_t& low, uint32_t& high) {
        uint64_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        low  = static_cast<uint32_t>(bits);
        high = static_cast<uint32_t>(bits >> 32);
    };
    Binning binning;
    words(edges->lower, binning.lower, binning.last);
    words(edges->scale(), binning.scale_whole, binning.scale_high);
    words(edges->upper, binning.scale_low, binning.upper_high);
    words(edges->width, binning.width_low, binning.width_high);
    binning.narrow = edges->narrow();
    binning.near   = static_cast<float>(edges->uncertainty());
    return binning;
}

/// Of levels: where the order of samples begins.
Binning plan_levels(const Histogram::Desc& desc) {
    Binning binning;
    binning.lower = desc.type == SampleType::i32 ? 0x80000000u : 0;
    return binning;
}

} // namespace

Result<Binning> plan_binning(const Histogram::Desc& desc) {
    if (desc.type > SampleType::f64) return refuse("histogram: Desc::type is not a SampleType");
    if (desc.weights > Weights::i32) return refuse("histogram: Desc::weights is not one of Weights");
    if (desc.segments > SegmentLayout::rows) return refuse("histogram: Desc::segments is not a SegmentLayout");
    if (desc.bins < 1 || desc.bins > most_bins) {
        return refuse("histogram: bins must be 1 to 2^20, not " + std::to_string(desc.bins));
    }
    if (desc.channels < 1 || desc.channels > most_channels) {
        return refuse("histogram: channels must be 1 to 4, not " + std::to_string(desc.channels));
    }
    if (desc.counted_channels > desc.channels) {
        return refuse("histogram: counted_channels is " + std::to_string(desc.counted_channels) + ", but there are " +
                      std::to_string(desc.channels) + " channels");
    }
    if (bins_of(desc) > most_bins) {
        return refuse("histogram: bins times counted channels must be at most 2^20, not " +
                      std::to_string(bins_of(desc)));
    }
    if (desc.levels) return plan_levels(desc);
    if (!std::isfinite(desc.lower) || !std::isfinite(desc.upper)) {
        return refuse("histogram: lower and upper must be finite numbers");
    }
    if (!(desc.lower < desc.upper)) return refuse("histogram: the range is empty: lower must be below upper");
    if (desc.type == SampleType::f64) return plan_double_binning(desc);
    return desc.type == SampleType::f32 ? plan_float_binning(desc) : plan_integer_binning(desc);
}

} // namespace vkprim
