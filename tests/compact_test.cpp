// What is particular to Compact. Its results: verify_test.cpp; its contract: contract_test.cpp.
#include <vkprim/compact.h>
#include <vkprim/segmented_reduce.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "../src/float_bits.h"
#include "support/memory.h"

namespace vkprim::tests {
namespace {

using Keep = Compact::Keep;
using Copy = Compact::Copy;

/// How many of `keys` are kept.
uint32_t kept_of(const Compact& compact, const std::vector<uint32_t>& keys, double lower, double upper) {
    const auto            count = static_cast<uint32_t>(keys.size());
    const runtime::Buffer input = buffer_with(keys), output = buffer_of_zeros(4 + keys.size() * 4),
                          scratch = scratch_of(compact.scratch_size(count));
    Compact::Args args;
    args.keys    = input.address();
    args.kept    = output.address();
    args.output  = output.address() + 4;
    args.scratch = scratch.address();
    args.count   = count;
    args.lower   = lower;
    args.upper   = upper;
    submit([&](runtime::Commands& commands) { compact.record(commands.handle(), args); });
    check_ready(scratch);
    return content_of(output)[0];
}

} // namespace

TEST_CASE("compact: descriptions that make no sense", "[device][contract]") {
    const auto check = [](const Compact::Desc& desc, const std::string& reason) {
        const auto compact = Compact::create(device().context(), desc);
        REQUIRE_FALSE(compact);
        CHECK(compact.error().code == VK_ERROR_FORMAT_NOT_SUPPORTED);
        CHECK(compact.error().reason.find(reason) != std::string::npos);
    };
    check({KeyType::u8, Keep::nonzero, Copy::keys}, "keys of u8 are no elements to copy");
    check({static_cast<KeyType>(5), Keep::nonzero, Copy::indices}, "KeyType");
    check({KeyType::u32, static_cast<Keep>(4), Copy::indices}, "Keep");
    check({KeyType::u8, Keep::run_heads, Copy::indices}, "runs are of keys of 4 or 8 bytes");
    for (Keep keep : {Keep::nonzero, Keep::inside, Keep::outside}) {
        check({KeyType::u64, keep, Copy::indices}, "keys of u64 are compared with each other alone: Keep::run_heads");
    }
    check({KeyType::u32, Keep::nonzero, static_cast<Copy>(3)}, "Copy");
    Compact::Desc desc{KeyType::u8, Keep::nonzero, Copy::indices};
    desc.also_indices = true;
    check(desc, "what Desc::copy has already");
    Compact::Desc no_indices{KeyType::u32, Keep::nonzero, Copy::keys};
    no_indices.indices_end = true;
    check(no_indices, "Desc::indices_end without indices");
}

TEST_CASE("compact: runs of keys are the segments of a reduction by key", "[device][contract]") {
    Compact::Desc desc{KeyType::u32, Keep::run_heads, Copy::keys};
    desc.also_indices = desc.indices_end = true;
    const Compact         compact        = value_of(Compact::create(device().context(), desc));
    const SegmentedReduce reduce         = value_of(SegmentedReduce::create(device().context(), {ElementType::u32}));
    const uint32_t        count          = 100003;
    std::vector<uint32_t> keys(count), values(count), run_keys, offsets, sums;
    uint32_t              end = 0; // of a run; lengths grow from 1 on, and then again
    for (uint32_t i = 0; i < count; ++i) {
        if (i == end) {
            run_keys.push_back(static_cast<uint32_t>(offsets.size()) % 5 * 1000);
            end += 1 + static_cast<uint32_t>(offsets.size()) % 97 * (offsets.size() % 11 == 0 ? 50 : 1);
            offsets.push_back(i);
            sums.push_back(0);
        }
        keys[i]   = run_keys.back();
        values[i] = i * 0x9e3779b9u;
        sums.back() += values[i];
    }
    const auto runs = static_cast<uint32_t>(sums.size());
    offsets.push_back(count);

    const runtime::Buffer input = buffer_with(keys), elements = buffer_with(values), kept = buffer_of_zeros(4),
                          unique = buffer_of_zeros(count * 4), indices = buffer_of_zeros((count + 1) * 4),
                          totals = buffer_of_zeros(count * 4),
                          scratch =
                              scratch_of(std::max(compact.scratch_size(count), reduce.scratch_size({count, count})));
    Compact::Args args;
    args.keys    = input.address();
    args.output  = unique.address();
    args.indices = indices.address();
    args.kept    = kept.address();
    args.scratch = scratch.address();
    args.count   = count;
    SegmentedReduce::Args reduce_args;
    reduce_args.input            = elements.address();
    reduce_args.output           = totals.address();
    reduce_args.offsets          = indices.address();
    reduce_args.scratch          = scratch.address();
    reduce_args.size             = {count, count};
    reduce_args.segments_address = kept.address();
    REQUIRE(compact.validate(args));
    REQUIRE(reduce.validate(reduce_args));
    submit([&](runtime::Commands& commands) {
        compact.record(commands.handle(), args);
        commands.barrier();
        reduce.record(commands.handle(), reduce_args);
    });
    CHECK(content_of(kept)[0] == runs);
    const auto first_of = [](const runtime::Buffer& buffer, size_t size) {
        std::vector<uint32_t> words = content_of(buffer);
        words.resize(size);
        return words;
    };
    CHECK(first_of(unique, runs) == run_keys);
    CHECK(first_of(indices, runs + 1) == offsets);
    CHECK(first_of(totals, runs) == sums);
    check_ready(scratch);
}

TEST_CASE("compact: the ends of ranges", "[device][contract]") {
    std::map<KeyType, std::array<Compact, 2>> compacts; // what is inside, and outside
    for (KeyType key : {KeyType::u32, KeyType::i32, KeyType::f32}) {
        compacts.emplace(
            key, std::array{value_of(Compact::create(device().context(), {key, Keep::inside, Copy::indices})),
                            value_of(Compact::create(device().context(), {key, Keep::outside, Copy::indices}))});
    }
    const auto check = [&](KeyType key, const std::vector<uint32_t>& keys, double lower, double upper,
                           uint32_t inside) {
        CAPTURE(static_cast<uint32_t>(key), lower, upper);
        CHECK(kept_of(compacts.at(key)[0], keys, lower, upper) == inside);
        CHECK(kept_of(compacts.at(key)[1], keys, lower, upper) == keys.size() - inside);
    };
    check(KeyType::u32, {0, 1, 0x7fffffff, 0x80000000, 0xffffffff}, 0, 4294967295.0, 5);
    check(KeyType::u32, {0, 1, 0x7fffffff, 0x80000000, 0xffffffff}, 1, 2147483647.0, 2);
    check(KeyType::u32, {0, 1, 0x7fffffff, 0x80000000, 0xffffffff}, 1, 0, 0); // empty
    check(KeyType::i32, {0, 1, 0x7fffffff, 0x80000000, 0xffffffff}, -2147483648.0, 2147483647.0, 5);
    check(KeyType::i32, {0, 1, 0x7fffffff, 0x80000000, 0xffffffff}, -2147483648.0, -1, 2);
    // Ends that are no values of the type.
    constexpr double beyond = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    check(KeyType::u32, {0, 1, 0x7fffffff, 0x80000000, 0xffffffff}, 0.5, 4294967296.0, 4);
    check(KeyType::u32, {0, 1, 0x7fffffff, 0x80000000, 0xffffffff}, -beyond, -1, 0);
    check(KeyType::i32, {0, 1, 0x7fffffff, 0x80000000, 0xffffffff}, 0, beyond, 3);
    check(KeyType::i32, {0, 1, 0x7fffffff, 0x80000000, 0xffffffff}, 2147483648.0, beyond, 0);
    check(KeyType::f32, {bits_of(1.0f), 0x7fc00000, 0xffc00000}, -beyond, nan, 0);
    check(KeyType::f32, {bits_of(1.0f), 0x7fc00000, 0xffc00000}, -nan, beyond, 0);
    check(KeyType::f32, {bits_of(1.0f), 0x7f800000, 0x7f7fffff}, 1e300, 1e301, 1);

    constexpr double            infinity = std::numeric_limits<double>::infinity();
    const std::vector<uint32_t> floats   = {bits_of(0.0f),  bits_of(-0.0f), bits_of(1.0f),
                                            bits_of(-1.0f), 0x7f800000,     0xff800000,
                                            0x7fc00000,     0xffc00000,     1,
                                            0x80000001,     bits_of(1e38f), bits_of(-1e38f)};
    check(KeyType::f32, floats, -infinity, infinity, 10); // all but NaN
    check(KeyType::f32, floats, 0, 0, 2);
    check(KeyType::f32, floats, -0.0, 1, 4);
    check(KeyType::f32, floats, -1, -0.0, 4);
    check(KeyType::f32, floats, 1, infinity, 3);
    check(KeyType::f32, floats, infinity, -infinity, 0);

    // Beyond the largest float, whose last place is 2^104, the border to infinity is half of that away.
    const std::vector<uint32_t> largest = {0x7f7fffff, 0x7f800000, 0xff7fffff, 0xff800000, 0x7fc00000};
    constexpr double            border  = std::numeric_limits<float>::max() + 0x1p103;
    check(KeyType::f32, largest, -3.4028235e38, 3.4028235e38, 2);
    check(KeyType::f32, largest, -std::nextafter(border, 0), std::nextafter(border, 0), 2);
    check(KeyType::f32, largest, -border, border, 4);
    check(KeyType::f32, largest, 3.4028235e38, infinity, 2);
    check(KeyType::f32, largest, border, infinity, 1);
}

} // namespace vkprim::tests
