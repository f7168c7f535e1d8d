// What is particular to Histogram. Its results: verify_test.cpp; its contract: contract_test.cpp.
#include <vkprim/histogram.h>

#include <cmath>
#include <limits>

#include "../shaders/histogram/histogram_push.h"
#include "harness/harness.h"
#include "harness/references.h"
#include "support/memory.h"
#include "support/spy.h"
#include "support/wild_offsets.h"

namespace vkprim::tests {
namespace {

constexpr double whole_u32 = 4294967296.0;

/// Counts `samples` with a single workgroup for each range of bins.
void check_ranges(uint32_t bins, const std::vector<uint32_t>& samples, const Profile& profile) {
    const Histogram::Desc desc{SampleType::u32, bins, 0, double(bins)};
    Spy                   spy(device().context());
    Context               context = spy.context();
    context.profile               = &profile;
    spy.edit_properties           = [](VkPhysicalDeviceProperties2& p) {
        p.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU; // software does without ranges
    };
    const auto histogram = value_of(Histogram::create(context, desc));
    if (spy.calls(Spy::CreateComputePipelines) < 3) {
        WARN("this device has shared memory for " << bins << " bins, or too little for ranges of them");
        return;
    }
    const auto            count = static_cast<uint32_t>(samples.size());
    const runtime::Buffer input = buffer_with(samples), counts = buffer_of_zeros(bins * 4);
    const runtime::Buffer words  = scratch_of(scratch_size_of(histogram, count));
    const auto            record = [&](runtime::Commands& commands) {
        histogram.record(commands.handle(), {input.address(), counts.address(), words.address(), count, 0, true});
    };
    spy.workgroups = spy.last_constants.at(HISTOGRAM_RANGES_ID);
    submit(record);
    check_same(content_of(counts), harness::reference_histogram(desc, samples.data(), count));
    check_ready(words);
}

void check_refused(const Histogram::Desc& desc, const std::string& word) {
    CAPTURE(desc.bins, desc.lower, desc.upper);
    check_error(Histogram::create(device().context(), desc), ErrorKind::invalid_desc, word);
}

} // namespace

// A counter of 16 bits must hand over in time what it cannot hold, the low one of a word as well as the high one.
TEST_CASE("histogram: counters of 16 bits do not overflow", "[device][contract]") {
    constexpr uint32_t bins = 13000, count = 70 * bins;
    for (uint32_t bin : {0u, 5001u, 12999u}) {
        CAPTURE(bin);
        check_ranges(bins, std::vector<uint32_t>(count, bin), profile_of_device());
    }
    std::vector<uint32_t> pairs(count);
    for (uint32_t i = 0; i < count; ++i) pairs[i] = 7000 + i % 2;
    for (uint32_t vectors : {1u, 3u, 16u}) {
        CAPTURE(vectors);
        Profile profile                     = profile_of_device();
        profile.values["histogram.vectors"] = vectors;
        check_ranges(bins, pairs, profile);
    }
}

TEST_CASE("histogram: workgroups and log2_copies of a profile", "[device][contract]") {
    Spy spy(device().context());
    spy.forwards_commands = false;
    spy.edit_properties   = [](VkPhysicalDeviceProperties2& p) {
        p.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU; // software takes no few workgroups
    };
    Profile profile       = profile_of_device();
    Context context       = spy.context();
    context.profile       = &profile;
    const auto workgroups = [&](uint32_t bins) {
        const auto      histogram = value_of(Histogram::create(context, {SampleType::u32, bins, 0, whole_u32}));
        Histogram::Args args;
        args.input   = 1ull << 40;
        args.counts  = 2ull << 40;
        args.scratch = 3ull << 40;
        args.count   = 1u << 30;
        histogram.record(reinterpret_cast<VkCommandBuffer>(uintptr_t{0x40000}), args);
        return spy.last_grid[0];
    };
    const uint32_t without_shared_memory = workgroups(1u << 20);
    for (uint32_t most : {1u, 7u, 5000u}) {
        profile.values["histogram.workgroups"] = most;
        CHECK(workgroups(256) == most);
        CHECK(workgroups(1u << 20) == without_shared_memory);
    }
    for (uint32_t log2_copies : {0u, 1u, 3u}) {
        profile.values["histogram.log2_copies"] = log2_copies;
        value_of(Histogram::create(context, {SampleType::u8, 256, 0, 256}));
        CHECK(spy.last_constants.at(HISTOGRAM_COPIES_ID) == 1u << log2_copies);
    }
}

TEST_CASE("histogram: bins and ranges that are refused", "[device][contract]") {
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    check_refused({static_cast<SampleType>(6), 256, 0, 256}, "SampleType");
    check_refused({SampleType::u8, 0, 0, 256}, "bins");
    check_refused({SampleType::u8, (1u << 20) + 1, 0, 256}, "2^20");
    for (SampleType type : {SampleType::u8, SampleType::u16, SampleType::u32, SampleType::i32, SampleType::f32}) {
        check_refused({type, 256, 10, 10}, "empty");
        check_refused({type, 256, 11, 10}, "empty");
        check_refused({type, 256, nan, 10}, "finite");
        check_refused({type, 256, 0, nan}, "finite");
        check_refused({type, 256, 0, infinity}, "finite");
        check_refused({type, 256, -infinity, 10}, "finite");
        if (type == SampleType::f32) continue;
        check_refused({type, 256, 0.5, 10}, "whole");
        check_refused({type, 256, 0, 10.5}, "whole");
    }
    check_refused({SampleType::u8, 256, -1, 10}, "0 to 256");
    check_refused({SampleType::u8, 256, 0, 257}, "0 to 256");
    check_refused({SampleType::u16, 256, 0, 65537}, "0 to 65536");
    check_refused({SampleType::u32, 256, 0, whole_u32 + 1}, "0 to 4294967296");
    check_refused({SampleType::i32, 256, -2147483649.0, 0}, "-2147483648");
    check_refused({SampleType::i32, 256, 0, 2147483649.0}, "2147483648");
    check_refused({SampleType::f32, 256, 1.0, 1.00000001}, "single precision");
    check_refused({SampleType::f32, 256, -3e38, 3e38}, "single precision");
    check_refused({SampleType::f32, 256, 0, 1e300}, "single precision");
    check_refused({SampleType::f32, 256, 0, 1e-44}, "single precision");
    check_refused({SampleType::f64, 256, 10, 10}, "empty");
    check_refused({SampleType::f64, 256, -1e308, 1e308}, "double precision");
    check_refused({SampleType::f64, 256, 0, 1e-322}, "double precision");
    check_refused({SampleType::u8, 256, 0, 256, 0}, "channels");
    check_refused({SampleType::u8, 256, 0, 256, 5}, "1 to 4");
    check_refused({SampleType::u8, 256, 0, 256, 3, 4}, "counted_channels is 4, but there are 3");
    check_refused({SampleType::u8, 1u << 19, 0, 256, 4, 3}, "2^20");
    check_refused({SampleType::u8, 256, 0, 256, 1, 0, static_cast<Weights>(3)}, "Weights");
    Histogram::Desc desc;
    desc.segments = static_cast<SegmentLayout>(3);
    check_refused(desc, "Desc::segments is not a SegmentLayout");
}

TEST_CASE("histogram: f64 without shaderFloat64", "[device][contract]") {
    Context context                 = device().context();
    context.features.shader_float64 = false;
    check_error(Histogram::create(context, {SampleType::f64, 256, 0, 1}), ErrorKind::unsupported_device,
                "shaderFloat64");
}

namespace {

/// Counts with a table of levels that nobody may trust; the counts, and what lies around them.
void check_bad_levels(uint32_t bins, const std::vector<uint32_t>& levels) {
    constexpr uint32_t count = 10000, guard = 64, garbage = 0xabababab;
    Histogram::Desc    desc{SampleType::u32, bins};
    desc.levels                     = true;
    const auto            histogram = value_of(Histogram::create(device().context(), desc));
    std::vector<uint32_t> samples(count);
    harness::Random       random(bins);
    for (uint32_t& sample : samples) sample = static_cast<uint32_t>(random.next() >> 32) >> random.below(32);
    const runtime::Buffer input = buffer_with(samples), table = buffer_with(levels);
    const runtime::Buffer output = buffer_with(std::vector<uint32_t>(bins + 2 * guard, garbage));
    const runtime::Buffer words  = scratch_of(scratch_size_of(histogram, count));
    Histogram::Args       args;
    args.input   = input.address();
    args.counts  = output.address() + guard * 4;
    args.scratch = words.address();
    args.count   = count;
    args.levels  = table.address();
    submit([&](runtime::Commands& commands) { histogram.record(commands.handle(), args); });
    const std::vector<uint32_t> got = content_of(output);
    uint64_t                    sum = 0;
    for (uint32_t i = 0; i < got.size(); ++i) {
        if (i >= guard && i < guard + bins) {
            sum += got[i];
        } else {
            CHECK(got[i] == garbage);
        }
    }
    CHECK(sum <= count);
    check_ready(words);
}

} // namespace

TEST_CASE("histogram: levels that do not ascend", "[device][contract]") {
    for (uint32_t bins : {1u, 7u, 256u, 20000u}) {
        CAPTURE(bins);
        std::vector<uint32_t> falling(bins + 1), random(bins + 1);
        harness::Random       numbers(bins);
        for (uint32_t l = 0; l <= bins; ++l) {
            falling[l] = (bins - l) * 1000;
            random[l]  = static_cast<uint32_t>(numbers.next() >> 32);
        }
        check_bad_levels(bins, falling);
        check_bad_levels(bins, random);
        check_bad_levels(bins, std::vector<uint32_t>(bins + 1, 0));
        check_bad_levels(bins, std::vector<uint32_t>(bins + 1, ~0u));
    }
}

// One pixel with a weight of its own, so that nothing can be taken for something else.
TEST_CASE("histogram: one sample's place in counts and weights", "[device][contract]") {
    constexpr uint32_t pixels = 1000, channels = 3, bins = 16;
    Histogram::Desc    desc{SampleType::u8, bins, 0, 256, channels};
    desc.weights         = Weights::i32;
    desc.wide            = true;
    const auto histogram = value_of(Histogram::create(device().context(), desc));
    const auto words     = scratch_of(scratch_size_of(histogram, pixels * channels));
    for (uint32_t pixel : {0u, 1u, 5u, 500u, 999u}) {
        CAPTURE(pixel);
        std::vector<uint32_t> weights(pixels);
        weights[pixel] = 0xfffffffeu; // -2
        std::vector<uint32_t> samples(pixels * channels / 4);
        for (uint32_t c = 0; c < channels; ++c) {
            const uint32_t at = pixel * channels + c;
            samples[at / 4] |= (c + 1) * 16 << at % 4 * 8;
        }
        const runtime::Buffer input = buffer_with(samples), table = buffer_with(weights);
        const runtime::Buffer output = buffer_with(std::vector<uint32_t>(2 * channels * bins, 0x77777777u));
        Histogram::Args       args;
        args.input   = input.address();
        args.counts  = output.address();
        args.scratch = words.address();
        args.count   = pixels * channels;
        args.weights = table.address();
        submit([&](runtime::Commands& commands) { histogram.record(commands.handle(), args); });
        std::vector<uint32_t> expected(2 * channels * bins);
        for (uint32_t c = 0; c < channels; ++c) {
            expected[2 * (c * bins + c + 1)]     = 0xfffffffeu;
            expected[2 * (c * bins + c + 1) + 1] = 0xffffffffu;
        }
        check_same(content_of(output), expected);
    }
}

TEST_CASE("histogram: the largest and smallest that are taken", "[device][contract]") {
    for (const Histogram::Desc& desc :
         {Histogram::Desc{SampleType::u8, 1, 0, 256}, Histogram::Desc{SampleType::u8, 1u << 20, 255, 256},
          Histogram::Desc{SampleType::u16, 65536, 0, 65536}, Histogram::Desc{SampleType::u32, 1u << 20, 0, whole_u32},
          Histogram::Desc{SampleType::i32, 3, -2147483648.0, 2147483648.0},
          Histogram::Desc{SampleType::f32, 256, -1e38, 1e38}}) {
        const auto histogram = value_of(Histogram::create(device().context(), desc));
        CHECK(scratch_size_of(histogram, 0) == scratch_size_of(histogram, 0xffffffffu));
    }
    value_of(Histogram::create(device().context(), {SampleType::u8, 1u << 18, 0, 256, 4}));
    // What is in lower and upper has no say beside levels.
    Histogram::Desc levels{SampleType::u8, 10, 5, 5};
    levels.levels = true;
    value_of(Histogram::create(device().context(), levels));
}

TEST_CASE("histogram: its counters fit into shared memory", "[device][contract]") {
    for (uint32_t size : {16384u, 32768u, 49152u}) {
        for (uint32_t bins : {1u, 3u, 256u, 1000u, 4096u, 4097u, 8192u, 8193u, 12288u, 12289u, 1u << 20}) {
            CAPTURE(size, bins);
            Spy spy(device().context());
            // So that nothing is made on a device that has less.
            const uint32_t available = std::min(size, device().info().shared_memory_size);
            spy.edit_properties      = [=](VkPhysicalDeviceProperties2& p) {
                p.properties.limits.maxComputeSharedMemorySize = available;
            };
            value_of(Histogram::create(spy.context(), {SampleType::u32, bins, 0, whole_u32}));
            const bool     in_shared_memory = (bins + 1) * 4 <= available; // one for samples outside the range
            const bool     in_ranges        = !in_shared_memory && spy.last_constants.at(HISTOGRAM_RANGES_ID) > 0;
            const uint32_t made = spy.calls(Spy::CreateComputePipelines); // NVIDIA GPUs have another for few samples
            CHECK((in_shared_memory ? made == 1 || (made == 2 && bins <= 2048) : made == (in_ranges ? 3u : 2u)));
            if (in_ranges) {
                const uint32_t range = spy.last_constants.at(HISTOGRAM_RANGE_ID);
                CHECK(range * 2 + 32 * 4 <= available);
                CHECK(uint64_t{range} * spy.last_constants.at(HISTOGRAM_RANGES_ID) >= bins);
            }
            if (!in_shared_memory) continue;
            CHECK(spy.last_constants.at(HISTOGRAM_BINS_ID) == bins);
            CHECK(spy.last_constants.at(HISTOGRAM_COPIES_ID) >= 1);
            CHECK((bins + 1) * spy.last_constants.at(HISTOGRAM_COPIES_ID) * 4 <= available);
        }
    }
}

TEST_CASE("histogram: counters of two words and levels fit into shared memory", "[device][contract]") {
    for (uint32_t size : {16384u, 32768u}) {
        for (uint32_t bins : {1u, 256u, 1364u, 1365u, 2046u, 2047u, 2048u, 4095u, 8191u}) {
            for (bool levels : {false, true}) {
                CAPTURE(size, bins, levels);
                Spy spy(device().context());
                spy.edit_properties = [=](VkPhysicalDeviceProperties2& p) {
                    p.properties.limits.maxComputeSharedMemorySize = size;
                };
                Histogram::Desc desc{SampleType::u32, bins, 0, whole_u32};
                desc.weights = Weights::u32;
                desc.wide    = true;
                desc.levels  = levels;
                value_of(Histogram::create(spy.context(), desc));
                const uint32_t table = (levels ? bins + 1 : 1) * 4, one_copy = (bins + 1) * 8;
                const bool     fits = one_copy + table <= size;
                const uint32_t made = spy.calls(Spy::CreateComputePipelines);
                CHECK((fits ? made == 1 || (made == 2 && bins <= 2048) : made == 2));
                if (fits) CHECK(one_copy * spy.last_constants.at(HISTOGRAM_COPIES_ID) + table <= size);
            }
        }
    }
}

namespace {

Histogram::Desc rows_of_u32(uint32_t bins) {
    Histogram::Desc desc{SampleType::u32, bins, 0, static_cast<double>(bins)};
    desc.segments = SegmentLayout::rows;
    return desc;
}

} // namespace

TEST_CASE("histogram: more rows than a row of the grid has workgroups", "[device][contract]") {
    constexpr uint32_t    rows = 70001, count = 3, bins = 4;
    const auto            histogram = value_of(Histogram::create(device().context(), rows_of_u32(bins)));
    std::vector<uint32_t> samples(rows * count), expected(rows * bins);
    for (uint32_t i = 0; i < samples.size(); ++i) {
        samples[i] = i / count % 3 * (i % count);
        if (samples[i] < bins) ++expected[i / count * bins + samples[i]];
    }
    const runtime::Buffer input = buffer_with(samples), output = buffer_of_zeros(rows * bins * 4);
    const runtime::Buffer words = scratch_of(scratch_size_of(histogram, {count, rows}));
    Histogram::Args       args;
    args.input          = input.address();
    args.counts         = output.address();
    args.scratch        = words.address();
    args.count          = count;
    args.segments.count = rows;
    submit([&](runtime::Commands& commands) { histogram.record(commands.handle(), args); });
    check_same(content_of(output), expected);
}

// Without so much memory: of three rows, the last alone is counted, which is a part of its own.
TEST_CASE("histogram: a row more than 4 GiB behind the first", "[device][contract]") {
    for (uint32_t bins : {256u, 20000u}) {
        CAPTURE(bins);
        constexpr uint32_t    count = 1000, pitch = 0x90000000;
        const auto            histogram = value_of(Histogram::create(device().context(), rows_of_u32(bins)));
        std::vector<uint32_t> samples(count), expected(bins);
        for (uint32_t i = 0; i < count; ++i) ++expected[samples[i] = i * i % bins];
        std::vector<uint32_t> content = samples;
        content.resize(count + 3 * bins);
        const runtime::Buffer memory = buffer_with(content);
        const runtime::Buffer words  = scratch_of(scratch_size_of(histogram, {count, 3}));
        if (memory.address() < 2ull * pitch) {
            WARN("the device's addresses are below 4 GiB");
            continue;
        }
        Histogram::Args args;
        args.input          = memory.address() - 2ull * pitch;
        args.counts         = memory.address() + count * 4;
        args.scratch        = words.address();
        args.count          = count;
        args.segments.count = 3;
        args.segments.pitch = pitch;
        args.part           = {2, 3};
        submit([&](runtime::Commands& commands) { histogram.record(commands.handle(), args); });
        std::copy(expected.begin(), expected.end(), content.end() - bins);
        check_same(content_of(memory), content);
    }
}

TEST_CASE("histogram: dispatches and workgroups of rows", "[device][contract]") {
    const bool on_cpu = device().info().type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    for (bool software : {false, true}) {
        if (software && !on_cpu) continue;
        CAPTURE(software);
        Spy spy(device().context());
        spy.forwards_commands = false;
        if (!software) {
            spy.edit_properties = [](VkPhysicalDeviceProperties2& p) {
                p.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
            };
        }
        const auto record = [&](const Histogram& histogram, uint32_t count, uint32_t rows) {
            Histogram::Args args;
            args.input          = 1ull << 40;
            args.counts         = 2ull << 50;
            args.scratch        = 3ull << 50;
            args.count          = count;
            args.segments.count = rows;
            spy.forget_calls();
            spy.last_grid = {};
            histogram.record(reinterpret_cast<VkCommandBuffer>(uintptr_t{0x40000}), args);
            return uint64_t{spy.last_grid[0]} * spy.last_grid[1];
        };
        const auto     all  = value_of(Histogram::create(spy.context(), {SampleType::u32, 256, 0, 256}));
        const auto     rows = value_of(Histogram::create(spy.context(), rows_of_u32(256)));
        const uint64_t one  = record(all, 1u << 30, 1);
        CHECK(record(rows, 1u << 26, 1) == one);
        CHECK(record(rows, 1u << 26, 4) == 4 * one); // as often, so that none is idle for long
        CHECK(record(rows, 1u << 20, 3) > 3);
        CHECK(record(rows, 1000, 3) == 3); // short rows take one each
        CHECK(record(rows, 1u << 14, 3) == 3);
        CHECK(record(rows, 1000, 65535) == 65535);
        const uint64_t million = record(rows, 1000, 1000000);
        CHECK(million >= 1000000);
        CHECK(million < 1000000 + 65535);
        CHECK(spy.calls(Spy::CmdDispatch) == 1);
        // Of many rows, each has one, unless one of a CPU driver would have more than 65535 rounds of a loop.
        CHECK(record(rows, 1u << 16, 60000) == 60000);
        const uint64_t of_long = record(rows, 1u << 25, 1000);
        CHECK((software ? of_long >= 5000 : of_long == 1000));
        CHECK(record(rows, 1000, 0) == 0);
        CHECK(spy.all_calls() == 0);
        record(rows, 0, 10); // writes zeros
        CHECK(spy.calls(Spy::CmdDispatch) == 1);
        CHECK(spy.calls(Spy::CmdPipelineBarrier) == 0);
        const auto many = value_of(Histogram::create(spy.context(), rows_of_u32(1u << 20)));
        record(many, 1000, 5);
        CHECK(spy.calls(Spy::CmdDispatch) == 2);
        CHECK(spy.calls(Spy::CmdPipelineBarrier) == 1);
    }
}

TEST_CASE("histogram: scratch of rows", "[device][contract]") {
    for (uint32_t bins : {1u, 256u, 4000u, 1u << 20}) {
        const auto histogram = value_of(Histogram::create(device().context(), rows_of_u32(bins)));
        const auto one       = value_of(Histogram::create(device().context(), {SampleType::u32, bins, 0, whole_u32}));
        CHECK(scratch_size_of(histogram, UINT32_MAX) == scratch_size_of(one, UINT32_MAX));
        constexpr uint32_t sizes[] = {0, 1, 2, 5, 100, 1000, 1u << 14, (1u << 14) + 1, 1u << 17, 1u << 20, 1u << 28};
        for (size_t i = 1; i < std::size(sizes); ++i) {
            for (uint32_t other : sizes) {
                CAPTURE(bins, sizes[i], other);
                CHECK(scratch_size_of(histogram, {sizes[i - 1], other}) <=
                      scratch_size_of(histogram, {sizes[i], other}));
                CHECK(scratch_size_of(histogram, {other, sizes[i - 1]}) <=
                      scratch_size_of(histogram, {other, sizes[i]}));
            }
        }
        // No row shorter than that has several workgroups.
        CHECK(scratch_size_of(histogram, {1u << 14, 1000000}) == scratch_size_of(histogram, {0, 0}));
    }
}

namespace {

Histogram::Desc segments_of_u32(uint32_t bins) {
    Histogram::Desc desc{SampleType::u32, bins, 0, static_cast<double>(bins)};
    desc.segments = SegmentLayout::offsets;
    return desc;
}

} // namespace

// What is read and written stays within bounds, which the guard words see; results are undefined.
TEST_CASE("histogram: offsets that descend, or lie beyond the input", "[device][contract]") {
    for (uint32_t bins : {4u, 20000u}) {
        const uint32_t  count = 20000, segments = bins == 4 ? 6000 : 50, guard = 64, garbage = 0xabababab;
        Histogram::Desc desc                  = segments_of_u32(bins);
        desc.weights                          = Weights::u32;
        const auto                  histogram = value_of(Histogram::create(device().context(), desc));
        const std::vector<uint32_t> ones(2 * count, 1); // also the weights
        harness::Random             random(5);
        for (int round = 0; round < wild_rounds; ++round) {
            CAPTURE(bins, round);
            const std::vector<uint32_t> offsets = wild_offsets(round, segments, count, random);
            const runtime::Buffer       input = buffer_with(ones), where = buffer_with(offsets);
            const runtime::Buffer output  = buffer_with(std::vector<uint32_t>(segments * bins + 2 * guard, garbage));
            const runtime::Buffer scratch = scratch_of(scratch_size_of(histogram, {count, segments}));
            Histogram::Args       args;
            args.input            = input.address();
            args.counts           = output.address() + guard * 4;
            args.scratch          = scratch.address();
            args.count            = count;
            args.weights          = input.address() + count * 4;
            args.segments.count   = segments;
            args.segments.offsets = where.address();
            submit([&](runtime::Commands& commands) { histogram.record(commands.handle(), args); });
            const std::vector<uint32_t> words = content_of(output);
            for (uint32_t i = 0; i < guard; ++i) {
                CHECK((words[i] == garbage && words[guard + segments * bins + i] == garbage));
            }
            CHECK(content_of(input) == ones);
            check_ready(scratch);
            if (round != 5) continue;
            // These ascend: the last ones are cut to the input's end.
            for (uint32_t s = 0; s < segments; ++s) {
                const uint32_t expected = s * 4 < count ? 4 : 0;
                if (words[guard + s * bins + 1] != expected) FAIL("segment " << s << ": " << words[guard + s * bins]);
            }
        }
    }
}

// Without so much memory: only the last segment has samples.
TEST_CASE("histogram: counts more than 4 GiB behind the first", "[device][contract]") {
    for (uint32_t count : {100u, 300000u}) { // one by one, and in shared memory
        constexpr uint32_t    bins = 4000, segments = 400000;
        const auto            histogram = value_of(Histogram::create(device().context(), segments_of_u32(bins)));
        std::vector<uint32_t> samples(count), expected(bins, 5), offsets(segments, 0);
        for (uint32_t i = 0; i < count; ++i) ++expected[samples[i] = i * i % bins];
        offsets.push_back(count);
        const runtime::Buffer input = buffer_with(samples), where = buffer_with(offsets);
        const runtime::Buffer output    = buffer_with(std::vector<uint32_t>(bins, 5));
        const runtime::Buffer scratch   = scratch_of(scratch_size_of(histogram, {count, segments}));
        const VkDeviceSize    to_output = VkDeviceSize{segments - 1} * bins * 4;
        if (output.address() < to_output) {
            WARN("the device's addresses are below 4 GiB");
            continue;
        }
        Histogram::Args args;
        args.input            = input.address();
        args.counts           = output.address() - to_output;
        args.scratch          = scratch.address();
        args.count            = count;
        args.accumulate       = true;
        args.segments.count   = segments;
        args.segments.offsets = where.address();
        submit([&](runtime::Commands& commands) { histogram.record(commands.handle(), args); });
        check_same(content_of(output), expected);
    }
}

TEST_CASE("histogram: dispatches and workgroups of segments", "[device][contract]") {
    Spy spy(device().context());
    spy.forwards_commands = false;
    spy.edit_properties   = [](VkPhysicalDeviceProperties2& p) {
        p.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    };
    for (uint32_t bins : {256u, 1u << 20}) {
        CAPTURE(bins);
        const auto histogram  = value_of(Histogram::create(spy.context(), segments_of_u32(bins)));
        const auto workgroups = [&](uint32_t count, uint32_t segments, Part part = {}, bool accumulate = false) {
            Histogram::Args args;
            args.input            = 1ull << 40;
            args.counts           = 2ull << 50;
            args.scratch          = 3ull << 50;
            args.segments.offsets = 4ull << 50;
            args.count            = count;
            args.segments.count   = segments;
            args.part             = part;
            args.accumulate       = accumulate;
            spy.forget_calls();
            spy.last_grid = {};
            histogram.record(reinterpret_cast<VkCommandBuffer>(uintptr_t{0x40000}), args);
            return uint64_t{spy.last_grid[0]} * spy.last_grid[1];
        };
        // Of all, the same number counts the same samples in segments of any length, but for what each costs beside its samples.
        const uint64_t one = workgroups(1u << 28, 1);
        CHECK(one >= 256);
        CHECK(spy.calls(Spy::CmdDispatch) == 2);
        CHECK(spy.calls(Spy::CmdPipelineBarrier) == 1);
        CHECK(workgroups(1u << 28, 1000) <= one + 1);
        CHECK(workgroups(0, 1) == 1);
        workgroups(1000, 10, {}, true);
        CHECK(spy.calls(Spy::CmdDispatch) == 1);
        CHECK(spy.calls(Spy::CmdPipelineBarrier) == 0);
        CHECK(workgroups(1000, 0) == 0);
        CHECK(spy.all_calls() == 0);
        // Only the first part zeroes the counts.
        const uint64_t first = workgroups(1u << 28, 10, {0, 3});
        CHECK(spy.calls(Spy::CmdDispatch) == 2);
        const uint64_t rest = workgroups(1u << 28, 10, {1, 3}) + workgroups(1u << 28, 10, {2, 3});
        CHECK(spy.calls(Spy::CmdDispatch) == 1);
        CHECK(first + rest == workgroups(1u << 28, 10));
    }
}

TEST_CASE("histogram: counters, levels and what segments take fit into shared memory", "[device][contract]") {
    for (uint32_t size : {16384u, 32768u}) {
        for (uint32_t bins : {1u, 256u, 1364u, 2047u, 4092u, 4093u, 8188u, 8189u, 8191u}) {
            for (bool levels : {false, true}) {
                CAPTURE(size, bins, levels);
                Spy spy(device().context());
                spy.edit_properties = [=](VkPhysicalDeviceProperties2& p) {
                    p.properties.limits.maxComputeSharedMemorySize = size;
                };
                Histogram::Desc desc = segments_of_u32(bins);
                desc.levels          = levels;
                value_of(Histogram::create(spy.context(), desc));
                CHECK(spy.calls(Spy::CreateComputePipelines) == 2);
                const uint32_t others = (levels ? bins + 1 : 1) * 4 + 8;
                const uint32_t copies = spy.last_constants.at(HISTOGRAM_COPIES_ID);
                CHECK((copies > 0) == ((bins + 1) * 4 + others <= size));
                if (copies > 0) CHECK((bins + 1) * 4 * copies + others <= size);
            }
        }
    }
}

} // namespace vkprim::tests
