#include <vkprim/histogram.h>

#include <fmt/format.h>

#include "elements.h"
#include "twins.h"

#include <cstring>

namespace vkprim::harness {
namespace {

std::string name_of(SampleType type) {
    static const char* const names[] = {"u8", "u16", "u32", "i32", "f32"};
    return names[static_cast<uint32_t>(type)];
}

uint32_t size_of(SampleType type) { return type == SampleType::u8 ? 1 : type == SampleType::u16 ? 2 : 4; }

/// How samples lie: over the whole type, over the range and a little beyond, all equal, or half of them equal.
enum class Spread { whole_type, around_range, equal, skewed };

std::vector<uint8_t> samples(const Histogram::Desc& desc, uint32_t count, Spread spread, Random random) {
    const uint32_t       size = size_of(desc.type);
    std::vector<uint8_t> bytes(uint64_t{count} * size);
    const uint64_t       fixed = random.next();
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t bits = random.next() >> 32;
        if (spread == Spread::equal || (spread == Spread::skewed && random.below(2))) bits = fixed >> 32;
        if (spread != Spread::whole_type) {
            const double unit = static_cast<double>(bits) / 4294967296.0 * 1.25 - 0.125;
            const double x    = desc.lower + unit * (desc.upper - desc.lower);
            if (desc.type == SampleType::f32) {
                const auto value = static_cast<float>(x);
                std::memcpy(&bits, &value, sizeof value);
                // Exactly on an edge, now and then.
                if (random.below(16) == 0) {
                    const auto edge = static_cast<float>(random.below(2) ? desc.lower : desc.upper);
                    std::memcpy(&bits, &edge, sizeof edge);
                }
            } else {
                bits = static_cast<uint64_t>(static_cast<int64_t>(x));
            }
        }
        std::memcpy(bytes.data() + i * size, &bits, size); // little-endian
    }
    return bytes;
}

struct Shape {
    uint32_t misalignment = 0; ///< in samples
    bool     accumulate   = false;
    uint32_t bound        = 0; ///< with a count on the GPU
};

void verify_case(Verifier& verifier, const Histogram& histogram, const Histogram::Desc& desc,
                 const std::vector<uint8_t>& data, const Shape& shape) {
    const auto            count    = static_cast<uint32_t>(data.size() / size_of(desc.type));
    std::vector<uint32_t> expected = twin_histogram(desc, data.data(), count);
    const Range           input    = verifier.input(data.data(), data.size(), shape.misalignment * size_of(desc.type));
    const Range           output   = verifier.output(desc.bins * 4, 4 * shape.misalignment);
    Histogram::Args       args;
    args.input      = input.address;
    args.counts     = output.address;
    args.count      = std::max(count, shape.bound);
    args.scratch    = verifier.scratch(histogram.scratch_size(args.count));
    args.accumulate = shape.accumulate;
    if (shape.bound > 0) args.count_address = verifier.gpu_count(count);
    if (shape.accumulate) {
        // Counts that are there already: what one replacing pass gives.
        Histogram::Args first = args;
        first.accumulate      = false;
        verifier.run([&](VkCommandBuffer commands) { histogram.record(commands, first); }, 1);
        for (uint32_t& e : expected) e *= 3;
    }
    verifier.run([&](VkCommandBuffer commands) { histogram.record(commands, args); }, 2);
    verifier.expect(output, expected.data(), Format::u32);
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
        {SampleType::f32, 100, -0.3, 0.7},
        {SampleType::f32, 1, -1e30, 1e30},
        {SampleType::f32, 2048, 0, 1},
        {SampleType::u32, 13000, 0, 13000},
    };
    if (extent == Extent::full) {
        const Histogram::Desc more[] = {
            {SampleType::u8, 1, 0, 256},          {SampleType::u8, 1u << 20, 0, 256},
            {SampleType::u16, 65536, 0, 65536},   {SampleType::u32, 1u << 20, 0, 4294967296.0},
            {SampleType::u32, 3, 7, 8},           {SampleType::u32, (1u << 20) - 1, 1, 4294967295.0},
            {SampleType::i32, 12289, -7, 100000}, {SampleType::f32, 1u << 20, -5, 5},
            {SampleType::f32, 10, -1000, 0},
        };
        all.insert(all.end(), std::begin(more), std::end(more));
    }
    return all;
}

void verify_histogram(Verifier& verifier) {
    for (const Histogram::Desc& desc : descs(verifier.extent())) {
        const std::string group =
            fmt::format("histogram {} {} bins [{}, {})", name_of(desc.type), desc.bins, desc.lower, desc.upper);
        if (!verifier.group(group)) continue;
        auto histogram = Histogram::create(verifier.context(), desc);
        if (!histogram) {
            if (verifier.wants("create")) verifier.fail(histogram.error().reason);
            continue;
        }
        const auto run = [&](uint32_t count, const std::string& name, Spread spread, const Shape& shape) {
            if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
            verify_case(verifier, *histogram, desc, samples(desc, count, spread, verifier.random()), shape);
        };
        std::vector<uint32_t> counts = {0, 1, 2, 15, 16, 17, 255, 1025, 4097, 65537, 300000};
        if (verifier.extent() == Extent::full) {
            counts.insert(counts.end(), {3, 5, 31, 33, 65535, 65536, 65553, 262144, 262145, 1048577, 4194305});
        }
        // From 64 samples a bin on, more bins than shared memory holds are counted in ranges, with counters of 16 bits.
        if (desc.bins > 8192 && desc.bins < 20000) counts.push_back(70 * desc.bins + 7);
        if (!verifier.counts().empty()) counts = verifier.counts();
        for (uint32_t count : counts) {
            run(count, "around the range", Spread::around_range, {});
            run(count, "whole type", Spread::whole_type, {1, false, 0});
            run(count, "all equal", Spread::equal, {3, false, 0});
            run(count, "skewed, accumulated", Spread::skewed, {2, true, 0});
            run(count, "on the GPU", Spread::around_range, {0, false, count + 1});
            run(count, "on the GPU, large bound", Spread::around_range, {1, false, 2 * count + 70000});
        }
    }
}

/// Samples over the whole range, or one and the same.
std::shared_ptr<const Bytes> bench_samples(const Histogram::Desc& desc, uint32_t count, bool equal) {
    const uint32_t size  = size_of(desc.type);
    auto           bytes = std::make_shared<Bytes>(uint64_t{count} * size);
    Random         random(1);
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t bits = equal ? 0x9e3779b9u : random.next() >> 32;
        if (desc.type == SampleType::f32) {
            const auto value =
                static_cast<float>(static_cast<double>(bits) / 4294967296.0 * (desc.upper - desc.lower) + desc.lower);
            std::memcpy(&bits, &value, sizeof value);
        } else if (desc.upper < 4294967296.0) {
            bits = static_cast<uint64_t>(static_cast<double>(bits) / 4294967296.0 * (desc.upper - desc.lower) +
                                         desc.lower);
        }
        std::memcpy(bytes->data() + i * size, &bits, size);
    }
    return bytes;
}

Result<Workload> prepare(const runtime::Device& device, const Histogram::Desc& desc, bool equal, uint32_t count) {
    struct Memory {
        Histogram       histogram;
        runtime::Buffer input, counts, scratch;
    };
    auto histogram = Histogram::create(device.context(), desc);
    if (!histogram) return histogram.error();
    const auto contents = bench_samples(desc, count, equal);
    auto       input    = buffer_of(device, *contents);
    if (!input) return input.error();
    auto counts = device.create_buffer(desc.bins * 4);
    if (!counts) return counts.error();
    auto scratch = zeroed_buffer(device, histogram->scratch_size(count));
    if (!scratch) return scratch.error();
    auto memory = std::make_shared<Memory>(
        Memory{std::move(*histogram), std::move(*input), std::move(*counts), std::move(*scratch)});

    Histogram::Args args;
    args.input   = memory->input.address();
    args.counts  = memory->counts.address();
    args.scratch = memory->scratch.address();
    args.count   = count;
    Workload workload;
    workload.bytes_read = contents->size();
    workload.record     = [memory, args](VkCommandBuffer commands) { memory->histogram.record(commands, args); };
    workload.memory     = memory;
    workload.input      = contents;
    workload.expected   = once([contents, desc, count]() -> std::shared_ptr<const Bytes> {
        const std::vector<uint32_t> twin  = twin_histogram(desc, contents->data(), count);
        auto                        bytes = std::make_shared<Bytes>(twin.size() * 4);
        std::memcpy(bytes->data(), twin.data(), bytes->size());
        return bytes;
    });
    workload.check      = [memory, &device, desc, twin = workload.expected] {
        std::vector<uint32_t> got(desc.bins);
        const Result<void>    done = device.download(memory->counts, 0, got.data(), desc.bins * 4);
        if (!done) return done.error().reason;
        const auto  bytes    = twin();
        const auto* expected = reinterpret_cast<const uint32_t*>(bytes->data());
        for (uint32_t b = 0; b < desc.bins; ++b) {
            if (got[b] != expected[b]) return fmt::format("bin {}: expected {}, got {}", b, expected[b], got[b]);
        }
        return std::string();
    };
    return workload;
}

BenchDesc bench(const std::string& name, const Histogram::Desc& desc, bool equal = false) {
    return {name_of(desc.type) + " " + name, name_of(desc.type), size_of(desc.type),
            [=](const runtime::Device& device, uint32_t count) { return prepare(device, desc, equal, count); }};
}

const Registration registration(
    {"histogram",
     verify_histogram,
     {bench("256 bins", {SampleType::u8, 256, 0, 256}), bench("256 bins, equal", {SampleType::u8, 256, 0, 256}, true),
      bench("256 bins", {SampleType::u32, 256, 0, 256}),
      bench("256 bins, full range", {SampleType::u32, 256, 0, 4294967296.0}),
      bench("2048 bins", {SampleType::u32, 2048, 0, 2048}), bench("8192 bins", {SampleType::u32, 8192, 0, 8192}),
      bench("65536 bins", {SampleType::u32, 65536, 0, 65536}),
      bench("1048576 bins", {SampleType::u32, 1048576, 0, 1048576}),
      bench("1048576 bins, equal", {SampleType::u32, 1048576, 0, 1048576}, true),
      bench("256 bins", {SampleType::f32, 256, 0, 1}), bench("2048 bins", {SampleType::f32, 2048, 0, 1})},
     {{"vectors", "u8 256 bins", 1u << 28, {1, 2, 4, 6, 8}},
      {"workgroups", "u8 256 bins", 1u << 28, {32, 64, 132, 264, 528}, {256, 512, 1024}},
      {"log2_copies", "u8 256 bins", 1u << 28, {0, 1, 2, 3, 4, 5}}}});

} // namespace
} // namespace vkprim::harness
