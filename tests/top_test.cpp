// What is particular to Top. Its results: verify_test.cpp.
#include <vkprim/top.h>

#include "../src/float_bits.h"
#include "harness/harness.h"
#include "support/memory.h"
#include "support/spy.h"

namespace vkprim::tests {
namespace {

/// What a Top::Args says of sizes.
struct TopSize {
    uint32_t     count = 0, wanted = 0, rows = 1;
    VkDeviceSize pitch = 0;

    void put_into(Top::Args& args) const {
        args.count          = count;
        args.wanted         = wanted;
        args.segments.count = rows;
        args.segments.pitch = pitch;
    }
};

VkDeviceSize temporary_size_of(const Top& top, const TopSize& size) {
    Top::Args args;
    size.put_into(args);
    return top.temporary_size(args);
}

/// Addresses that nothing is at, for commands that are never submitted.
Top::Args top_nowhere(const TopSize& size) {
    Top::Args args;
    args.keys           = 1ull << 40;
    args.output_keys    = 2ull << 40;
    args.output_indices = 3ull << 40;
    args.temporary      = 4ull << 40;
    size.put_into(args);
    return args;
}

/// What is found, and behind it the indices; both began as ones.
std::vector<uint32_t> found(const Top& top, const std::vector<uint32_t>& keys, const TopSize& size) {
    const uint64_t        all   = uint64_t{size.rows} * size.wanted;
    const runtime::Buffer input = buffer_with(keys), output = buffer_with(std::vector<uint32_t>(2 * all, 1)),
                          temporary = buffer_of_zeros(std::max<VkDeviceSize>(temporary_size_of(top, size), 16));
    Top::Args args;
    args.keys           = input.address();
    args.output_keys    = output.address();
    args.output_indices = output.address() + all * 4;
    args.temporary      = temporary.address();
    size.put_into(args);
    require(top.validate(args));
    submit([&](runtime::Commands& commands) { top.record(commands.handle(), args); });
    return content_of(output);
}

} // namespace

TEST_CASE("top: NaN is the largest, and equal keys come by their index", "[device][contract]") {
    const uint32_t nan = 0x7fc00000u, negative_nan = 0xffc00000u, infinity = 0x7f800000u;
    for (uint32_t count : {16u, 100000u}) { // in one dispatch, and in several
        std::vector<uint32_t> keys(count, bits_of(1.0f));
        keys[3]                 = nan;
        keys[5]                 = negative_nan;
        keys[7]                 = bits_of(-0.0f);
        keys[9]                 = 0;
        keys[11]                = infinity;
        keys[count - 3]         = nan;
        const Top      largest  = value_of(Top::create(device().context(), {ElementType::f32, true}));
        const Top      smallest = value_of(Top::create(device().context(), {ElementType::f32, false}));
        const uint32_t one      = bits_of(1.0f);
        CAPTURE(count);
        check_same(found(largest, keys, {count, 6}),
                   {negative_nan, nan, nan, infinity, one, one, 5, 3, count - 3, 11, 0, 1});
        check_same(found(smallest, keys, {count, 5}), {bits_of(-0.0f), 0, one, one, one, 7, 9, 0, 1, 2});
    }
}

TEST_CASE("top: of fewer keys than wanted, nothing else is written", "[device][contract]") {
    const Top top = value_of(Top::create(device().context(), {ElementType::u32, true}));
    check_same(found(top, {4, 6, 5}, {3, 5}), {6, 5, 4, 1, 1, 1, 2, 0, 1, 1});
    // In several dispatches, and one row behind the other.
    const uint32_t        count = 40000, wanted = 50000;
    std::vector<uint32_t> keys(2 * count), expected(4 * wanted, 1);
    for (uint32_t i = 0; i < 2 * count; ++i) keys[i] = i;
    for (uint32_t i = 0; i < count; ++i) {
        expected[i]              = count - 1 - i;
        expected[wanted + i]     = 2 * count - 1 - i;
        expected[2 * wanted + i] = expected[3 * wanted + i] = count - 1 - i;
    }
    check_same(found(top, keys, {count, wanted, 2}), expected);
}

TEST_CASE("top: the n-th of more than can be listed, and of fewer keys", "[device][contract]") {
    const Top             top   = value_of(Top::create(device().context(), {ElementType::u32, false, true}));
    const uint32_t        count = 1u << 21, step = 1234567; // odd, so every key is there once
    std::vector<uint32_t> keys(count);
    for (uint32_t i = 0; i < count; ++i) keys[i] = i * step % count;
    for (uint32_t n : {1u, Top::most_wanted + 1, count, UINT32_MAX}) {
        CAPTURE(n);
        const runtime::Buffer input = buffer_with(keys), output = buffer_of_zeros(12),
                              temporary = buffer_of_zeros(temporary_size_of(top, {count, n}));
        Top::Args args;
        args.keys           = input.address();
        args.output_keys    = output.address();
        args.output_indices = output.address() + 4;
        args.temporary      = temporary.address();
        TopSize{count, n}.put_into(args);
        require(top.validate(args));
        submit([&](runtime::Commands& commands) { top.record(commands.handle(), args); });
        const std::vector<uint32_t> found = content_of(output);
        CHECK(found[0] == std::min(n, count) - 1);
        CHECK(keys[found[1]] == found[0]);
        CHECK(found[2] == 0);
    }
}

TEST_CASE("top: descriptions that make no sense", "[device][contract]") {
    check_error(Top::create(device().context(), {static_cast<ElementType>(11)}), ErrorKind::invalid_desc, "top: ");
    Context context                             = device().context();
    context.features.storage_buffer_8bit_access = false;
    check_error(Top::create(context, {ElementType::u8}), ErrorKind::unsupported_device, "u8 keys take the feature");
}

TEST_CASE("top: what validate finds", "[device][contract]") {
    const Top top = value_of(Top::create(device().context(), {ElementType::u64}));
    require(top.validate(top_nowhere({1000000, 10})));
    require(top.validate(top_nowhere({1000, 10, 1000, 16000})));
    const auto check = [&](
                           const std::string& reason, const TopSize& size,
                           const std::function<void(Top::Args&)>& change = [](Top::Args&) {}) {
        Top::Args args = top_nowhere(size);
        change(args);
        check_error(top.validate(args), ErrorKind::invalid_args, reason);
    };
    check("wanted is 0", {1000, 0});
    check("wanted is 1048577", {1u << 24, Top::most_wanted + 1});
    const Top nth = value_of(Top::create(device().context(), {ElementType::u32, false, true}));
    require(nth.validate(top_nowhere({1u << 24, Top::most_wanted + 1})));
    require(nth.validate(top_nowhere({16, UINT32_MAX, 65536}))); // one key of each row
    check_error(nth.validate(top_nowhere({1000, 0})), ErrorKind::invalid_args, "wanted is 0: 1 to 4294967295");
    check("segments.pitch is 7992, and a row has 1000 keys", {1000, 10, 2, 7992});
    check("segments.count is 65536", {65536, 10, 65536});
    check("segments.count is 65536", {16, 65536, 65536});
    const TopSize size{1000000, 10};
    check("keys is null", size, [](Top::Args& args) { args.keys = 0; });
    check("output_keys is null", size, [](Top::Args& args) { args.output_keys = 0; });
    check("output_indices is null", size, [](Top::Args& args) { args.output_indices = 0; });
    check("temporary is null", size, [](Top::Args& args) { args.temporary = 0; });
    check("keys is 0x10000000004", size, [](Top::Args& args) { args.keys += 4; });
    check("temporary is 0x40000000008", size, [](Top::Args& args) { args.temporary += 8; });
    check("output_keys overlaps keys", size, [](Top::Args& args) { args.output_keys = args.keys; });
    check("output_indices overlaps keys", size, [](Top::Args& args) { args.output_indices = args.keys + 8; });
    check("output_keys overlaps output_indices", size, [](Top::Args& args) { args.output_indices = args.output_keys; });
    check("temporary overlaps keys", size, [](Top::Args& args) { args.temporary = args.keys; });
    check("count_address is 0x50000000002", size, [](Top::Args& args) { args.count_address = (5ull << 40) + 2; });
}

TEST_CASE("top: dispatches, and the memory between them", "[device][contract]") {
    const Top top = value_of(Top::create(device().context(), {ElementType::u32}));
    CHECK(temporary_size_of(top, {500, 10}) == 0);
    CHECK(temporary_size_of(top, {500, 10, 1000}) == 0);
    CHECK(scratch_size_of(top, 1000000) == 0);
    VkDeviceSize before = 0;
    for (uint32_t count = 1; count < 1u << 30; count += count / 3 + 1) {
        const VkDeviceSize size = temporary_size_of(top, {count, 1000, 3});
        CHECK(size >= before);
        before = size;
    }
}

} // namespace vkprim::tests
