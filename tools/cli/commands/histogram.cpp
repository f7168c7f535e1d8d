#include <vkprim/histogram.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>

#include "chunk_commands.h"
#include "harness/references.h"
#include "harness/sizes.h"
#include "tools/cli/array_job.h"
#include "tools/cli/counts.h"

namespace vkprim::tools::histogram_command {

namespace {

struct Flags : CountFlags {
    JobFlags               job;
    std::optional<int64_t> axis;
};

/// All that can be said before anything is read.
void check_flags(const Flags& flags) {
    check_bins(flags);
    if (flags.axis && !flags.output.empty()) {
        check_output("histogram", flags.output, flags.job);
    } else {
        check_count_outputs(flags);
    }
}

struct Samples {
    SampleType               type = SampleType::u8;
    std::vector<uint8_t>     bytes;    ///< sample i is of channel i % channels.size()
    std::vector<std::string> channels; ///< their names
    bool                     picture = false;
    uint32_t                 width = 0, height = 0;

    uint64_t count() const { return bytes.size() / element_size(number_type(type)); }
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

Samples read_samples(const JobFlags& flags) {
    Input input = open_input(flags.source);
    if (input.kind == FileKind::image) return read_picture(input.file);
    Array   array = read_elements(flags.source, input);
    Samples samples;
    samples.type     = sample_type(name_of(flags.source), array.type);
    samples.channels = {"count"};
    samples.bytes    = std::move(array.bytes);
    return samples;
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
    const runtime::Buffer scratch   = job.zeros(harness::scratch_size_of(histogram, count));
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
        const std::vector<uint32_t> expected =
            harness::reference_histogram(desc, samples.bytes.data() + offset, args.count);
        const std::string what = difference(ElementType::u32, expected.data(), result.data(), result.size());
        require_right(what.empty() ? what : samples.channels[first] + ", " + what, device);
    }
    return series;
}

/// The counts of each row, one row behind the other.
std::vector<uint32_t> count_rows(ArrayJob& job, const runtime::Device& device, Histogram::Desc desc, const Array& array,
                                 const Rows& rows, const JobFlags& flags) {
    desc.segments = SegmentLayout::rows;
    std::vector<uint32_t> counts(rows.count * desc.bins);
    if (counts.empty()) return counts;
    const Histogram histogram = need_device(Histogram::create(device.context(), desc));
    Histogram::Args args;
    args.count                    = static_cast<uint32_t>(rows.length);
    args.segments.count           = static_cast<uint32_t>(rows.count);
    const runtime::Buffer input   = job.buffer(array.bytes.size());
    const runtime::Buffer output  = job.buffer(counts.size() * 4);
    const runtime::Buffer scratch = job.zeros(histogram.scratch_size(args));
    args.input                    = input.address();
    args.counts                   = output.address();
    args.scratch                  = scratch.address();
    job.upload(input, array.bytes.data(), array.bytes.size());
    job.run(histogram, args, parts_of(flags, array.count()));
    job.download(output, counts.data(), counts.size() * 4);
    for (uint64_t row = 0; row < rows.count && !flags.no_check; ++row) {
        const auto expected = harness::reference_histogram(
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
    const Histogram::Desc desc  = describe(flags, sample_type(name, array.type), name);
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
    Json       json{{"op", "histogram"},
              {"type", type_name(array.type)},
              {"count", array.count()},
              {"axis", *rows.axis},
              {"shape", rows.shape}};
    add_bins(json, desc);
    json["outside"] = outside;
    if (counts.size() <= max_json_bins) {
        json["edges"]  = edges_of(desc);
        json["counts"] = Json::array();
        for (uint64_t row = 0; row < rows.count; ++row) {
            json["counts"].push_back(std::vector<uint32_t>(row_begin(row), row_begin(row + 1)));
        }
    }
    if (!flags.output.empty()) json["output"] = flags.output;
    const auto lines = [&] {
        std::string text;
        for (uint64_t row = 0; row < rows.count; ++row) {
            text += fmt::format("{}\n", fmt::join(row_begin(row), row_begin(row + 1), " "));
        }
        return text;
    };
    const std::string text = fmt::format("{} rows of {} ", rows.count, rows.length) +
                             "{type} samples along axis {axis} of " + shape_text(array.shape) +
                             " in {bins} bins, {outside} outside";
    tell({json, flags.output, text, lines}, flags.job.json, job.account(flags.job));
    return exit_good;
}

ExitCode run_in_chunks(const Flags& flags, const MappedArray& array) {
    const std::string name = name_of(flags.job.source);
    Counted           counted;
    counted.desc    = describe(flags, sample_type(name, array.type), name);
    counted.samples = array.count;
    ChunkedJob job(flags.job, "histogram", array);
    counted.series = {{"count", histogram_in_chunks(job, flags.job, counted.desc)}};
    job.finish();
    tell(record_of(flags, counted, name), flags.job.json, job.account());
    return exit_good;
}

ExitCode run(const Flags& flags) {
    check_flags(flags);
    if (const auto large = array_for_chunks(flags.job, flags.axis ? "--axis" : "")) return run_in_chunks(flags, *large);
    if (flags.axis) return run_along_axis(flags);
    const Samples samples = read_samples(flags.job);
    Counted       counted{describe(flags, samples.type, name_of(flags.job.source)),
                    samples.count(),
                    {},
                    samples.picture,
                    samples.width,
                    samples.height};

    const runtime::Device device = open_device(flags.job.device);
    ArrayJob              job(device, "histogram");
    counted.series = count_bins(job, device, counted.desc, samples, flags.job);
    check_validation(device);
    tell(record_of(flags, counted, name_of(flags.job.source)), flags.job.json, job.account(flags.job));
    return exit_good;
}

constexpr const char* footer =
    R"(FILE is a .npy file or raw bytes (which need --type; text is u8) of u8, u16, u32, i32, f32 or f64, or a picture (PNG,
JPEG, PGM, PPM), whose channels are counted each into bins of its own. Bins have equal width: a
sample is in the bin whose printed edges enclose it, the lower one included. Edges of f32 are f32 numbers, for which LO and HI are rounded
up. Samples outside LO to HI and NaN are not counted. Without -o and --svg, the bins that are not empty are printed, or
a chart if they are many.
OUT.npy has u32 counts (u64 for 2^32 samples or more), for a picture one channel after the other; OUT.csv has a column per channel.
With --axis, each row of an array along that axis has a histogram of its own, in the C order of the other axes: a line
of counts each, for up to 4096 counts, or OUT.npy of the shape of the other axes and one more at the end, of the bins.
With --json, it prints an object with op, type, count (samples), bins, lower, upper, outside, output, svg, device,
kernel_ms, total_ms (with transfers) and checked; for a picture, width and height; with --axis, axis and shape; up to
4096 bins, edges (one more than bins) and counts (with --axis, an array of them for each row), or for a picture channels, with an array for
each.

Examples:
  vkprim histogram photo.jpg --svg photo.svg
  vkprim histogram book.txt --type u8 -o letters.csv
  vkprim histogram samples.npy --bins 1000 --range -1 1 --json
  vkprim histogram images.npy --axis -1 -o counts.npy)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    add_job_flags(options, flags->job);
    add_chunk_flags(options, flags->job.chunks);
    add_count_flags(options, *flags, "the file for the counts; with --axis, OUT.npy or '-': to standard output");
    add_axis_flag(options, flags->axis, "a histogram of each row along this axis").excludes({"--svg"});
    return [flags] { return run(*flags); };
}

const Registration registration({"histogram", "Count how many samples of a file fall into each bin", footer, setup});

} // namespace

} // namespace vkprim::tools::histogram_command
