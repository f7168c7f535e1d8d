#include <vkprim/histogram.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>

#include "chunks.h"
#include "harness/twins.h"
#include "tools/cli/array_job.h"

namespace vkprim::tools::histogram_command {

namespace {

constexpr uint32_t max_bins       = 1u << 20;
constexpr size_t   max_json_bins  = 4096;
constexpr size_t   max_table_rows = 32, chart_width = 50;
constexpr uint32_t max_chart_rows = 20;

struct Flags {
    JobFlags               job;
    std::string            output, svg;
    uint32_t               bins = 256;
    std::vector<double>    range;
    std::optional<int64_t> axis;
};

/// The same by its other name.
NumberType number_type(SampleType type) {
    return type == SampleType::f64 ? NumberType::f64 : static_cast<NumberType>(type);
}

struct Samples {
    SampleType               type = SampleType::u8;
    std::vector<uint8_t>     bytes;    ///< sample i is of channel i % channels.size()
    std::vector<std::string> channels; ///< their names
    bool                     picture = false;
    uint32_t                 width = 0, height = 0;

    uint64_t count() const { return bytes.size() / element_size(number_type(type)); }
};

/// What is said of samples that were counted.
struct Counted {
    Histogram::Desc        desc;
    uint64_t               samples = 0;
    std::vector<BinSeries> series;
    bool                   picture = false;
    uint32_t               width = 0, height = 0;

    uint64_t outside() const; ///< of the range
};

Samples read_picture(InputFile& file) {
    static const std::vector<std::string> names[] = {
        {"gray"}, {"gray", "alpha"}, {"red", "green", "blue"}, {"red", "green", "blue", "alpha"}};
    Image   image = need_file(read_image(file));
    Samples samples;
    samples.picture  = true;
    samples.width    = image.width;
    samples.height   = image.height;
    samples.channels = names[image.channels - 1];
    samples.bytes    = std::move(image.samples);
    return samples;
}

/// The same type, which histogram takes. A Failure for others.
SampleType sample_type(const JobFlags& flags, NumberType type) {
    if (type == NumberType::f64) return SampleType::f64;
    if (type <= NumberType::f32) return static_cast<SampleType>(type);
    const NumberType wide = widened(type); // holds every value
    throw Failure{
        exit_usage,
        fmt::format("{}: holds {}, but histogram takes u8, u16, u32, i32, f32 and f64; convert it, in numpy "
                    "with a.astype('{}')",
                    name_of(flags.source), type_name(type), dtype_name(wide == type ? NumberType::f64 : wide))};
}

Samples read_samples(const JobFlags& flags) {
    Input input = open_input(flags.source);
    if (input.kind == FileKind::image) return read_picture(input.file);
    Array   array = read_elements(flags.source, input);
    Samples samples;
    samples.type     = sample_type(flags, array.type);
    samples.channels = {"count"};
    samples.bytes    = std::move(array.bytes);
    return samples;
}

/// What the flags ask for. create() refuses the rest, in words of its own.
Histogram::Desc describe(const Flags& flags, SampleType type) {
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
                          fmt::format("{}: {} samples have no range of their own; give one with --range LO HI",
                                      name_of(flags.job.source), type_name(number_type(type)))};
    }
    return desc;
}

/// All that can be said before anything is read.
void check_flags(const Flags& flags) {
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
    if (flags.axis && !flags.output.empty()) {
        check_output("histogram", flags.output, flags.job);
        return;
    }
    const bool known = flags.output.empty() || ends_with(flags.output, ".npy") || ends_with(flags.output, ".csv");
    if (!known) {
        throw Failure{exit_usage, flags.output + ": choose an output name that ends in .npy or .csv"};
    }
    if (!flags.output.empty() && flags.output == flags.svg) {
        throw Failure{exit_usage, flags.svg + ": -o and --svg name the same file"};
    }
}

/// All channels in one pass, or where their bins are too many for that, one after the other.
std::vector<BinSeries> count_bins(ArrayJob& job, const runtime::Device& device, Histogram::Desc desc,
                                  const Samples& samples, const JobFlags& flags) {
    const auto channels             = static_cast<uint32_t>(samples.channels.size());
    desc.channels                   = channels;
    desc.counted_channels           = uint64_t{desc.bins} * channels <= max_bins ? channels : 1;
    const Histogram       histogram = need_device(Histogram::create(device.context(), desc));
    const auto            count     = static_cast<uint32_t>(samples.count());
    const uint64_t        bins      = uint64_t{desc.bins} * desc.counted_channels;
    const runtime::Buffer input     = job.buffer(samples.bytes.size());
    const runtime::Buffer counts    = job.buffer(bins * 4);
    const runtime::Buffer scratch   = job.zeros(histogram.scratch_size(count));
    job.upload(input, samples.bytes.data(), samples.bytes.size());

    std::vector<BinSeries> series;
    for (uint32_t first = 0; first < channels; first += desc.counted_channels) {
        // What begins with a sample of this channel has it as channel 0.
        const uint32_t  skipped = std::min(first, count);
        const uint64_t  offset  = skipped * uint64_t{element_size(number_type(desc.type))};
        Histogram::Args args;
        args.input   = input.address() + offset;
        args.counts  = counts.address();
        args.scratch = scratch.address();
        args.count   = count - skipped;
        job.run(histogram, args, parts_of(flags, args.count));
        std::vector<uint32_t> result(bins);
        job.download(counts, result.data(), result.size() * 4);
        for (uint32_t c = 0; c < desc.counted_channels; ++c) {
            const auto begin = result.begin() + static_cast<std::ptrdiff_t>(uint64_t{c} * desc.bins);
            series.push_back({samples.channels[first + c], {begin, begin + desc.bins}});
        }
        if (flags.no_check) continue;
        const std::vector<uint32_t> expected = harness::twin_histogram(desc, samples.bytes.data() + offset, args.count);
        const std::string           what = difference(ElementType::u32, expected.data(), result.data(), result.size());
        require_right(what.empty() ? what : samples.channels[first] + ", " + what, device);
    }
    return series;
}

uint64_t total(const BinSeries& series) {
    return std::accumulate(series.counts.begin(), series.counts.end(), uint64_t{0});
}

uint64_t Counted::outside() const {
    return std::accumulate(series.begin(), series.end(), samples,
                           [](uint64_t rest, const BinSeries& one) { return rest - total(one); });
}

double edge(const Histogram::Desc& desc, uint64_t bin) {
    return desc.lower + (desc.upper - desc.lower) * static_cast<double>(bin) / desc.bins;
}

/// The bins that hold samples, one per line, all series side by side.
std::string table(const Histogram::Desc& desc, const std::vector<BinSeries>& series,
                  const std::vector<uint32_t>& bins) {
    std::string out = fmt::format("{:>7}  {:>12}  {:>12}", "bin", "from", "to");
    for (const BinSeries& one : series) out += fmt::format("  {:>10}", one.name);
    out += "\n";
    for (const uint32_t bin : bins) {
        out += fmt::format("{:>7}  {:>12.6g}  {:>12.6g}", bin, edge(desc, bin), edge(desc, bin + 1));
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

std::string chart(const Histogram::Desc& desc, const BinSeries& series) {
    const uint32_t        step     = bins_per_bar(desc.bins);
    const uint64_t        rows     = (desc.bins + step - 1) / step;
    const auto            begin_of = [&](uint64_t row) { return std::min<uint64_t>(row * step, desc.bins); };
    std::vector<uint64_t> sums;
    for (uint64_t row = 0; row < rows; ++row) {
        const auto begin = series.counts.begin() + static_cast<std::ptrdiff_t>(begin_of(row));
        const auto end   = series.counts.begin() + static_cast<std::ptrdiff_t>(begin_of(row + 1));
        sums.push_back(std::accumulate(begin, end, uint64_t{0}));
    }
    const uint64_t highest = std::max<uint64_t>(1, *std::max_element(sums.begin(), sums.end()));
    std::string    out     = fmt::format("{:>12}  {:>12}  {:>10}\n", "from", "to", series.name);
    for (uint64_t row = 0; row < rows; ++row) {
        const std::string bar((sums[row] * chart_width + highest - 1) / highest, '#');
        out += fmt::format("{:>12.6g}  {:>12.6g}  {:>10}{}{}\n", edge(desc, begin_of(row)),
                           edge(desc, begin_of(row + 1)), sums[row], bar.empty() ? "" : "  ", bar);
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
    std::string out;
    if (filled.size() <= max_table_rows) {
        out = table(desc, series, filled);
    } else {
        for (const BinSeries& one : series) out += (out.empty() ? "" : "\n") + chart(desc, one);
    }
    if (outside > 0) out += fmt::format("{} samples are outside {:.10g} to {:.10g}\n", outside, desc.lower, desc.upper);
    return out;
}

Json result_json(const Flags& flags, const Counted& counted) {
    const Histogram::Desc& desc = counted.desc;
    Json                   json;
    json["op"]    = "histogram";
    json["type"]  = type_name(number_type(desc.type));
    json["count"] = counted.samples;
    if (counted.picture) {
        json["width"]  = counted.width;
        json["height"] = counted.height;
    }
    json["bins"]    = desc.bins;
    json["lower"]   = desc.lower;
    json["upper"]   = desc.upper;
    json["outside"] = counted.outside();
    if (desc.bins <= max_json_bins) {
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

void write_outputs(const Flags& flags, const Counted& counted) {
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
        need_file(write_histogram_csv(flags.output, desc.lower, desc.upper, counted.series));
    }
    if (!flags.svg.empty()) {
        need_file(write_histogram_svg(flags.svg, base_name(name_of(flags.job.source)), desc.lower, desc.upper,
                                      counted.series));
    }
}

/// The counts of each row, one row behind the other.
std::vector<uint32_t> count_rows(ArrayJob& job, const runtime::Device& device, Histogram::Desc desc, const Array& array,
                                 const Rows& rows, const JobFlags& flags) {
    desc.segments = Histogram::Segments::rows;
    std::vector<uint32_t> counts(rows.count * desc.bins);
    if (counts.empty()) return counts;
    const Histogram histogram = need_device(Histogram::create(device.context(), desc));
    Histogram::Args args;
    args.count                    = static_cast<uint32_t>(rows.length);
    args.rows                     = static_cast<uint32_t>(rows.count);
    const runtime::Buffer input   = job.buffer(array.bytes.size());
    const runtime::Buffer output  = job.buffer(counts.size() * 4);
    const runtime::Buffer scratch = job.zeros(histogram.scratch_size(args.count, args.rows));
    args.input                    = input.address();
    args.counts                   = output.address();
    args.scratch                  = scratch.address();
    job.upload(input, array.bytes.data(), array.bytes.size());
    job.run(histogram, args, parts_of(flags, array.count()));
    job.download(output, counts.data(), counts.size() * 4);
    for (uint64_t row = 0; row < rows.count && !flags.no_check; ++row) {
        const auto expected = harness::twin_histogram(
            desc, array.bytes.data() + row * rows.length * element_size(array.type), args.count);
        const std::string what = difference(ElementType::u32, expected.data(), &counts[row * desc.bins], desc.bins);
        require_right(what.empty() ? what : fmt::format("row {}, {}", row, what), device);
    }
    return counts;
}

ExitCode run_along_axis(const Flags& flags) {
    const std::string name  = name_of(flags.job.source);
    Input             input = open_input(flags.job.source);
    if (input.kind == FileKind::image) {
        throw Failure{exit_usage, name + ": is a picture, whose channels are counted each; --axis takes an array"};
    }
    Array                 array = read_elements(flags.job.source, input);
    const Histogram::Desc desc  = describe(flags, sample_type(flags.job, array.type));
    const Rows            rows  = to_rows(array, flags.axis, name);
    if (flags.output.empty() && !flags.job.json && rows.count * desc.bins > max_json_bins) {
        throw Failure{exit_usage, fmt::format("{} rows of {} bins: with more than {} counts, give a file to -o",
                                              rows.count, desc.bins, max_json_bins)};
    }
    const runtime::Device       device = open_device(flags.job.device);
    ArrayJob                    job(device, "histogram");
    const std::vector<uint32_t> counts  = count_rows(job, device, desc, array, rows, flags.job);
    const uint64_t              outside = array.count() - std::accumulate(counts.begin(), counts.end(), uint64_t{0});
    check_validation(device);
    if (!flags.output.empty()) {
        Shape shape = rows.shape;
        shape.push_back(desc.bins);
        need_file(write_npy(flags.output, NumberType::u32, counts.data(), shape));
    }
    const auto row_begin = [&](uint64_t row) { return counts.begin() + static_cast<std::ptrdiff_t>(row * desc.bins); };
    if (flags.job.json) {
        Json json;
        json["op"]      = "histogram";
        json["type"]    = type_name(array.type);
        json["count"]   = array.count();
        json["axis"]    = *rows.axis;
        json["shape"]   = rows.shape;
        json["bins"]    = desc.bins;
        json["lower"]   = desc.lower;
        json["upper"]   = desc.upper;
        json["outside"] = outside;
        if (counts.size() <= max_json_bins) {
            json["counts"] = Json::array();
            for (uint64_t row = 0; row < rows.count; ++row) {
                json["counts"].push_back(std::vector<uint32_t>(row_begin(row), row_begin(row + 1)));
            }
        }
        if (!flags.output.empty()) json["output"] = flags.output;
        add_job_json(json, job, device, flags.job);
        print(json_text(json));
    } else if (!flags.output.empty()) {
        print_about(flags.output,
                    fmt::format("{}: {} rows of {} {} samples along axis {} of {} in {} bins, {} outside\n{}\n",
                                output_name(flags.output), rows.count, rows.length, type_name(array.type), *rows.axis,
                                shape_text(array.shape), desc.bins, outside, job_line(job, device, flags.job)));
    } else {
        std::string text;
        for (uint64_t row = 0; row < rows.count; ++row) {
            text += fmt::format("{}\n", fmt::join(row_begin(row), row_begin(row + 1), " "));
        }
        print(text);
    }
    return exit_good;
}

/// Writes the outputs and prints the rest. `line` and `add_json` say what there is to say of the job.
void tell(const Flags& flags, const Counted& counted, const std::string& line,
          const std::function<void(Json&)>& add_json) {
    write_outputs(flags, counted);
    if (flags.job.json) {
        Json json = result_json(flags, counted);
        add_json(json);
        print(json_text(json));
    } else if (flags.output.empty() && flags.svg.empty()) {
        print(result_text(counted));
    } else {
        const std::string between = !flags.output.empty() && !flags.svg.empty() ? " and " : "";
        print(fmt::format("{}{}{}: {} {} samples in {} bins, {} outside\n{}\n", flags.output, between, flags.svg,
                          counted.samples, type_name(number_type(counted.desc.type)), counted.desc.bins,
                          counted.outside(), line));
    }
}

ExitCode run_in_chunks(const Flags& flags, const MappedArray& array) {
    Counted counted;
    counted.desc    = describe(flags, sample_type(flags.job, array.type));
    counted.samples = array.count;
    ChunkedJob job(flags.job, "histogram", array);
    counted.series = {{"count", histogram_in_chunks(job, flags.job, counted.desc)}};
    job.finish();
    tell(flags, counted, job.line(), [&](Json& json) { job.add_json(json); });
    return exit_good;
}

ExitCode run(const Flags& flags) {
    check_flags(flags);
    if (const auto large = array_for_chunks(flags.job, flags.axis ? "--axis" : "")) return run_in_chunks(flags, *large);
    if (flags.axis) return run_along_axis(flags);
    const Samples samples = read_samples(flags.job);
    Counted counted{describe(flags, samples.type), samples.count(), {}, samples.picture, samples.width, samples.height};

    const runtime::Device device = open_device(flags.job.device);
    ArrayJob              job(device, "histogram");
    counted.series = count_bins(job, device, counted.desc, samples, flags.job);
    check_validation(device);
    tell(flags, counted, job_line(job, device, flags.job),
         [&](Json& json) { add_job_json(json, job, device, flags.job); });
    return exit_good;
}

constexpr const char* footer =
    R"(FILE is a .npy file or raw bytes (which need --type; text is u8) of u8, u16, u32, i32, f32 or f64, or a picture (PNG,
JPEG, PGM, PPM), whose channels are counted each into bins of its own. Bins have equal width. Samples
outside LO to HI and NaN are not counted. Without -o and --svg, the bins that are not empty are printed, or
a chart if they are many.
OUT.npy holds u32 counts (u64 of 2^32 samples or more), of a picture one channel after the other; OUT.csv has a column per channel.
With --axis, each row of an array along that axis has a histogram of its own, in the C order of the other axes: a line
of counts each, for up to 4096 counts, or OUT.npy of the shape of the other axes and one more at the end, of the bins.
With --json, it prints an object with op, type, count (samples), bins, lower, upper, outside, output, svg, device,
kernel_ms, total_ms (with transfers) and checked; for a picture, width and height; with --axis, axis and shape; up to
4096 bins, counts (with --axis, an array of them for each row), or for a picture channels, with an array for each.

Examples:
  vkprim histogram photo.jpg --svg photo.svg
  vkprim histogram book.txt --type u8 -o letters.csv
  vkprim histogram samples.npy --bins 1000 --range -1 1 --json
  vkprim histogram images.npy --axis -1 -o counts.npy)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    add_job_flags(options, flags->job);
    add_chunk_flags(options, flags->job.chunks);
    options.add_option("-o,--output", flags->output, "the file to write the counts to").type_name("OUT.npy|OUT.csv");
    options.add_option("--svg", flags->svg, "the file for a chart of the counts").type_name("OUT.svg");
    add_axis_flag(options, flags->axis, "a histogram of each row along this axis").excludes({"--svg"});
    options.add_option("--bins", flags->bins, "how many bins: 1 to 1048576; 256 without it").type_name("N");
    options
        .add_option("--range", flags->range,
                    "the range of the bins, LO included, HI not; without it all values of an\n"
                    "integer type; f32 and f64 need it")
        .values(2, 2)
        .type_name("LO HI");
    return [flags] { return run(*flags); };
}

const Registration registration({"histogram", "Count how many samples of a file fall into each bin", footer, setup});

} // namespace

} // namespace vkprim::tools::histogram_command
