#include "counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "array_job.h"
#include "bin_edges.h"

namespace vkprim::tools {

namespace {

constexpr size_t   max_table_rows = 32, chart_width = 50;
constexpr uint32_t max_chart_rows = 20;

} // namespace

void add_count_flags(Options& options, CountFlags& flags, const std::string& output_help) {
    options.add_option("-o,--output", flags.output, output_help).type_name("OUT.npy|OUT.csv");
    options.add_option("--svg", flags.svg, "the file for a chart of the counts").type_name("OUT.svg");
    options.add_option("--bins", flags.bins, "how many bins: 1 to 1048576; default: 256").type_name("N");
    options
        .add_option("--range", flags.range,
                    "the range of the bins, LO included, HI not; default: all values of an\n"
                    "integer type; f32 and f64 need it")
        .values(2, 2)
        .type_name("LO HI");
}

void check_bins(const CountFlags& flags) {
    if (flags.bins < 1 || flags.bins > max_bins) {
        throw Failure{exit_usage, fmt::format("--bins {} is out of range; choose 1 to {}", flags.bins, max_bins)};
    }
    if (!flags.range.empty()) {
        const double lower = flags.range[0], upper = flags.range[1];
        if (!std::isfinite(lower) || !std::isfinite(upper)) {
            throw Failure{exit_usage, fmt::format("--range {} {}: both ends must be finite numbers", lower, upper)};
        }
        if (!(lower < upper)) {
            throw Failure{exit_usage, fmt::format("--range {} {} is empty: LO must be below HI", lower, upper)};
        }
    }
}

void check_count_outputs(const CountFlags& flags) {
    const bool known = flags.output.empty() || ends_with(flags.output, ".npy") || ends_with(flags.output, ".csv");
    if (!known) {
        throw Failure{exit_usage, flags.output + ": choose an output name that ends in .npy or .csv"};
    }
    if (flags.svg == "-") throw Failure{exit_usage, "--svg -: the plot needs a file"};
    check_outputs({{"-o", flags.output}, {"--svg", flags.svg}});
}

NumberType number_type(SampleType type) {
    return type == SampleType::f64 ? NumberType::f64 : static_cast<NumberType>(type);
}

SampleType sample_type(const std::string& name, NumberType type) {
    if (type == NumberType::f64) return SampleType::f64;
    if (type <= NumberType::f32) return static_cast<SampleType>(type);
    const NumberType wide = widened(type); // holds every value
    const bool       f64  = wide == type;
    throw Failure{exit_usage,
                  fmt::format("{}: holds {}, but histogram takes u8, u16, u32, i32, f32 and f64; convert it, in numpy "
                              "with a.astype('{}'){}",
                              name, type_name(type), dtype_name(f64 ? NumberType::f64 : wide),
                              f64 ? ", which rounds values beyond 2^53" : "")};
}

Histogram::Desc describe(const CountFlags& flags, SampleType type, const std::string& name) {
    Histogram::Desc desc{type, flags.bins, 0, 0};
    if (!flags.range.empty()) {
        desc.lower = flags.range[0];
        desc.upper = flags.range[1];
        return desc;
    }
    switch (type) {
        case SampleType::u8: desc.upper = 256; break;
        case SampleType::u16: desc.upper = 65536; break;
        case SampleType::u32: desc.upper = 4294967296.0; break;
        case SampleType::i32:
            desc.lower = -2147483648.0;
            desc.upper = 2147483648.0;
            break;
        case SampleType::f32:
        case SampleType::f64:
            throw Failure{exit_usage,
                          fmt::format("{}: {} samples have no range of their own; give one with --range LO HI", name,
                                      type_name(number_type(type)))};
    }
    return desc;
}

std::vector<double> edges_of(const Histogram::Desc& desc) {
    std::vector<double> edges;
    for (uint32_t k = 0; k <= desc.bins; ++k) edges.push_back(bin_edge(desc, k));
    return edges;
}

void add_bins(Json& json, const Histogram::Desc& desc) {
    json["bins"]  = desc.bins;
    json["lower"] = bin_edge(desc, 0);
    json["upper"] = bin_edge(desc, desc.bins);
}

namespace {

uint64_t total(const BinSeries& series) {
    return std::accumulate(series.counts.begin(), series.counts.end(), uint64_t{0});
}

} // namespace

uint64_t Counted::outside() const {
    return std::accumulate(series.begin(), series.end(), samples,
                           [](uint64_t rest, const BinSeries& one) { return rest - total(one); });
}

namespace {

/// The edges of bins as text, all of one width. What is read back is the same number.
std::vector<std::string> edge_texts(const Histogram::Desc& desc) {
    constexpr size_t         least = 12;
    std::vector<std::string> texts;
    size_t                   width = least;
    for (const double edge : edges_of(desc)) {
        texts.push_back(fmt::format("{}", edge));
        width = std::max(width, texts.back().size());
    }
    for (std::string& text : texts) text.insert(0, width - text.size(), ' ');
    return texts;
}

/// The bins that hold samples, one per line, all series side by side.
std::string table(const std::vector<std::string>& edges, const std::vector<BinSeries>& series,
                  const std::vector<uint32_t>& bins) {
    std::string out = fmt::format("{:>7}  {:>{}}  {:>{}}", "bin", "from", edges[0].size(), "to", edges[0].size());
    for (const BinSeries& one : series) out += fmt::format("  {:>10}", one.name);
    out += "\n";
    for (const uint32_t bin : bins) {
        out += fmt::format("{:>7}  {}  {}", bin, edges[bin], edges[bin + 1]);
        for (const BinSeries& one : series) out += fmt::format("  {:>10}", one.counts[bin]);
        out += "\n";
    }
    return out;
}

/// How many neighbouring bins make one bar: the same for all bars where possible, otherwise the last has fewer.
uint32_t bins_per_bar(uint32_t bins) {
    for (uint32_t rows = max_chart_rows; rows >= max_chart_rows / 2; --rows) {
        if (bins % rows == 0) return bins / rows;
    }
    return (bins + max_chart_rows - 1) / max_chart_rows;
}

std::string chart(const std::vector<std::string>& edges, const BinSeries& series) {
    const auto            bins     = static_cast<uint32_t>(edges.size() - 1);
    const uint32_t        step     = bins_per_bar(bins);
    const uint64_t        rows     = (bins + step - 1) / step;
    const auto            begin_of = [&](uint64_t row) { return std::min<uint64_t>(row * step, bins); };
    std::vector<uint64_t> sums;
    for (uint64_t row = 0; row < rows; ++row) {
        const auto begin = series.counts.begin() + static_cast<std::ptrdiff_t>(begin_of(row));
        const auto end   = series.counts.begin() + static_cast<std::ptrdiff_t>(begin_of(row + 1));
        sums.push_back(std::accumulate(begin, end, uint64_t{0}));
    }
    const uint64_t highest = std::max<uint64_t>(1, *std::max_element(sums.begin(), sums.end()));
    const size_t   width   = edges[0].size();
    std::string    out     = fmt::format("{:>{}}  {:>{}}  {:>10}\n", "from", width, "to", width, series.name);
    for (uint64_t row = 0; row < rows; ++row) {
        const std::string bar((sums[row] * chart_width + highest - 1) / highest, '#');
        out += fmt::format("{}  {}  {:>10}{}{}\n", edges[begin_of(row)], edges[begin_of(row + 1)], sums[row],
                           bar.empty() ? "" : "  ", bar);
    }
    return out;
}

std::string result_text(const Counted& counted) {
    const Histogram::Desc&        desc    = counted.desc;
    const std::vector<BinSeries>& series  = counted.series;
    const uint64_t                outside = counted.outside();
    std::vector<uint32_t>         filled;
    for (uint32_t bin = 0; bin < desc.bins; ++bin) {
        if (std::any_of(series.begin(), series.end(), [&](const BinSeries& one) { return one.counts[bin] > 0; })) {
            filled.push_back(bin);
        }
    }
    const std::vector<std::string> edges = edge_texts(desc);
    std::string                    out;
    if (filled.size() <= max_table_rows) {
        out = table(edges, series, filled);
    } else {
        for (const BinSeries& one : series) out += (out.empty() ? "" : "\n") + chart(edges, one);
    }
    if (outside > 0) {
        out += fmt::format("{} samples are outside {} to {}\n", outside, bin_edge(desc, 0), bin_edge(desc, desc.bins));
    }
    return out;
}

Json result_json(const CountFlags& flags, const Counted& counted) {
    const Histogram::Desc& desc = counted.desc;
    Json json{{"op", "histogram"}, {"type", type_name(number_type(desc.type))}, {"count", counted.samples}};
    if (counted.picture) json.update({{"width", counted.width}, {"height", counted.height}});
    add_bins(json, desc);
    json["outside"] = counted.outside();
    if (desc.bins <= max_json_bins) {
        json["edges"] = edges_of(desc);
        for (const BinSeries& one : counted.series) {
            if (counted.picture) {
                json["channels"][one.name] = one.counts;
            } else {
                json["counts"] = one.counts;
            }
        }
    }
    if (!flags.output.empty()) json["output"] = flags.output;
    if (!flags.svg.empty()) json["svg"] = flags.svg;
    return json;
}

void write_outputs(const CountFlags& flags, const Counted& counted, const std::string& name) {
    const Histogram::Desc& desc = counted.desc;
    if (ends_with(flags.output, ".npy")) {
        std::vector<uint64_t> flat;
        for (const BinSeries& one : counted.series) flat.insert(flat.end(), one.counts.begin(), one.counts.end());
        if (counted.samples > UINT32_MAX) {
            need_file(write_npy(flags.output, NumberType::u64, flat.data(), flat.size()));
        } else {
            const std::vector<uint32_t> counts(flat.begin(), flat.end());
            need_file(write_npy(flags.output, NumberType::u32, counts.data(), counts.size()));
        }
    } else if (!flags.output.empty()) {
        need_file(write_histogram_csv(flags.output, edges_of(desc), counted.series));
    }
    if (!flags.svg.empty()) {
        need_file(write_histogram_svg(flags.svg, base_name(name), edges_of(desc), counted.series));
    }
}

} // namespace

Record record_of(const CountFlags& flags, const Counted& counted, const std::string& name) {
    write_outputs(flags, counted, name);
    const std::string between = !flags.output.empty() && !flags.svg.empty() ? " and " : "";
    return {result_json(flags, counted), flags.output + between + flags.svg,
            "{count} {type} samples in {bins} bins, {outside} outside", [&counted] { return result_text(counted); }};
}

} // namespace vkprim::tools
