// The edges of bins of equal width, as vkprim/histogram.h defines them: for who counts, who checks and who prints.
#pragma once

#include <vkprim/histogram.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace vkprim {

/// `Number`: float or double, as the samples are.
template <class Number>
struct BinEdges {
    Number   lower, upper, width;
    uint32_t bins;

    explicit BinEdges(const Histogram::Desc& desc)
        : lower(least_from(desc.lower)),
          upper(least_from(desc.upper)),
          width((upper - lower) / static_cast<Number>(desc.bins)),
          bins(desc.bins) {}

    /// Bins per unit.
    Number scale() const { return static_cast<Number>(bins) / (upper - lower); }

    Number operator[](uint32_t k) const {
        if (k == bins) return upper;
        const volatile Number from_lower = static_cast<Number>(k) * width; // no compiler makes one rounding of the two
        return lower + from_lower;
    }

    /// Whether the distance of edges is not much larger than that of numbers at the larger end, so that two of them may be equal.
    bool narrow() const {
        const Number end = std::max(std::abs(lower), std::abs(upper));
        return width < 8 * (end - std::nextafter(end, Number{0}));
    }

    /// The largest distance from an edge, in bins, at which (x - lower) * scale() may be on its wrong side.
    /// With u = epsilon / 2, x - lower, scale (two roundings) and the product are wrong by 4u of up to `bins`; an edge by 3u of that
    /// (its width and the product), and by u of the edge itself. Numbers below `min` may be taken for 0. Twice all of this.
    Number uncertainty() const {
        const Number end = std::max(std::abs(lower), std::abs(upper)), u = std::numeric_limits<Number>::epsilon() / 2;
        return 2 *
               (u * (8 * static_cast<Number>(bins) + end * scale()) + 3 * std::numeric_limits<Number>::min() * scale());
    }

    /// Whether each bin has numbers of its own, and a GPU that takes denormal numbers for 0 finds the same edges.
    bool hold() const {
        constexpr Number least = std::numeric_limits<Number>::min();
        if (!(width >= 64 * least)) return false;
        // The sum with a larger width does not depend on a denormal `lower`; and what is not below a positive one is not below 0.
        const bool any_lower = lower > 0 && width >= least / std::numeric_limits<Number>::epsilon() * 2;
        Number     edge      = lower;
        for (uint32_t k = 0; k < bins; ++k) {
            const Number next = (*this)[k + 1];
            if (!(edge < next)) return false;
            if (edge != 0 && std::abs(edge) < least && !(k == 0 && any_lower)) return false;
            edge = next;
        }
        return true;
    }

    /// The least number that is not below x, so that the same samples are. Of zeros the positive one.
    static Number least_from(double x) {
        const auto nearest = static_cast<Number>(x);
        return static_cast<double>(nearest) < x ? std::nextafter(nearest, std::numeric_limits<Number>::infinity())
                                                : nearest + Number{0};
    }
};

/// Edge k of bins of any samples, exactly if they are floats. An edge between whole numbers remains between them.
inline double bin_edge(const Histogram::Desc& desc, uint32_t k) {
    if (desc.type == SampleType::f32) return double{BinEdges<float>(desc)[k]};
    if (desc.type == SampleType::f64) return BinEdges<double>(desc)[k];
    return (desc.lower * (desc.bins - k) + desc.upper * k) / desc.bins;
}

} // namespace vkprim
