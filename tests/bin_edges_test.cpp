// The edges of a histogram's bins of equal width, and the samples at them.
#include <vkprim/histogram.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "bin_edges.h"
#include "harness/references.h"
#include "support/memory.h"

namespace vkprim::tests {
namespace {

template <class Number>
Histogram::Desc desc_of(double lower, double upper, uint32_t bins) {
    return {std::is_same_v<Number, float> ? SampleType::f32 : SampleType::f64, bins, lower, upper};
}

/// Edges, the numbers before and behind each, and some between. Of very many edges, some.
template <class Number>
std::vector<Number> samples_at(const BinEdges<Number>& edges) {
    constexpr Number    infinity = std::numeric_limits<Number>::infinity();
    std::vector<Number> samples  = {std::nanf(""), -std::nanf(""), infinity, -infinity, 0, -Number{0}, -1};
    const uint32_t      step     = edges.bins / 2000 + 1;
    for (uint32_t k = 0; k <= edges.bins; k += k + step < edges.bins ? step : 1) {
        const Number edge = edges[k];
        samples.insert(samples.end(), {std::nextafter(edge, -infinity), edge, std::nextafter(edge, infinity)});
        if (k < edges.bins) samples.push_back(edge / 2 + edges[k + 1] / 2);
    }
    return samples;
}

/// By nothing but comparisons.
template <class Number>
std::vector<uint32_t> counts_between(const BinEdges<Number>& edges, const std::vector<Number>& samples) {
    std::vector<uint32_t> counts(edges.bins);
    for (const Number x : samples) {
        if (!(x >= edges[0] && x < edges[edges.bins])) continue;
        uint32_t bin = 0;
        for (uint32_t end = edges.bins; bin + 1 < end;) {
            const uint32_t middle           = bin + (end - bin) / 2;
            (x < edges[middle] ? end : bin) = middle;
        }
        ++counts[bin];
    }
    return counts;
}

struct Range {
    double   lower, upper;
    uint32_t bins;
};

/// Decimal, huge, tiny, with denormal samples around the edge 0, from a denormal number on, so narrow that neighbours are a bin apart, and of as
/// many bins as there may be.
template <class Number>
std::vector<Range> ranges() {
    std::vector<Range> all = {{20, 30, 100}, {0, 98, 2},     {-1, 1, 2}, {-1, 1, 3},      {-0.3, 0.7, 100},
                              {-1000, 0, 7}, {0, 10, 10000}, {0, 1, 41}, {-5, 5, 100003}, {0.1, 1e6, 999}};
    if (std::is_same_v<Number, float>) {
        const Range more[] = {
            {25552.2345, 26200, 10}, {-1.6e38, 1.7e38, 1000},       {0, 1e-33, 300},
            {1e-41, 1e-3, 30},       {-1e-20, -1e-21, 17},          {16776000, 16777000, 1000},
            {0.0, 3, 1u << 20},      {1 - 0x3p-24, 1 + 0x1p-23, 3}, {127.99990844726562, 128.00009155273438, 13}};
        all.insert(all.end(), std::begin(more), std::end(more));
    } else {
        const Range more[] = {
            {-8e307, 9e307, 1000}, {0, 1e-303, 300}, {1e-320, 1e-3, 30}, {1.9999999999999973, 2.0000000000000031, 14}};
        all.insert(all.end(), std::begin(more), std::end(more));
    }
    return all;
}

template <class Number>
void check_reference() {
    for (const Range& range : ranges<Number>()) {
        CAPTURE(range.lower, range.upper, range.bins);
        const auto             desc = desc_of<Number>(range.lower, range.upper, range.bins);
        const BinEdges<Number> edges(desc);
        REQUIRE(edges.hold());
        const std::vector<Number> samples = samples_at(edges);
        CHECK(harness::reference_histogram(desc, samples.data(), static_cast<uint32_t>(samples.size())) ==
              counts_between(edges, samples));
    }
}

template <class Number>
void check_device() {
    for (const Range& range : ranges<Number>()) {
        CAPTURE(range.lower, range.upper, range.bins);
        const auto                desc    = desc_of<Number>(range.lower, range.upper, range.bins);
        const std::vector<Number> samples = samples_at(BinEdges<Number>(desc));
        const auto                made    = value_of(Histogram::create(device().context(), desc));
        const runtime::Buffer     input = buffer_with(samples), counts = buffer_of_zeros(range.bins * 4);
        Histogram::Args           args;
        args.count                    = static_cast<uint32_t>(samples.size());
        const runtime::Buffer scratch = scratch_of(made.scratch_size(args));
        args.input                    = input.address();
        args.counts                   = counts.address();
        args.scratch                  = scratch.address();
        submit([&](runtime::Commands& commands) { made.record(commands.handle(), args); });
        check_same(content_of(counts), counts_between(BinEdges<Number>(desc), samples));
    }
}

} // namespace

TEST_CASE("bin edges: as they are defined", "[host][references]") {
    // numpy.linspace(20, 30, 101)[[1, 3, 82]], and linspace(-1, 1, 11)[4].
    const BinEdges<double> tenths(desc_of<double>(20, 30, 100));
    CHECK(tenths[1] == 20.1);
    CHECK(tenths[3] == 20.3);
    CHECK(tenths[82] == 28.200000000000003);
    CHECK(BinEdges<double>(desc_of<double>(-1, 1, 10))[4] == -0.19999999999999996);
    CHECK(bin_edge(desc_of<double>(-1, 1, 10), 10) == 1);
    // Each operation in single precision; the range does not grow.
    const BinEdges<float> halves(desc_of<float>(-0.3, 0.7, 3));
    CHECK(halves.lower == std::nextafter(-0.3f, 1.0f)); // -0.3f is below -0.3
    CHECK(halves.upper == std::nextafter(0.7f, 1.0f));  // 0.7f is below 0.7, so that sample is not outside
    CHECK(BinEdges<float>(desc_of<float>(0, 1, 10))[3] == 3 * 0.1f);
    CHECK(bin_edge(desc_of<float>(25552.2345, 26200, 10), 0) == double{25552.236328125f});
    CHECK(bin_edge(desc_of<float>(0, 0.3, 3), 3) == double{0.3f});
    CHECK_FALSE(std::signbit(BinEdges<float>(desc_of<float>(-0.0, 1, 1)).lower));
    // Of integers, exact fractions: whole numbers are edges, and nothing else comes out as one.
    for (const uint32_t bins : {3u, 7u, 1000u, (1u << 20) - 1, 1u << 20}) {
        for (const Range& range : {Range{0, 4294967296.0, bins}, {-2147483648.0, 2147483648.0, bins}, {5, 12, bins}}) {
            const Histogram::Desc desc{range.lower < 0 ? SampleType::i32 : SampleType::u32, bins, range.lower,
                                       range.upper};
            uint32_t              wrong = 0;
            for (uint64_t k = 0; k <= bins; ++k) {
                const uint64_t product = k * static_cast<uint64_t>(range.upper - range.lower);
                const double   edge = bin_edge(desc, static_cast<uint32_t>(k)), below = std::floor(edge);
                wrong += below - range.lower != static_cast<double>(product / bins) ||
                         (below == edge) != (product % bins == 0);
            }
            CAPTURE(range.lower, range.upper, bins);
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("bin edges: the CPU reference counts what they enclose", "[host][references]") {
    check_reference<float>();
    check_reference<double>();
}

TEST_CASE("bin edges: a sample is in the bin that encloses it", "[device][contract]") {
    check_device<float>();
    if (device().info().features.shader_float64) {
        check_device<double>();
    } else {
        WARN("SKIPPED: f64, since the device has no shaderFloat64");
    }
}

TEST_CASE("bin edges: ranges that are refused", "[device][contract]") {
    const auto refused = [](SampleType type, uint32_t bins, double lower, double upper) {
        if (type == SampleType::f64 && !device().info().features.shader_float64) return;
        CAPTURE(bins, lower, upper);
        const char* const word = type == SampleType::f32 ? "single precision" : "double precision";
        check_error(Histogram::create(device().context(), {type, bins, lower, upper}), ErrorKind::invalid_desc, word);
    };
    refused(SampleType::f32, 1001, 16776000, 16777000); // two edges are equal
    refused(SampleType::f32, 3, 1, 1 + 0x1p-22);
    refused(SampleType::f32, 100, -1e-33, 1e-33); // an edge is denormal
    refused(SampleType::f32, 100, -1e-41, 1e-3);
    refused(SampleType::f32, 256, 0, 1e-36); // a width is nearly
    refused(SampleType::f64, 15, 1, 1 + 14 * 0x1p-52);
    refused(SampleType::f64, 256, 0, 1e-306);
}

} // namespace vkprim::tests
