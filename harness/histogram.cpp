#include <vkprim/histogram.h>

#include <fmt/format.h>

#include "../shaders/histogram/histogram_push.h"
#include "bin_edges.h"
#include "elements.h"
#include "float_bits.h"
#include "references.h"
#include "segments.h"
#include "workload.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace vkprim::harness::histogram_primitive {
namespace {

constexpr SampleType sample_types[] = {SampleType::u8,  SampleType::u16, SampleType::u32,
                                       SampleType::i32, SampleType::f32, SampleType::f64};

std::string name_of(SampleType type) {
    static const char* const names[] = {"u8", "u16", "u32", "i32", "f32", "f64"};
    return names[static_cast<uint32_t>(type)];
}

constexpr const char* weight_names[] = {"", "u32", "i32"};

uint32_t size_of(SampleType type) {
    return type == SampleType::u8 ? 1 : type == SampleType::u16 ? 2 : type == SampleType::f64 ? 8 : 4;
}

bool is_float(const Histogram::Desc& desc) { return desc.type == SampleType::f32 || desc.type == SampleType::f64; }

bool has_weights(const Histogram::Desc& desc) { return desc.weights != Weights::none; }

/// Of all channels that are counted.
uint32_t bins_of(const Histogram::Desc& desc) {
    return desc.bins * (desc.counted_channels > 0 ? desc.counted_channels : desc.channels);
}

uint64_t output_size(const Histogram::Desc& desc) { return uint64_t{bins_of(desc)} * (desc.wide ? 8 : 4); }

uint64_t pixels_of(const Histogram::Desc& desc, uint64_t samples) {
    return (samples + desc.channels - 1) / desc.channels;
}

bool runs_on(const runtime::Device& device, const Histogram::Desc& desc) {
    return desc.type != SampleType::f64 || device.info().features.shader_float64;
}

/// What follows type, bins and range: " 3 of 4 channels, weights i32, 64-bit counts, levels".
std::string options_of(const Histogram::Desc& desc) {
    std::string name;
    if (desc.channels > 1) name += fmt::format(", {} of {} channels", bins_of(desc) / desc.bins, desc.channels);
    if (has_weights(desc)) name += fmt::format(", weights {}", weight_names[static_cast<uint32_t>(desc.weights)]);
    if (desc.wide) name += ", 64-bit counts";
    if (desc.levels) name += ", levels";
    return name;
}

std::string name_of(const Histogram::Desc& desc) {
    return fmt::format("{} {} bins [{}, {}){}", name_of(desc.type), desc.bins, desc.lower, desc.upper,
                       options_of(desc));
}

/// Its way through the shaders: the kind of samples, and where it counts them.
std::string way_of(const Histogram::Desc& desc) {
    const bool is_general = desc.channels > 1 || has_weights(desc) || desc.wide;
    return fmt::format("{} {}{}{}{}", static_cast<uint32_t>(desc.segments),
                       desc.type == SampleType::f64 ? "f64" : "words", is_general ? " general" : "",
                       desc.levels ? " levels" : "", bins_of(desc) > 8192 ? " many" : "");
}

/// The bits of a number as a sample.
uint64_t bits_of_number(SampleType type, double x) {
    if (type == SampleType::f32) return bits_of(static_cast<float>(x));
    if (type != SampleType::f64) return static_cast<uint64_t>(static_cast<int64_t>(x));
    uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}

void put_bits(Bytes& bytes, uint64_t index, uint64_t bits, uint32_t size) {
    std::memcpy(bytes.data() + index * size, &bits, size);
}

/// Levels between `lower` and `upper`: for f32 and f64, sometimes with infinite ends. Some are equal.
Bytes levels_of(const Histogram::Desc& desc) {
    if (!desc.levels) return {};
    Random              random(desc.bins);
    std::vector<double> levels(desc.bins + 1);
    for (size_t l = 0; l < levels.size(); ++l) {
        const double place = static_cast<double>(l) + static_cast<double>(random.next() >> 32) / 4294967296.0;
        levels[l]          = desc.lower + place / static_cast<double>(levels.size()) * (desc.upper - desc.lower);
        if (!is_float(desc)) levels[l] = std::floor(levels[l]);
        if (l > 0 && random.below(16) == 0) levels[l] = levels[l - 1];
    }
    if (is_float(desc) && desc.bins % 3 == 0) levels.front() = -HUGE_VAL;
    if (is_float(desc) && desc.bins % 3 != 1) levels.back() = HUGE_VAL;
    const uint32_t size = std::max(size_of(desc.type), 4u);
    Bytes          bytes((levels.size() * size + 63) / 64 * 64);
    for (size_t l = 0; l < levels.size(); ++l) put_bits(bytes, l, bits_of_number(desc.type, levels[l]), size);
    return bytes;
}

/// The bits of an edge of bins of floats, or of the number before or behind it. Often the edges are those of the range.
uint64_t at_edge(const Histogram::Desc& desc, Random& random) {
    const uint32_t ends[] = {0, desc.bins}, side = random.below(3);
    const uint32_t k    = random.below(4) == 0 ? ends[random.below(2)] : random.below(desc.bins + 1);
    const auto     near = [side](auto edge) {
        const auto infinity = std::numeric_limits<decltype(edge)>::infinity();
        return side == 0 ? edge : std::nextafter(edge, side == 1 ? -infinity : infinity);
    };
    if (desc.type == SampleType::f32) return bits_of(near(BinEdges<float>(desc)[k]));
    return bits_of_number(desc.type, near(BinEdges<double>(desc)[k]));
}

/// How samples lie: over the whole type, over the range and a little beyond, all equal, or half of them equal.
enum class Spread { whole_type, around_range, equal, skewed };

Bytes samples(const Histogram::Desc& desc, uint32_t count, Spread spread, Random random) {
    const uint32_t size = size_of(desc.type);
    Bytes          bytes(uint64_t{count} * size);
    const uint64_t fixed = random.next();
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t bits = random.next();
        if (spread == Spread::equal || (spread == Spread::skewed && random.below(2))) bits = fixed;
        if (size < 8) bits >>= 32;
        if (spread != Spread::whole_type) {
            const double unit = std::ldexp(static_cast<double>(bits), size < 8 ? -32 : -64) * 1.25 - 0.125;
            const double x    = desc.lower + unit * (desc.upper - desc.lower);
            bits              = bits_of_number(desc.type, x);
            if (is_float(desc) && random.below(4) == 0) bits = at_edge(desc, random);
        }
        put_bits(bytes, i, bits, size);
    }
    return bytes;
}

/// What a histogram reads: samples, and behind them weights and levels, where it has any.
struct Layout {
    uint64_t weights = 0, levels = 0, end = 0; ///< bytes behind the first sample

    /// `offset`: of the first sample, behind a multiple of 64. Weights then begin `misalignment` words behind one.
    Layout(const Histogram::Desc& desc, uint32_t count, uint32_t offset = 0, uint32_t misalignment = 0)
        : Layout(desc, count, pixels_of(desc, count), offset, misalignment) {}

    Layout(const Histogram::Desc& desc, uint64_t samples, uint64_t pixels, uint32_t offset, uint32_t misalignment) {
        const auto next = [offset](uint64_t at) { return (offset + at + 63) / 64 * 64 - offset; };
        end             = samples * size_of(desc.type);
        if (has_weights(desc)) {
            weights = next(end) + misalignment * 4;
            end     = weights + pixels * 4;
        }
        if (desc.levels) {
            levels = next(end);
            end    = levels + (desc.bins + 1) * std::max(size_of(desc.type), 4u);
        }
    }
};

/// Samples with weights, of which some are small, and levels.
Bytes with_tables(const Histogram::Desc& desc, const Layout& layout, Bytes bytes, Random random) {
    const size_t samples_end = bytes.size();
    bytes.resize(layout.end);
    for (size_t i = samples_end; i + 4 <= layout.end && has_weights(desc); ++i) {
        if (i < layout.weights || (i - layout.weights) % 4 != 0) continue;
        const auto weight = static_cast<uint32_t>(random.next() >> 32 >> random.below(2) * 24);
        std::memcpy(&bytes[i], &weight, 4);
    }
    const Bytes levels = levels_of(desc);
    if (desc.levels) std::memcpy(&bytes[layout.levels], levels.data(), layout.end - layout.levels);
    return bytes;
}

HistogramInput input_of(const Layout& layout, const uint8_t* samples) {
    return {samples, samples + layout.weights, samples + layout.levels};
}

struct Shape {
    uint32_t misalignment = 0; ///< in samples
    bool     accumulate   = false;
    uint32_t bound        = 0; ///< with a count on the GPU
    uint32_t parts        = 1;
};

/// Multiplies all counts.
template <class Count>
void times_of(std::vector<uint32_t>& words, uint32_t factor) {
    for (size_t i = 0; i < words.size(); i += sizeof(Count) / 4) {
        Count count;
        std::memcpy(&count, &words[i], sizeof count);
        count *= factor;
        std::memcpy(&words[i], &count, sizeof count);
    }
}

/// Counts that were counted twice more.
void three_times(const Histogram::Desc& desc, std::vector<uint32_t>& words) {
    if (desc.wide) {
        times_of<uint64_t>(words, 3);
    } else {
        times_of<uint32_t>(words, 3);
    }
}

/// Ends a case whose counts are `expected`; where they accumulate, they are added to counts that are there already.
void verify_counts_of(Verifier& verifier, const Histogram& histogram, const Histogram::Desc& desc, Histogram::Args args,
                      uint32_t parts, const Range& output, std::vector<uint32_t> expected) {
    verifier.lend(histogram, args);
    if (args.accumulate) {
        // What one replacing pass gives.
        Histogram::Args first = args;
        first.accumulate      = false;
        verifier.run([&](VkCommandBuffer commands, const Part&) { histogram.record(commands, first); }, {});
        three_times(desc, expected);
    }
    verifier.prove(histogram, args, {2, parts}, output, expected.data(), desc.wide ? Format::u64 : Format::u32);
}

void verify_case(Verifier& verifier, const Histogram& histogram, const Histogram::Desc& desc, const Bytes& data,
                 const Shape& shape) {
    const uint32_t        size = size_of(desc.type), offset = shape.misalignment * size;
    const auto            count = static_cast<uint32_t>(data.size() / size);
    const Layout          layout(desc, count, offset, shape.misalignment);
    const Bytes           bytes    = with_tables(desc, layout, data, verifier.random());
    std::vector<uint32_t> expected = reference_histogram(desc, input_of(layout, bytes.data()), count);
    const Range           input    = verifier.input(bytes.data(), bytes.size(), offset);
    const Range           output   = verifier.output(output_size(desc), (desc.wide ? 8 : 4) * shape.misalignment);
    Histogram::Args       args;
    args.input      = input.address;
    args.counts     = output.address;
    args.count      = std::max(count, shape.bound);
    args.accumulate = shape.accumulate;
    args.weights    = has_weights(desc) ? input.address + layout.weights : 0;
    args.levels     = desc.levels ? input.address + layout.levels : 0;
    if (shape.bound > 0) args.count_address = verifier.gpu_count(count);
    verify_counts_of(verifier, histogram, desc, args, shape.parts, output, std::move(expected));
}

/// A matrix.
struct Rows {
    uint32_t rows   = 1;
    uint32_t count  = 0; ///< samples of a row
    uint32_t stride = 0; ///< samples from one to the next
    uint32_t bound  = 0; ///< samples of a row as far as the host knows, by which its weights lie

    uint64_t samples() const { return uint64_t{rows - 1} * stride + count; }
    uint64_t pixels(const Histogram::Desc& desc) const { return rows * pixels_of(desc, bound); }
};

/// The histograms of the rows, one behind the other.
std::vector<uint32_t> reference_rows(const Histogram::Desc& desc, const Rows& rows, const Layout& layout,
                                     const uint8_t* samples) {
    std::vector<uint32_t> all;
    all.reserve(rows.rows * output_size(desc) / 4);
    for (uint64_t row = 0; row < rows.rows; ++row) {
        const auto one = reference_histogram(
            desc,
            {samples + row * rows.stride * size_of(desc.type),
             samples + layout.weights + row * pixels_of(desc, rows.bound) * 4, samples + layout.levels},
            rows.count);
        all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

struct RowsShape {
    uint32_t misalignment = 0; ///< in samples
    uint32_t gap          = 0; ///< samples between rows
    bool     accumulate   = false;
    bool     on_gpu       = false; ///< both counts
    uint32_t parts        = 1;
};

void verify_rows_case(Verifier& verifier, const Histogram& histogram, const Histogram::Desc& desc, Rows rows,
                      Spread spread, const RowsShape& shape) {
    const uint32_t size = size_of(desc.type), offset = shape.misalignment * size;
    rows.stride = rows.count + shape.gap;
    rows.bound  = shape.on_gpu ? rows.stride : rows.count;
    const Layout layout(desc, rows.samples(), rows.pixels(desc), offset, shape.misalignment);
    // Between rows lie samples that would count.
    const Bytes data  = samples(desc, static_cast<uint32_t>(rows.samples()), spread, verifier.random());
    Bytes       bytes = with_tables(desc, layout, data, verifier.random());
    // Behind all that: how many rows there are.
    const uint64_t rows_at = (offset + bytes.size() + 3) / 4 * 4 - offset;
    bytes.resize(rows_at + 4);
    std::memcpy(&bytes[rows_at], &rows.rows, 4);
    std::vector<uint32_t> expected = reference_rows(desc, rows, layout, bytes.data());
    const Range           input    = verifier.input(bytes.data(), bytes.size(), offset);
    const Range     output = verifier.output(rows.rows * output_size(desc), (desc.wide ? 8 : 4) * shape.misalignment);
    Histogram::Args args;
    args.input          = input.address;
    args.counts         = output.address;
    args.count          = rows.bound;
    args.segments.count = rows.rows;
    args.segments.pitch = shape.gap > 0 ? rows.stride * size : 0;
    args.accumulate     = shape.accumulate;
    args.weights        = has_weights(desc) ? input.address + layout.weights : 0;
    args.levels         = desc.levels ? input.address + layout.levels : 0;
    if (shape.on_gpu) {
        args.count_address          = verifier.gpu_count(rows.count);
        args.segments.count_address = input.address + rows_at;
        args.segments.count *= 2;
    }
    verify_counts_of(verifier, histogram, desc, args, shape.parts, output, std::move(expected));
}

/// The histograms of segments, one behind the other.
std::vector<uint32_t> reference_segments(const Histogram::Desc& desc, const Offsets& offsets, const Layout& layout,
                                         const uint8_t* samples) {
    std::vector<uint32_t> all;
    all.reserve((offsets.size() - 1) * output_size(desc) / 4);
    for (size_t s = 0; s + 1 < offsets.size(); ++s) {
        const auto one =
            reference_histogram(desc,
                                {samples + offsets[s] * size_of(desc.type),
                                 samples + layout.weights + offsets[s] / desc.channels * 4, samples + layout.levels},
                                static_cast<uint32_t>(offsets[s + 1] - offsets[s]));
        all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

struct OffsetsShape {
    SegmentShape memory     = {};
    bool         accumulate = false;
};

void verify_offsets_case(Verifier& verifier, const Histogram& histogram, const Histogram::Desc& desc,
                         const Offsets& offsets, const Bytes& data, const OffsetsShape& shape) {
    const uint32_t size = size_of(desc.type), misalignment = shape.memory.misalignment / size;
    const auto     count = static_cast<uint32_t>(data.size() / size);
    // Of a bound on the GPU's count, there are no samples, and no weights.
    const Layout          layout(desc, count, misalignment * size, misalignment);
    const Bytes           bytes    = with_tables(desc, layout, data, verifier.random());
    std::vector<uint32_t> expected = reference_segments(desc, offsets, layout, bytes.data());
    const SegmentInput    input    = segment_input(offsets, bytes, shape.memory);
    const Range           memory   = verifier.input(input.bytes.data(), input.bytes.size(), 0);
    const Range           output   = verifier.output(expected.size() * 4, (desc.wide ? 8 : 4) * misalignment);
    Histogram::Args       args;
    args.input                = memory.address + input.elements_at;
    args.counts               = output.address;
    args.count                = count;
    args.segments.count       = static_cast<uint32_t>(offsets.size() - 1);
    args.segments.offsets     = memory.address + SegmentInput::offsets_at;
    args.segments.offset_size = shape.memory.wide ? 8 : 4;
    args.accumulate           = shape.accumulate;
    args.weights              = has_weights(desc) ? args.input + layout.weights : 0;
    args.levels               = desc.levels ? args.input + layout.levels : 0;
    if (shape.memory.on_gpu) {
        args.count_address          = verifier.gpu_count(count);
        args.segments.count_address = memory.address;
        args.count += count + 7;
        args.segments.count = 2 * args.segments.count + 100;
    }
    verify_counts_of(verifier, histogram, desc, args, shape.memory.parts, output, std::move(expected));
}

std::vector<Histogram::Desc> descs(Extent extent) {
    std::vector<Histogram::Desc> all = {
        {SampleType::u8, 256, 0, 256},
        {SampleType::u8, 7, 10, 210},
        {SampleType::u8, 1000, 0, 256},
        {SampleType::u16, 256, 0, 65536},
        {SampleType::u16, 1021, 1000, 60000},
        {SampleType::u32, 256, 0, 256},
        {SampleType::u32, 256, 0, 4294967296.0},
        {SampleType::u32, 1000, 12345, 4294967295.0},
        {SampleType::u32, 2048, 0, 2048},
        {SampleType::u32, 8192, 0, 4294967296.0},
        {SampleType::u32, 65536, 0, 4294967296.0},
        {SampleType::i32, 256, -2147483648.0, 2147483648.0},
        {SampleType::i32, 100, -1000, 1000},
        {SampleType::f32, 256, 0, 1},
        {SampleType::f32, 97, -0.3, 0.7},
        {SampleType::f32, 1, -1e30, 1e30},
        {SampleType::f32, 13, 127.99990844726562, 128.00009155273438}, // neighbours are a bin apart
        {SampleType::f32, 2048, 0, 1},
        {SampleType::u32, 13000, 0, 13000},
        {SampleType::u8, 256, 0, 256, 4, 3},
        {SampleType::u8, 100, 10, 210, 3},
        {SampleType::u16, 500, 1000, 60000, 2, 1},
        {SampleType::u16, 64, 0, 65536, 3, 2},
        {SampleType::u32, 6000, 0, 4294967296.0, 4, 3},
        {SampleType::i32, 100, -1000, 1000, 3},
        {SampleType::f32, 300, -0.3, 0.7, 2},
        {SampleType::f64, 256, 0, 1},
        {SampleType::f64, 100, -0.3, 0.7, 2},
        {SampleType::u8, 256, 0, 256, 1, 0, Weights::u32},
        {SampleType::u8, 256, 0, 256, 3, 2, Weights::i32, true},
        {SampleType::u16, 300, 0, 65536, 1, 0, Weights::i32, true},
        {SampleType::u32, 20000, 0, 20000, 1, 0, Weights::i32, true},
        {SampleType::f32, 20000, 0, 1, 1, 0, Weights::u32},
        {SampleType::u16, 20000, 0, 65536, 1, 0, Weights::none, true},
        {SampleType::u32, 256, 0, 4294967296.0, 1, 0, Weights::none, true},
        {SampleType::u8, 20, 0, 256, 1, 0, Weights::none, false, true},
        {SampleType::u32, 9000, 1000, 4294967295.0, 1, 0, Weights::none, false, true},
        {SampleType::i32, 255, -2147483648.0, 2147483647.0, 1, 0, Weights::none, false, true},
        {SampleType::f32, 1000, -5, 5, 1, 0, Weights::none, false, true},
        {SampleType::f64, 300, -0.3, 0.7, 3, 2, Weights::u32, true, true},
    };
    if (extent == Extent::full) {
        const Histogram::Desc more[] = {
            {SampleType::u8, 1, 0, 256},
            {SampleType::u8, 1u << 20, 0, 256},
            {SampleType::u16, 65536, 0, 65536},
            {SampleType::u32, 1u << 20, 0, 4294967296.0},
            {SampleType::u32, 3, 7, 8},
            {SampleType::u32, (1u << 20) - 1, 1, 4294967295.0},
            {SampleType::i32, 12289, -7, 100000},
            {SampleType::f32, 1u << 20, -5, 5},
            {SampleType::f32, 10, -1000, 0},
            {SampleType::u8, 256, 0, 256, 2},
            {SampleType::u8, 64, 3, 200, 4},
            {SampleType::u16, 1000, 0, 65536, 4},
            {SampleType::u8, 1u << 18, 0, 256, 4},
            {SampleType::f32, 256, 0, 1, 4, 3},
            {SampleType::f64, 30000, -5, 5, 1, 0, Weights::u32, true},
            {SampleType::u16, 77, 0, 65535, 4, 3, Weights::u32, false, true},
            {SampleType::f64, 1, -1e300, 1e300},
            {SampleType::f64, 14, 1.9999999999999973, 2.0000000000000031},
            {SampleType::f64, 20001, -5, 5, 1, 0, Weights::none, false, true},
        };
        all.insert(all.end(), std::begin(more), std::end(more));
    }
    return all;
}

/// Of rows or of segments between offsets.
std::vector<Histogram::Desc> descs_of(SegmentLayout segments, Extent extent) {
    std::vector<Histogram::Desc> all = {
        {SampleType::u8, 256, 0, 256},
        {SampleType::u8, 100, 10, 210, 3},
        {SampleType::u32, 1000, 12345, 4294967295.0},
        {SampleType::u32, 20000, 0, 20000, 1, 0, Weights::i32, true},
        {SampleType::f32, 2048, 0, 1},
        {SampleType::u16, 300, 0, 65536, 3, 2, Weights::i32, true, true},
    };
    if (extent > Extent::pairs) {
        const Histogram::Desc more[] = {
            {SampleType::u8, 1, 0, 256},
            {SampleType::u8, 64, 3, 200, 4, 2, Weights::u32},
            {SampleType::u16, 1021, 1000, 60000},
            {SampleType::u16, 20000, 0, 65536, 1, 0, Weights::none, true},
            {SampleType::u32, 8192, 0, 4294967296.0},
            {SampleType::i32, 255, -2147483648.0, 2147483647.0, 1, 0, Weights::none, false, true},
            {SampleType::f32, 97, -0.3, 0.7},
            {SampleType::f32, 65536, 0, 1},
            {SampleType::f64, 100, -0.3, 0.7, 2},
            {SampleType::f64, 300, -0.3, 0.7, 3, 2, Weights::u32, true, true},
        };
        all.insert(all.end(), std::begin(more), std::end(more));
    }
    for (Histogram::Desc& desc : all) desc.segments = segments;
    return all;
}

/// The histogram of a group of cases, unless they are left out.
std::optional<Histogram> begin_group(Verifier& verifier, const std::string& name, const Histogram::Desc& desc,
                                     Cover cover) {
    if (!verifier.group(name, cover, way_of(desc))) return std::nullopt;
    if (!runs_on(verifier.device(), desc)) {
        verifier.skip("the device has no shaderFloat64");
        return std::nullopt;
    }
    return verifier.create<Histogram>(desc);
}

/// Here a count is of a row's samples.
void verify_rows(Verifier& verifier) {
    constexpr uint32_t most_samples = 1000000, most_counts = 4000000; // of many rows
    for (const Histogram::Desc& desc : descs_of(SegmentLayout::rows, verifier.extent())) {
        const auto histogram = begin_group(verifier, "histogram rows " + name_of(desc), desc,
                                           desc.bins == 256 ? Cover::all : Cover::pairs);
        if (!histogram) continue;
        // Among them, around what one small workgroup counts.
        const uint32_t        few    = (1 << 16) / size_of(desc.type);
        std::vector<uint32_t> counts = {0, 1, 2, 15, 17, 64, 255, 1025, 4097, few, few + 1, 300000};
        if (verifier.extent() == Extent::full) counts = verifier.edge_counts();
        if (!verifier.counts().empty()) counts = verifier.counts();
        for (uint32_t count : counts) {
            const auto run = [&](uint32_t rows, const std::string& name, Spread spread, const RowsShape& shape) {
                if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
                const uint32_t most = std::min(most_samples / std::max(count, 1u), most_counts / bins_of(desc));
                verify_rows_case(verifier, *histogram, desc, {std::min(rows, std::max(most, 1u)), count}, spread,
                                 shape);
            };
            run(1, "one row", Spread::around_range, {});
            run(3, "3 rows, offset=1, gap=1", Spread::skewed, {1, 1});
            run(70, "70 rows, gap=5, on the GPU", Spread::around_range, {2, 5, false, true});
            run(1000, "1000 rows, accumulated", Spread::whole_type, {0, 0, true});
            run(2, "2 rows, in parts, accumulated", Spread::around_range, {3, 2, true, false, 3});
            run(2, "2 rows, in parts, on the GPU", Spread::around_range, {1, 7, false, true, 5});
            run(5000, "5000 rows, equal, in parts", Spread::equal, {3, 0, false, false, 3});
        }
    }
}

/// Lengths around what is counted in different ways; nothing at both ends.
Offsets edges(uint32_t count, uint32_t bins) {
    Offsets               offsets{0, 0};
    std::vector<uint32_t> middles = {1, 4, 8, 16, 32, 64, 256, bins, 512, 1024, 2048, 4096, 16384};
    for (uint32_t pass = 0; offsets.back() < count; ++pass) {
        for (uint32_t middle : middles) {
            const uint64_t length = middle + pass % 3 - 1;
            offsets.push_back(std::min<uint64_t>(offsets.back() + length, count));
        }
    }
    offsets.push_back(count);
    offsets.push_back(count);
    return offsets;
}

void verify_offsets(Verifier& verifier) {
    constexpr uint32_t most_counts = 4000000;
    for (const Histogram::Desc& desc : descs_of(SegmentLayout::offsets, verifier.extent())) {
        const auto histogram = begin_group(verifier, "histogram offsets " + name_of(desc), desc,
                                           desc.bins == 256 ? Cover::all : Cover::pairs);
        if (!histogram) continue;
        const uint32_t        size = size_of(desc.type), most = most_counts / bins_of(desc);
        std::vector<uint32_t> counts = {0, 1, 17, 255, 1025, 4097, 16389, 65537, 300000};
        if (verifier.extent() == Extent::full) counts = verifier.edge_counts();
        if (!verifier.counts().empty()) counts = verifier.counts();
        for (uint32_t count : counts) {
            const auto run_with = [&](const std::string& name, Spread spread, const OffsetsShape& shape,
                                      const auto& offsets_of_case) {
                if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
                Offsets offsets = offsets_of_case(verifier.random());
                if (offsets.size() > most + 1) offsets.resize(most + 1);
                verify_offsets_case(verifier, *histogram, desc, offsets,
                                    samples(desc, count, spread, verifier.random()), shape);
            };
            const auto run = [&](const std::string& name, Cut cut, Spread spread, const OffsetsShape& shape) {
                run_with(name, spread, shape, [=](Random random) { return offsets_of(cut, count, random, most); });
            };
            const auto edges_of = [&](Random) { return edges(count, bins_of(desc)); };
            run_with("edges", Spread::around_range, {}, edges_of);
            run_with("edges, offset=1, in parts, accumulated", Spread::skewed, {{size, 0, true, false, 3}, true},
                     edges_of);
            run("one", Cut::one, Spread::around_range, {{3 * size}});
            run("ones", Cut::ones, Spread::whole_type, {});
            run("few, on the GPU", Cut::few, Spread::around_range, {{size, 0, false, true}});
            run("middle, accumulated", Cut::middle, Spread::whole_type, {{}, true});
            run("many, equal", Cut::many, Spread::equal, {{2 * size}});
            run("tiles, in parts, on the GPU", Cut::tiles, Spread::around_range, {{0, 0, true, true, 3}});
            run("skewed, on the GPU", Cut::skewed, Spread::around_range, {{3 * size, 0, true, true}});
            run("empty", Cut::empty, Spread::skewed, {});
            run("gaps, in parts, on the GPU, accumulated", Cut::gaps, Spread::around_range,
                {{size, 0, false, true, 5}, true});
        }
    }
}

void verify_histogram(Verifier& verifier) {
    verify_rows(verifier);
    verify_offsets(verifier);
    for (const Histogram::Desc& desc : descs(verifier.extent())) {
        const auto histogram = begin_group(verifier, "histogram " + name_of(desc), desc, Cover::all);
        if (!histogram) continue;
        const auto run = [&](uint32_t count, const std::string& name, Spread spread, const Shape& shape) {
            if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
            verify_case(verifier, *histogram, desc, samples(desc, count, spread, verifier.random()), shape);
        };
        std::vector<uint32_t> counts = {0, 1, 2, 15, 16, 17, 255, 1025, 4097, 65537, 300000};
        if (verifier.extent() == Extent::full) {
            counts.insert(counts.end(), {3, 5, 31, 33, 65535, 65536, 65553, 262144, 262145, 1048577, 4194305});
        }
        // From 64 samples a bin on, more bins than shared memory holds are counted in ranges, with counters of 16 bits.
        if (bins_of(desc) > 8192 && bins_of(desc) < 20000) counts.push_back(70 * bins_of(desc) + 7);
        if (!verifier.counts().empty()) counts = verifier.counts();
        // On GPUs beyond what is taken for few samples.
        const uint32_t large = verifier.device().info().type == VK_PHYSICAL_DEVICE_TYPE_CPU ? 70000 : 5000000;
        for (uint32_t count : counts) {
            run(count, "around the range", Spread::around_range, {});
            run(count, "whole type", Spread::whole_type, {1, false, 0});
            run(count, "all equal", Spread::equal, {3, false, 0});
            run(count, "skewed, accumulated", Spread::skewed, {2, true, 0});
            run(count, "on the GPU", Spread::around_range, {0, false, count + 1});
            run(count, "on the GPU, large bound", Spread::around_range, {1, false, 2 * count + large});
            run(count, "in parts, on the GPU", Spread::around_range, {1, false, count + 1, 3});
            run(count, "in parts, accumulated", Spread::skewed, {0, true, 0, 2});
        }
    }
}

/// Samples over the whole range, or one and the same.
std::shared_ptr<const Bytes> bench_input(const Histogram::Desc& desc, uint32_t count, bool equal) {
    const uint32_t size = size_of(desc.type);
    Bytes          bytes(uint64_t{count} * size);
    Random         random(1);
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t bits = equal ? 0x9e3779b9u : random.next() >> 32;
        if (is_float(desc) || desc.upper < 4294967296.0) {
            const double x = static_cast<double>(bits) / 4294967296.0 * (desc.upper - desc.lower) + desc.lower;
            bits           = bits_of_number(desc.type, x);
        }
        put_bits(bytes, i, bits, size);
    }
    return std::make_shared<const Bytes>(with_tables(desc, Layout(desc, count), std::move(bytes), random));
}

auto args_of(bool accumulate, const Histogram::Desc& desc, int64_t weights_at, int64_t levels_at) {
    return [=](const Operands& operands) {
        Histogram::Args args{operands.input,         operands.output, operands.scratch, operands.count,
                             operands.count_address, accumulate,      operands.part};
        if (has_weights(desc)) args.weights = operands.input + static_cast<VkDeviceAddress>(weights_at);
        if (desc.levels) args.levels = operands.input + static_cast<VkDeviceAddress>(levels_at);
        return args;
    };
}

Result<Workload> prepare(const runtime::Device& device, const Histogram::Desc& histogram, bool equal,
                         const BenchSize& size) {
    const Layout layout(histogram, size.count);
    WorkloadDesc desc;
    desc.size        = size;
    desc.input       = bench_input(histogram, size.count, equal);
    desc.output_size = output_size(histogram);
    desc.format      = histogram.wide ? Format::u64 : Format::u32;
    desc.expected    = [=, input = desc.input, count = size.count] {
        return bytes_of(reference_histogram(histogram, input_of(layout, input->data()), count));
    };
    return workload_of<Histogram>(
        device, histogram, desc,
        args_of(false, histogram, static_cast<int64_t>(layout.weights), static_cast<int64_t>(layout.levels)));
}

/// Of contiguous rows.
Result<Workload> prepare_rows(const runtime::Device& device, Histogram::Desc histogram, uint32_t length,
                              const BenchSize& size) {
    histogram.segments   = SegmentLayout::rows;
    const uint32_t count = std::min(length, size.count);
    const Rows     rows{size.count / count, count, count, count};
    WorkloadDesc   desc;
    desc.size          = size;
    desc.input         = bench_input(histogram, rows.rows * count, false);
    desc.output_size   = rows.rows * output_size(histogram);
    desc.bytes_written = desc.output_size;
    desc.expected      = [=, input = desc.input] {
        return bytes_of(reference_rows(histogram, rows, Layout(histogram, rows.rows * count), input->data()));
    };
    return workload_of<Histogram>(device, histogram, desc, [=](const Operands& operands) {
        Histogram::Args args;
        args.input          = operands.input;
        args.counts         = operands.output;
        args.scratch        = operands.scratch;
        args.count          = count;
        args.segments.count = rows.rows;
        return args;
    });
}

/// Of segments of `length`, or else of such a cut.
Result<Workload> prepare_offsets(const runtime::Device& device, Histogram::Desc histogram, uint32_t length, Cut cut,
                                 const BenchSize& size) {
    histogram.segments    = SegmentLayout::offsets;
    const Offsets offsets = length > 0 ? rows_of(std::min(length, size.count), size.count)
                                       : offsets_of(cut, size.count, Random(1), size.count / 1024);
    const auto    count   = static_cast<uint32_t>(offsets.back());
    const auto    samples = bench_input(histogram, count, false);
    SegmentInput  input   = segment_input(offsets, *samples, {});
    WorkloadDesc  desc;
    desc.size          = size;
    desc.input         = std::make_shared<Bytes>(std::move(input.bytes));
    desc.output_size   = (offsets.size() - 1) * output_size(histogram);
    desc.bytes_written = desc.output_size;
    desc.expected      = [=] {
        return bytes_of(reference_segments(histogram, offsets, Layout(histogram, count), samples->data()));
    };
    return workload_of<Histogram>(device, histogram, desc,
                                  [=, elements_at = input.elements_at](const Operands& operands) {
                                      Histogram::Args args;
                                      args.input            = operands.input + elements_at;
                                      args.counts           = operands.output;
                                      args.scratch          = operands.scratch;
                                      args.count            = count;
                                      args.segments.count   = static_cast<uint32_t>(offsets.size() - 1);
                                      args.segments.offsets = operands.input + SegmentInput::offsets_at;
                                      return args;
                                  });
}

/// `length`: of segments that are all alike; else 0.
BenchDesc bench_offsets(const std::string& name, const Histogram::Desc& desc, uint32_t length, Cut cut = Cut::one) {
    return {fmt::format("{} {}", name_of(desc.type), name), name_of(desc.type), size_of(desc.type),
            [=](const runtime::Device& device, const BenchSize& size) {
                return prepare_offsets(device, desc, length, cut, size);
            },
            Counting::host};
}

BenchDesc bench_rows(const std::string& name, const Histogram::Desc& desc, uint32_t length) {
    return {
        fmt::format("{} {}, rows of {}", name_of(desc.type), name, length), name_of(desc.type), size_of(desc.type),
        [=](const runtime::Device& device, const BenchSize& size) { return prepare_rows(device, desc, length, size); },
        Counting::host};
}

/// What the peers' table calls the same of CUB's; empty where it has none.
std::string peer_of(const Histogram::Desc& desc) {
    if (desc.type == SampleType::u8 && desc.channels == 4 && !has_weights(desc)) return "histogram_rgba_u8";
    const bool is_plain = desc.channels == 1 && !has_weights(desc) && !desc.wide && !desc.levels;
    return is_plain && desc.type != SampleType::f64 ? "histogram_" + name_of(desc.type) : std::string();
}

BenchDesc bench(const std::string& name, const Histogram::Desc& desc, bool equal = false,
                Peer::Sizes sizes = Peer::Sizes::others, const std::string& variant = {}) {
    return {name_of(desc.type) + " " + name + options_of(desc),
            name_of(desc.type),
            size_of(desc.type),
            [=](const runtime::Device& device, const BenchSize& size) { return prepare(device, desc, equal, size); },
            Counting::gpu,
            {peer_of(desc), sizes, 0, desc.bins, desc.lower, desc.upper},
            variant};
}

/// A variant: what create() and record() take, other than memory.
struct Variant {
    Histogram::Desc  desc;
    bool             accumulate = false;
    PropertySegments segments   = {}; ///< if there are any

    /// Histograms: of few bins, as many as there are segments.
    uint32_t histograms() const {
        constexpr uint32_t most_counts = 1u << 20;
        return desc.segments == SegmentLayout::none ? 1 : std::min(segments.count(), most_counts / bins_of(desc));
    }
    uint64_t counts_size() const { return histograms() * output_size(desc); }

    /// Ahead of the samples: offsets, if any, and then levels, if any.
    Bytes ahead() const {
        Bytes       bytes  = desc.segments == SegmentLayout::offsets ? segments.ahead() : Bytes();
        const Bytes levels = levels_of(desc);
        bytes.insert(bytes.end(), levels.begin(), levels.end());
        return bytes;
    }
};

/// "u8 bins=256 range=0,256 channels=3/4 weights=i32 wide levels accumulate offsets=4". Numbers are written so that they are read back exactly.
std::string text_of(const Variant& variant) {
    const Histogram::Desc& desc = variant.desc;
    std::string text = fmt::format("{} bins={} range={},{}", name_of(desc.type), desc.bins, desc.lower, desc.upper);
    if (desc.channels > 1) text += fmt::format(" channels={}/{}", bins_of(desc) / desc.bins, desc.channels);
    if (has_weights(desc)) text += fmt::format(" weights={}", weight_names[static_cast<uint32_t>(desc.weights)]);
    text += std::string(desc.wide ? " wide" : "") + (desc.levels ? " levels" : "") +
            (variant.accumulate ? " accumulate" : "");
    if (desc.segments == SegmentLayout::offsets) text += fmt::format(" offsets={}", variant.segments.number);
    if (desc.segments == SegmentLayout::rows) text += fmt::format(" rows={}", variant.segments.rows);
    return text;
}

/// What may stand behind bins and range. False of what is none of it.
bool read_option(const std::string& word, Variant& variant) {
    Histogram::Desc& desc = variant.desc;
    if (word == "accumulate") return variant.accumulate = true;
    if (word == "wide") return desc.wide = true;
    if (word == "levels") return desc.levels = true;
    for (Weights weights : {Weights::u32, Weights::i32}) {
        if (word != std::string("weights=") + weight_names[static_cast<uint32_t>(weights)]) continue;
        desc.weights = weights;
        return true;
    }
    for (const PropertySegments& segments : all_property_segments()) {
        const bool rows = segments.rows > 0;
        if (word != (rows ? "" : "offsets=") + segments.name()) continue;
        variant.segments = segments;
        desc.segments    = rows ? SegmentLayout::rows : SegmentLayout::offsets;
        return true;
    }
    return std::sscanf(word.c_str(), "channels=%u/%u", &desc.counted_channels, &desc.channels) == 2;
}

Result<Variant> read_variant(const std::string& text) {
    Variant                        variant;
    const std::vector<std::string> words = words_of(text);
    bool                           found = false;
    for (SampleType type : sample_types) {
        if (words.empty() || words[0] != name_of(type)) continue;
        variant.desc.type = type;
        found             = words.size() >= 3;
    }
    found = found && std::sscanf(words[1].c_str(), "bins=%u", &variant.desc.bins) == 1;
    found = found && std::sscanf(words[2].c_str(), "range=%lf,%lf", &variant.desc.lower, &variant.desc.upper) == 2;
    for (size_t i = 3; found && i < words.size(); ++i) found = read_option(words[i], variant);
    if (found) return variant;
    return Error{ErrorKind::invalid_desc,
                 "histogram: no type, bins and range, such as 'u8 bins=256 range=0,256': '" + text + "'"};
}

std::string draw_variant(Random& random) {
    Variant          variant;
    Histogram::Desc& desc = variant.desc;
    desc.type             = sample_types[random.below(6)];
    variant.accumulate    = random.below(4) == 0;
    // Mostly bins that fit into shared memory, on some devices or on all.
    constexpr uint32_t most[] = {16, 512, 512, 8192, 8192, 16384, 65536, 1u << 20};
    desc.bins                 = 1 + random.below(most[random.below(8)]);
    if (random.below(4) == 0) desc.bins = 256;
    if (random.below(3) == 0) {
        desc.channels         = 2 + random.below(3);
        desc.counted_channels = 1 + random.below(desc.channels);
        desc.bins             = std::min(desc.bins, (1u << 20) / desc.counted_channels);
    }
    if (random.below(4) == 0) desc.weights = random.below(2) ? Weights::u32 : Weights::i32;
    if (random.below(4) == 0) desc.wide = true;
    if (random.below(4) == 0) {
        desc.levels = true;
        desc.bins   = std::min(desc.bins, 20000u); // a table for each try to make a case smaller
    }
    if (random.below(3) == 0) {
        const auto& all  = all_property_segments();
        variant.segments = all[random.below(static_cast<uint32_t>(all.size()))];
        desc.segments    = variant.segments.layout();
    }
    if (is_float(desc)) {
        desc.lower = (random.below(2001) - 1000.0) / 4;
        desc.upper = desc.lower + (1 + random.below(4000)) / 4.0;
        // Of f32 with many bins, the range is wide enough for edges that differ; sometimes they are neighbours.
        const double least = std::ldexp(static_cast<double>(desc.bins), random.below(4) == 0 ? -14 : -10);
        desc.upper         = std::max(desc.upper, desc.lower + std::ceil(4 * least) / 4);
        return text_of(variant);
    }
    constexpr double lowest[] = {0, 0, 0, -2147483648.0}, beyond[] = {256, 65536, 4294967296.0, 2147483648.0};
    const double     least    = lowest[static_cast<uint32_t>(desc.type)],
                 most_and_one = beyond[static_cast<uint32_t>(desc.type)];
    desc.lower                = least;
    desc.upper                = most_and_one;
    if (random.below(4) == 0) return text_of(variant); // the whole type
    // As many values as bins, or any number of them.
    const uint64_t drawn = random.next() >> 32 >> random.below(32);
    const double   span  = random.below(3) == 0 ? desc.bins : 1 + static_cast<double>(drawn);
    desc.lower += std::floor(random.below(1000) / 1000.0 * std::max(0.0, most_and_one - least - span));
    desc.upper = std::min(desc.lower + span, most_and_one);
    return text_of(variant);
}

Bytes samples_of(const Histogram::Desc& desc, uint32_t count, Data data, Random random) {
    if (data == Data::random) {
        const Spread spread = random.below(2) ? Spread::whole_type : Spread::around_range;
        return samples(desc, count, spread, random);
    }
    if (data == Data::special) return samples(desc, count, random.below(2) ? Spread::equal : Spread::skewed, random);
    const uint32_t size = size_of(desc.type);
    Bytes          bytes(uint64_t{count} * size);
    for (uint32_t i = 0; i < count && data != Data::zeros; ++i) {
        put_bits(bytes, i, bits_of_number(desc.type, data == Data::ones ? 1 : i), size);
    }
    return bytes;
}

/// Adds counts to those that are there.
template <class Count>
void add_to(uint8_t* output, const std::vector<uint32_t>& words) {
    for (size_t i = 0; i < words.size() * 4; i += sizeof(Count)) {
        Count there, more;
        std::memcpy(&there, output + i, sizeof there);
        std::memcpy(&more, reinterpret_cast<const uint8_t*>(words.data()) + i, sizeof more);
        there += more;
        std::memcpy(output + i, &there, sizeof there);
    }
}

/// The histograms of samples that are their own weights, behind levels.
std::vector<uint32_t> reference_variant(const Variant& variant, const uint8_t* input, uint32_t count) {
    const Histogram::Desc& desc   = variant.desc;
    const uint8_t* const   levels = input - levels_of(desc).size();
    if (desc.segments == SegmentLayout::none) return reference_histogram(desc, {input, input, levels}, count);
    const bool            rows    = desc.segments == SegmentLayout::rows;
    const Offsets         offsets = variant.segments.offsets(count);
    std::vector<uint32_t> all;
    for (uint64_t s = 0; s < variant.histograms(); ++s) {
        const auto     length = static_cast<uint32_t>(offsets[s + 1] - offsets[s]);
        const uint64_t weight = rows ? s * pixels_of(desc, length) : offsets[s] / desc.channels;
        const auto     one =
            reference_histogram(desc, {input + offsets[s] * size_of(desc.type), input + weight * 4, levels}, length);
        all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

Result<Model> model_of(const std::string& text) {
    const auto read = read_variant(text);
    if (!read) return read.error();
    const Variant variant = *read;
    Model         model;
    // Of weights, words of the samples' own memory serve; levels and offsets lie ahead of it. All want it aligned to words.
    const bool offsets     = variant.desc.segments == SegmentLayout::offsets;
    const bool whole_words = has_weights(variant.desc) || variant.desc.levels || offsets;
    const bool wide        = variant.desc.wide;
    model.input_size       = std::max(size_of(variant.desc.type), whole_words ? 4u : 1u);
    model.output_alignment = wide ? 8 : 4;
    model.format           = wide ? Format::u64 : Format::u32;
    model.ahead            = variant.ahead();
    model.gpu_count        = variant.desc.segments != SegmentLayout::rows;
    model.output_size      = [=](uint32_t) { return variant.counts_size(); };
    model.input            = [=](uint32_t count, Data data, Random random) {
        Bytes bytes = samples_of(variant.desc, count * (model.input_size / size_of(variant.desc.type)), data, random);
        bytes.resize(uint64_t{count} * model.input_size);
        return bytes;
    };
    model.expect = [=](const uint8_t* input, uint32_t count, uint8_t* output) {
        const auto counts = reference_variant(variant, input, count);
        if (!variant.accumulate) {
            std::memcpy(output, counts.data(), counts.size() * 4);
        } else if (wide) {
            add_to<uint64_t>(output, counts);
        } else {
            add_to<uint32_t>(output, counts);
        }
    };
    return model;
}

Result<Operator> create_operator(const Context& context, const std::string& text) {
    const auto variant = read_variant(text);
    if (!variant) return variant.error();
    auto created = Histogram::create(context, variant->desc);
    if (!created) return created.error();
    const auto levels = static_cast<int64_t>(levels_of(variant->desc).size());
    const auto common = args_of(variant->accumulate, variant->desc, 0, -levels);
    return operator_of(std::move(*created),
                       [=, variant = *variant, ahead = variant->ahead().size()](const Operands& operands) {
                           Histogram::Args args = common(operands);
                           args.segments.count  = variant.histograms();
                           if (variant.desc.segments == SegmentLayout::rows) args.count /= variant.segments.rows;
                           if (variant.desc.segments == SegmentLayout::offsets)
                               args.segments.offsets = operands.input - ahead;
                           return args;
                       });
}

std::vector<std::string> simpler_variants(const std::string& text) {
    const auto               variant = read_variant(text);
    std::vector<std::string> simpler;
    if (!variant) return simpler;
    const auto add = [&](const Variant& one) {
        if (text_of(one) != text) simpler.push_back(text_of(one));
    };
    const Histogram::Desc& desc = variant->desc;
    add({{SampleType::u8, 256, 0, 256}, false});
    add({{SampleType::u32, desc.bins, 0, static_cast<double>(desc.bins)}, false});
    add({desc, false});
    Variant one     = *variant;
    one.desc.levels = false;
    add(one);
    one              = *variant;
    one.desc.weights = Weights::none;
    add(one);
    one           = *variant;
    one.desc.wide = false;
    add(one);
    one               = *variant;
    one.desc.segments = SegmentLayout::none;
    one.segments      = {};
    add(one);
    one                       = *variant;
    one.desc.channels         = 1;
    one.desc.counted_channels = 0;
    add(one);
    one = *variant;
    if (desc.channels > 2) {
        one.desc.channels         = desc.channels - 1;
        one.desc.counted_channels = std::min(one.desc.counted_channels, one.desc.channels);
        add(one);
        one = *variant;
    }
    if (desc.counted_channels > 1) {
        --one.desc.counted_channels;
        add(one);
        one = *variant;
    }
    for (uint32_t bins : {1u, desc.bins / 2, desc.bins - desc.bins / 4, desc.bins - desc.bins / 16, desc.bins - 1}) {
        one.desc.bins = bins;
        if (bins > 0 && bins < desc.bins) add(one);
    }
    one            = *variant;
    one.desc.upper = desc.upper - desc.lower;
    one.desc.lower = 0;
    if (desc.lower > 0) add(one);
    return simpler;
}

const Property property{draw_variant, model_of, create_operator, simpler_variants,
                        [](const runtime::Device& device, const std::string& text) {
                            const auto variant = read_variant(text);
                            return variant && runs_on(device, variant->desc);
                        }};

Contract contract(const Variant& variant) {
    const bool in_shared_memory = variant.desc.bins <= 4096; // even where a workgroup has only 16 KiB
    Contract   contract;
    contract.variant = text_of(variant);
    if (variant.desc.bins > 2048)
        contract.pipelines = in_shared_memory ? 1 : 2; // else another where that is faster for few samples
    contract.dispatches   = in_shared_memory || variant.accumulate ? 1 : 2;
    contract.barriers     = *contract.dispatches - 1;
    contract.one_pipeline = true;
    contract.one_row      = true;
    contract.knobs        = {{"histogram.vectors", 1, 16},
                             {"histogram.workgroups", 1, 65535, 256},
                             {"histogram.few_bytes", 0, 1u << 30},
                             {"histogram.log2_copies", 0, 5}};
    contract.effect       = {"histogram.vectors", 3, HISTOGRAM_VECTORS_ID, 3};
    return contract;
}

/// Over all values.
Variant whole_u32(uint32_t bins, bool accumulate) { return {{SampleType::u32, bins, 0, 4294967296.0}, accumulate}; }

const Registration registration(
    {"histogram",
     verify_histogram,
     {bench("256 bins", {SampleType::u8, 256, 0, 256}, false, Peer::Sizes::leading, "u8 bins=256 range=0,256"),
      bench("256 bins, equal", {SampleType::u8, 256, 0, 256}, true),
      bench("256 bins", {SampleType::u32, 256, 0, 256}, false, Peer::Sizes::leading),
      bench("256 bins, full range", {SampleType::u32, 256, 0, 4294967296.0}),
      bench("2048 bins", {SampleType::u32, 2048, 0, 2048}),
      bench("8192 bins", {SampleType::u32, 8192, 0, 8192}),
      bench("65536 bins", {SampleType::u32, 65536, 0, 65536}),
      bench("1048576 bins", {SampleType::u32, 1048576, 0, 1048576}, false, Peer::Sizes::others,
            "u32 bins=1048576 range=0,1048576"),
      bench("1048576 bins, equal", {SampleType::u32, 1048576, 0, 1048576}, true),
      bench("256 bins", {SampleType::f32, 256, 0, 1}),
      bench("2048 bins", {SampleType::f32, 2048, 0, 1}),
      bench("256 bins", {SampleType::u8, 256, 0, 256, 4, 3}),
      bench("256 bins", {SampleType::u8, 256, 0, 256, 1, 0, Weights::u32}),
      bench("256 bins", {SampleType::u8, 256, 0, 256, 1, 0, Weights::u32, true}),
      bench("256 bins", {SampleType::u32, 256, 0, 256, 1, 0, Weights::none, true}),
      bench("256 bins", {SampleType::f32, 256, 0, 1, 1, 0, Weights::none, false, true}),
      bench("256 bins", {SampleType::f64, 256, 0, 1}),
      bench_rows("256 bins", {SampleType::u8, 256, 0, 256}, 1024),
      bench_rows("256 bins", {SampleType::u8, 256, 0, 256}, 65536),
      bench_rows("256 bins", {SampleType::u8, 256, 0, 256}, 1u << 22),
      bench_rows("256 bins", {SampleType::f32, 256, 0, 1}, 1024),
      bench_offsets("16 bins, offsets of 64", {SampleType::u8, 16, 0, 256}, 64),
      bench_offsets("256 bins, offsets of 1024", {SampleType::u8, 256, 0, 256}, 1024),
      bench_offsets("256 bins, offsets of 65536", {SampleType::u8, 256, 0, 256}, 65536),
      bench_offsets("256 bins, offsets of 4194304", {SampleType::u8, 256, 0, 256}, 1u << 22),
      bench_offsets("256 bins, offsets of 1 to 9 thousand", {SampleType::u8, 256, 0, 256}, 0, Cut::tiles)},
     {{"histogram.vectors", "u8 256 bins", 1u << 28, {1, 2, 4, 6, 8}},
      {"histogram.workgroups", "u8 256 bins", 1u << 28, {32, 64, 132, 264, 528}, {256, 512, 1024}},
      {"histogram.log2_copies", "u8 256 bins", 1u << 28, {0, 1, 2, 3, 4, 5}},
      {"histogram.few_bytes", "u8 256 bins", 1u << 20, {0, 1u << 22}}},
     property,
     {contract(whole_u32(256, false)), contract(whole_u32(4096, true)), contract(whole_u32(200000, false)),
      contract(whole_u32(200000, true)),
      contract({{SampleType::u32, 1000, 0, 4294967296.0, 1, 0, Weights::i32, true}, false}),
      contract({{SampleType::u32, 100000, 0, 4294967296.0, 3, 2, Weights::none, true}, false})},
     {{"f32 bins=256 range=0,256", true}, {"u8 bins=256 range=0,256", false}},
     {{"u", "rows u", "offsets u8", "offsets u32 8192"},
      {"u8 256", "u32 65536", "rows u8 256", "offsets u8 256"},
      {},
      {}}});

} // namespace
} // namespace vkprim::harness::histogram_primitive
