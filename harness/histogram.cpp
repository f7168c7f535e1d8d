#include <vkprim/histogram.h>

#include <fmt/format.h>

#include "../shaders/histogram/histogram_push.h"
#include "elements.h"
#include "float_bits.h"
#include "twins.h"
#include "workload.h"

#include <algorithm>
#include <cmath>
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

Bytes samples(const Histogram::Desc& desc, uint32_t count, Spread spread, Random random) {
    const uint32_t size = size_of(desc.type);
    Bytes          bytes(uint64_t{count} * size);
    const uint64_t fixed = random.next();
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t bits = random.next() >> 32;
        if (spread == Spread::equal || (spread == Spread::skewed && random.below(2))) bits = fixed >> 32;
        if (spread != Spread::whole_type) {
            const double unit = static_cast<double>(bits) / 4294967296.0 * 1.25 - 0.125;
            const double x    = desc.lower + unit * (desc.upper - desc.lower);
            if (desc.type == SampleType::f32) {
                // Exactly on an edge, now and then.
                const bool is_edge = random.below(16) == 0;
                bits = bits_of(static_cast<float>(!is_edge ? x : random.below(2) ? desc.lower : desc.upper));
            } else {
                bits = static_cast<uint64_t>(static_cast<int64_t>(x));
            }
        }
        put(bytes, i, static_cast<uint32_t>(bits), size);
    }
    return bytes;
}

struct Shape {
    uint32_t misalignment = 0; ///< in samples
    bool     accumulate   = false;
    uint32_t bound        = 0; ///< with a count on the GPU
    uint32_t parts        = 1;
};

void verify_case(Verifier& verifier, const Histogram& histogram, const Histogram::Desc& desc, const Bytes& data,
                 const Shape& shape) {
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
        verifier.run([&](VkCommandBuffer commands, const Part&) { histogram.record(commands, first); }, {});
        for (uint32_t& e : expected) e *= 3;
    }
    if (!verifier.takes(histogram, args)) return;
    const auto record = [&](VkCommandBuffer commands, const Part& part) {
        args.part = part;
        histogram.record(commands, args);
    };
    verifier.run(record, {2, shape.parts});
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
            run(count, "in parts, on the GPU", Spread::around_range, {1, false, count + 1, 3});
            run(count, "in parts, accumulated", Spread::skewed, {0, true, 0, 2});
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
            bits = bits_of(value);
        } else if (desc.upper < 4294967296.0) {
            bits = static_cast<uint64_t>(static_cast<double>(bits) / 4294967296.0 * (desc.upper - desc.lower) +
                                         desc.lower);
        }
        put(*bytes, i, static_cast<uint32_t>(bits), size);
    }
    return bytes;
}

auto args_of(bool accumulate) {
    return [accumulate](const Operands& operands) {
        return Histogram::Args{operands.input,         operands.output, operands.scratch, operands.count,
                               operands.count_address, accumulate,      operands.part};
    };
}

Result<Workload> prepare(const runtime::Device& device, const Histogram::Desc& histogram, bool equal,
                         const BenchSize& size) {
    WorkloadDesc desc;
    desc.size        = size;
    desc.input       = bench_samples(histogram, size.count, equal);
    desc.output_size = uint64_t{histogram.bins} * 4;
    desc.expected    = [histogram, input = desc.input, count = size.count] {
        return bytes_of(twin_histogram(histogram, input->data(), count));
    };
    return workload_of<Histogram>(device, histogram, desc, args_of(false));
}

BenchDesc bench(const std::string& name, const Histogram::Desc& desc, bool equal = false,
                Peer::Sizes sizes = Peer::Sizes::others, const std::string& variant = {}) {
    return {name_of(desc.type) + " " + name,
            name_of(desc.type),
            size_of(desc.type),
            [=](const runtime::Device& device, const BenchSize& size) { return prepare(device, desc, equal, size); },
            Counting::gpu,
            {"histogram_" + name_of(desc.type), sizes, 0, desc.bins, desc.lower, desc.upper},
            variant};
}

/// A variant: what create() and record() take, other than memory.
struct Variant {
    Histogram::Desc desc;
    bool            accumulate = false;
};

/// "u8 bins=256 range=0,256 accumulate". Numbers are written so that they are read back exactly.
std::string text_of(const Variant& variant) {
    const Histogram::Desc& desc = variant.desc;
    return fmt::format("{} bins={} range={},{}{}", name_of(desc.type), desc.bins, desc.lower, desc.upper,
                       variant.accumulate ? " accumulate" : "");
}

Result<Variant> read_variant(const std::string& text) {
    Variant                        variant;
    const std::vector<std::string> words = words_of(text);
    variant.accumulate                   = words.size() == 4 && words[3] == "accumulate";
    bool found                           = words.size() == 3 || variant.accumulate;
    if (found) {
        found = false;
        for (SampleType type : {SampleType::u8, SampleType::u16, SampleType::u32, SampleType::i32, SampleType::f32}) {
            if (words[0] == name_of(type)) {
                variant.desc.type = type;
                found             = true;
            }
        }
        found = found && std::sscanf(words[1].c_str(), "bins=%u", &variant.desc.bins) == 1;
        found = found && std::sscanf(words[2].c_str(), "range=%lf,%lf", &variant.desc.lower, &variant.desc.upper) == 2;
    }
    if (found) return variant;
    return Error{VK_ERROR_FORMAT_NOT_SUPPORTED,
                 "histogram: no type, bins and range, such as 'u8 bins=256 range=0,256': '" + text + "'"};
}

std::string draw_variant(Random& random) {
    Variant          variant;
    Histogram::Desc& desc = variant.desc;
    desc.type             = static_cast<SampleType>(random.below(5));
    variant.accumulate    = random.below(4) == 0;
    // Mostly bins that fit into shared memory, on some devices or on all.
    constexpr uint32_t most[] = {16, 512, 512, 8192, 8192, 16384, 65536, 1u << 20};
    desc.bins                 = 1 + random.below(most[random.below(8)]);
    if (random.below(4) == 0) desc.bins = 256;
    if (desc.type == SampleType::f32) {
        desc.lower = (random.below(2001) - 1000.0) / 4;
        desc.upper = desc.lower + (1 + random.below(4000)) / 4.0;
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
        const uint32_t value = data == Data::ones ? 1 : i;
        put(bytes, i, desc.type == SampleType::f32 ? bits_of(static_cast<float>(value)) : value, size);
    }
    return bytes;
}

Result<Model> model_of(const std::string& text) {
    const auto read = read_variant(text);
    if (!read) return read.error();
    const Variant variant = *read;
    Model         model;
    model.input_size  = size_of(variant.desc.type);
    model.output_size = [=](uint32_t) { return uint64_t{variant.desc.bins} * 4; };
    model.input       = [=](uint32_t count, Data data, Random random) {
        return samples_of(variant.desc, count, data, random);
    };
    model.expect = [=](const uint8_t* input, uint32_t count, uint8_t* output) {
        std::vector<uint32_t> counts = twin_histogram(variant.desc, input, count);
        auto*                 bins   = reinterpret_cast<uint32_t*>(output);
        for (uint32_t b = 0; b < variant.desc.bins; ++b) bins[b] = counts[b] + (variant.accumulate ? bins[b] : 0);
    };
    return model;
}

Result<Operator> create_operator(const Context& context, const std::string& text) {
    const auto variant = read_variant(text);
    if (!variant) return variant.error();
    auto created = Histogram::create(context, variant->desc);
    if (!created) return created.error();
    return operator_of(std::move(*created), args_of(variant->accumulate));
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
    Variant one = *variant;
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

const Property property{draw_variant, model_of, create_operator, simpler_variants};

Contract contract(const Variant& variant) {
    const bool in_shared_memory = variant.desc.bins <= 4096; // even where a workgroup has only 16 KiB
    Contract   contract;
    contract.variant      = text_of(variant);
    contract.pipelines    = in_shared_memory ? 1 : 2;
    contract.dispatches   = in_shared_memory || variant.accumulate ? 1 : 2;
    contract.barriers     = *contract.dispatches - 1;
    contract.one_pipeline = true;
    contract.one_row      = true;
    contract.knobs        = {
               {"histogram.vectors", 1, 16}, {"histogram.workgroups", 1, 65535, 256}, {"histogram.log2_copies", 0, 5}};
    contract.effect = {"histogram.vectors", 3, HISTOGRAM_VECTORS_ID, 3};
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
      bench("2048 bins", {SampleType::u32, 2048, 0, 2048}), bench("8192 bins", {SampleType::u32, 8192, 0, 8192}),
      bench("65536 bins", {SampleType::u32, 65536, 0, 65536}),
      bench("1048576 bins", {SampleType::u32, 1048576, 0, 1048576}, false, Peer::Sizes::others,
            "u32 bins=1048576 range=0,1048576"),
      bench("1048576 bins, equal", {SampleType::u32, 1048576, 0, 1048576}, true),
      bench("256 bins", {SampleType::f32, 256, 0, 1}), bench("2048 bins", {SampleType::f32, 2048, 0, 1})},
     {{"histogram.vectors", "u8 256 bins", 1u << 28, {1, 2, 4, 6, 8}},
      {"histogram.workgroups", "u8 256 bins", 1u << 28, {32, 64, 132, 264, 528}, {256, 512, 1024}},
      {"histogram.log2_copies", "u8 256 bins", 1u << 28, {0, 1, 2, 3, 4, 5}}},
     property,
     {contract(whole_u32(256, false)), contract(whole_u32(4096, true)), contract(whole_u32(200000, false)),
      contract(whole_u32(200000, true))},
     {{"f32 bins=256 range=0,256", true}, {"u8 bins=256 range=0,256", false}},
     {{"u"}, {"u8 256", "u32 65536"}, {}, {}}});

} // namespace
} // namespace vkprim::harness
