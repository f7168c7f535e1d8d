// What is particular to Sort. Its results: verify_test.cpp.
#include <vkprim/sort.h>

#include <algorithm>
#include <limits>
#include <map>

#include "../src/float_bits.h"
#include "harness/elements.h"
#include "harness/harness.h"
#include "harness/references.h"
#include "support/memory.h"
#include "support/share.h"
#include "support/spy.h"

namespace vkprim::tests {
namespace {

using Values = Sort::Values;

/// Addresses that nothing is at, for commands that are never submitted.
Sort::Args nowhere(uint32_t count) {
    Sort::Args args;
    args.keys          = 1ull << 40;
    args.values        = 2ull << 40;
    args.output_keys   = 3ull << 40;
    args.output_values = 4ull << 40;
    args.temporary     = 5ull << 40;
    args.count         = count;
    return args;
}

/// Keys, and the indices that are made for them, one behind the other.
std::vector<uint32_t> sorted(const Sort::Desc& desc, const std::vector<uint32_t>& keys) {
    const auto            count = static_cast<uint32_t>(keys.size());
    const Sort            sort  = value_of(Sort::create(device().context(), desc));
    const runtime::Buffer input = buffer_with(keys), output = buffer_of_zeros(keys.size() * 8),
                          temporary = buffer_of_zeros(std::max<VkDeviceSize>(temporary_size_of(sort, count), 16));
    Sort::Args args;
    args.keys          = input.address();
    args.output_keys   = output.address();
    args.output_values = output.address() + keys.size() * 4;
    args.temporary     = temporary.address();
    args.count         = count;
    require(sort.validate(args));
    submit([&](runtime::Commands& commands) { sort.record(commands.handle(), args); });
    return content_of(output);
}

} // namespace

TEST_CASE("sort: floats, zeros, infinities and NaN", "[device][contract]") {
    // In ascending order.
    const std::vector<uint32_t> ascending = {
        0xff800000u, bits_of(-1e38f), bits_of(-1.0f), 0x80000001u, bits_of(-0.0f), bits_of(0.0f),
        1u,          bits_of(1.0f),   bits_of(1e38f), 0x7f800000u, 0x7f800001u,    0x7fc00000u,
        0x7fffffffu, 0xffffffffu,     0xffc00000u,    0xff800001u};
    const auto            count = static_cast<uint32_t>(ascending.size());
    std::vector<uint32_t> keys(2 * count), expected(4 * count), descending(4 * count);
    for (uint32_t i = 0; i < 2 * count; ++i) keys[i] = ascending[i * 7 % count];
    for (uint32_t i = 0, at = 0; i < count; ++i) {
        for (uint32_t k = 0; k < 2 * count; ++k) {
            if (keys[k] != ascending[i]) continue;
            expected[at]               = ascending[i];
            expected[2 * count + at++] = k;
        }
    }
    for (uint32_t i = 0; i < 2 * count; ++i) {
        // Pairs of equal ones: the other way round, but for the order within a pair.
        const uint32_t from       = 2 * count - 2 - i / 2 * 2 + i % 2;
        descending[i]             = expected[from];
        descending[2 * count + i] = expected[2 * count + from];
    }
    check_same(sorted({ElementType::f32, Values::indices}, keys), expected);
    check_same(sorted({ElementType::f32, Values::indices, true}, keys), descending);
}

TEST_CASE("sort: descriptions that make no sense", "[device][contract]") {
    const auto check = [](const Sort::Desc& desc, const std::string& reason) {
        check_error(Sort::create(device().context(), desc), ErrorKind::invalid_desc, reason);
    };
    check({static_cast<ElementType>(11)}, "ElementType");
    check({ElementType::u32, static_cast<Values>(5)}, "Values");
}

TEST_CASE("sort: keys of 1 and 2 bytes on a device that reads no bytes", "[device][contract]") {
    Context context                             = device().context();
    context.features.storage_buffer_8bit_access = false;
    for (ElementType type : {ElementType::u8, ElementType::i8, ElementType::u16, ElementType::i16, ElementType::f16}) {
        check_error(Sort::create(context, {type}), ErrorKind::unsupported_device,
                    harness::name_of(type) + " keys take the feature storageBuffer8BitAccess");
    }
}

// The CPU reference has one order per width. Here 16-bit floats are widened and take the order of 32 bits.
TEST_CASE("sort: 16-bit floats of the CPU have the order of 32-bit ones", "[contract]") {
    std::vector<uint16_t> halves(65536);
    std::vector<uint32_t> floats(65536);
    for (uint32_t i = 0; i < 65536; ++i) {
        halves[i] = static_cast<uint16_t>(i * 40503); // any order
        floats[i] = bits_of(harness::float_of_half(halves[i]));
        // NaN: its bits, which widening may change.
        if ((halves[i] & 0x7fff) > 0x7c00)
            floats[i] = (halves[i] & 0x8000u) << 16 | 0x7f800000u | (halves[i] & 0x3ffu) << 13;
    }
    for (bool descending : {false, true}) {
        const auto narrow =
            harness::reference_sort({ElementType::f16, Values::none, descending}, halves.data(), 65536, 0, 0);
        const auto wide =
            harness::reference_sort({ElementType::f32, Values::none, descending}, floats.data(), 65536, 0, 0);
        const bool same = narrow == wide;
        CHECK(same);
    }
}

TEST_CASE("sort: what validate finds", "[device][contract]") {
    const Sort sort   = value_of(Sort::create(device().context(), {ElementType::u32, Values::bytes8}));
    const Sort floats = value_of(Sort::create(device().context(), {ElementType::f32}));
    require(sort.validate(nowhere(1000000)));
    require(sort.validate({}));
    const auto check = [&](const std::string& reason, const std::function<void(Sort::Args&)>& change,
                           const Sort* other = nullptr) {
        Sort::Args args = nowhere(1000000);
        change(args);
        check_error((other ? *other : sort).validate(args), ErrorKind::invalid_args, reason);
    };
    check("keys is null", [](Sort::Args& args) { args.keys = 0; });
    check("values is null", [](Sort::Args& args) { args.values = 0; });
    check("output_keys is null", [](Sort::Args& args) { args.output_keys = 0; });
    check("output_values is null", [](Sort::Args& args) { args.output_values = 0; });
    check("temporary is null", [](Sort::Args& args) { args.temporary = 0; });
    check("keys is 0x10000000002", [](Sort::Args& args) { args.keys += 2; });
    check("values is 0x20000000004", [](Sort::Args& args) { args.values += 4; });
    check("temporary is 0x50000000008", [](Sort::Args& args) { args.temporary += 8; });
    check("output_keys overlaps keys", [](Sort::Args& args) { args.output_keys = args.keys + 4; });
    check("output_values overlaps values", [](Sort::Args& args) { args.output_values = args.values + 8; });
    check("output_values overlaps output_keys", [](Sort::Args& args) { args.output_values = args.output_keys; });
    check("temporary overlaps keys", [](Sort::Args& args) { args.temporary = args.keys; });
    check("temporary overlaps output_values", [](Sort::Args& args) { args.temporary = args.output_values; });
    check("bits 5 to 5", [](Sort::Args& args) { args.begin_bit = args.end_bit = 5; });
    check("bits 0 to 33", [](Sort::Args& args) { args.end_bit = 33; });
    check("bits 32 to 32", [](Sort::Args& args) { args.begin_bit = 32; });
    check(
        "floats are ordered by all", [](Sort::Args& args) { args.end_bit = 31; }, &floats);
    const auto buffer = reinterpret_cast<VkBuffer>(uintptr_t{16});
    check("indirect needs a count_address", [&](Sort::Args& args) { args.indirect = {buffer, 4}; });
    check("Indirect::offset is 6", [&](Sort::Args& args) {
        args.count_address = args.keys + (1ull << 50);
        args.indirect      = {buffer, 6};
    });
    // Rows: of 1000 keys, 1000 of them.
    const Sort rows =
        value_of(Sort::create(device().context(), {ElementType::u32, Values::bytes8, false, SegmentLayout::rows}));
    const auto check_rows = [&](const std::string& reason, const std::function<void(Sort::Args&)>& change) {
        Sort::Args args     = nowhere(1000);
        args.segments.count = 1000;
        change(args);
        check_error(rows.validate(args), ErrorKind::invalid_args, reason);
    };
    check("segments.count is 2: more than one takes Desc::segments", [](Sort::Args& args) { args.segments.count = 2; });
    check("segments.count is 0: more than one takes Desc::segments", [](Sort::Args& args) { args.segments.count = 0; });
    check_rows("segments.pitch is 3996, and a row has 1000 keys", [](Sort::Args& args) { args.segments.pitch = 3996; });
    check_rows("segments.pitch is 4002", [](Sort::Args& args) { args.segments.pitch = 4002; });
    check_rows("segments.count_address is set", [](Sort::Args& args) { args.segments.count_address = 1ull << 50; });
    check_rows("segments.offsets is set", [](Sort::Args& args) { args.segments.offsets = 1ull << 50; });
    check_rows("below 2^32", [](Sort::Args& args) { args.segments.pitch = 4 * 4294968ull; }); // 2^32 + 704
    check_rows("at most 2^31", [](Sort::Args& args) {
        args.count          = 1;
        args.segments.count = (1u << 31) + 1;
    });
    check_rows("indirect with 1000 rows", [&](Sort::Args& args) {
        args.count_address = args.keys + (1ull << 50);
        args.indirect      = {buffer, 4};
    });
    check_rows("temporary is null", [](Sort::Args& args) {
        args.count     = 10000;
        args.temporary = 0;
    });
    // All rows count, with what lies between them, but nothing behind the last one.
    check_rows("output_keys overlaps keys", [](Sort::Args& args) {
        args.segments.pitch = 8000;
        args.output_keys    = args.keys + 4 * (999 * 2000 + 999);
    });
    Sort::Args args     = nowhere(1000);
    args.segments.count = 1000;
    args.segments.pitch = 8000;
    args.output_keys    = args.keys + 4 * (999 * 2000 + 1000);
    require(rows.validate(args));
    args                = nowhere(1000);
    args.segments.count = 1000;
    args.segments.pitch = 4 * 4294967ull; // keys of all rows, with what lies between: 2^32 - 296
    require(rows.validate(args));
    args.segments.count = 0;
    require(rows.validate(args));
    // In place, and without temporary memory where none is needed.
    args               = nowhere(1000000);
    args.output_keys   = args.keys;
    args.output_values = args.values;
    require(sort.validate(args));
    args           = nowhere(100);
    args.temporary = 0;
    require(sort.validate(args));
}

TEST_CASE("sort: dispatches and barriers", "[device][contract]") {
    Spy        spy(device().context());
    const Sort sort       = value_of(Sort::create(spy.context(), {ElementType::u32}));
    spy.forwards_commands = false;
    const auto check      = [&](uint32_t count, uint32_t end_bit, bool in_place, size_t dispatches) {
        CAPTURE(count, end_bit, in_place);
        Sort::Args args = nowhere(count);
        args.end_bit    = end_bit;
        if (in_place) args.output_keys = args.keys;
        spy.forget_calls();
        sort.record(reinterpret_cast<VkCommandBuffer>(uintptr_t{0x40000}), args);
        CHECK(spy.calls(Spy::CmdDispatch) == dispatches);
        CHECK(spy.calls(Spy::CmdPipelineBarrier) == (dispatches == 0 ? 0 : dispatches - 1));
        CHECK(spy.all_calls() == 4 * dispatches - (dispatches == 0 ? 0 : 1));
    };
    check(0, 0, false, 0);
    check(1, 0, false, 1);
    check(1024, 0, true, 1);
    check(20000, 0, false, 8);
    check(20000, 0, true, 8);
    check(20000, 8, false, 2);
    check(20000, 8, true, 4); // an even number of passes
    check(20000, 24, false, 6);
    check(20000, 24, true, 8);
    check(1u << 26, 0, false, 12);
    check(0xffffffffu, 0, false, 12);

    // Rows take no more than one of them.
    const Sort rows =
        value_of(Sort::create(spy.context(), {ElementType::u32, Values::none, false, SegmentLayout::rows}));
    const auto check_rows = [&](uint32_t count, uint32_t row_count, size_t dispatches, uint32_t least,
                                uint32_t most = UINT32_MAX) {
        CAPTURE(count, row_count);
        Sort::Args args     = nowhere(count);
        args.segments.count = row_count;
        spy.forget_calls();
        rows.record(reinterpret_cast<VkCommandBuffer>(uintptr_t{0x40000}), args);
        CHECK(spy.calls(Spy::CmdDispatch) == dispatches);
        if (dispatches == 0) return;
        CHECK(spy.last_grid[0] * spy.last_grid[1] >= least);
        CHECK(spy.last_grid[0] * spy.last_grid[1] <= most);
    };
    check_rows(1000, 0, 0, 0);
    check_rows(0, 1000, 0, 0);
    check_rows(30, 1000000, 1, 1000000 / (8192 / 30), 1000000 / (512 / 30) + 1); // a workgroup has 512 to 8192 keys
    check_rows(1, 1u << 31, 1, (1u << 31) / 8192, (1u << 31) / 512 + 65535);
    check_rows(20000, 1, 8, 3);
    check_rows(20000, 70, 8, 210);
    check_rows(1u << 24, 255, 12, 255 * 512);

    // With the grid on the GPU, but for the dispatch whose grid does not grow.
    const auto check_indirect = [&](uint32_t count, size_t indirect, size_t direct) {
        CAPTURE(count);
        Sort::Args args    = nowhere(count);
        args.count_address = 6ull << 40;
        args.indirect      = {reinterpret_cast<VkBuffer>(uintptr_t{16}), 4};
        spy.forget_calls();
        sort.record(reinterpret_cast<VkCommandBuffer>(uintptr_t{0x40000}), args);
        CHECK(spy.calls(Spy::CmdDispatchIndirect) == indirect);
        CHECK(spy.calls(Spy::CmdDispatch) == direct);
        args.indirect = {};
        sort.record(reinterpret_cast<VkCommandBuffer>(uintptr_t{0x40000}), args);
        CHECK(spy.last_grid[0] * spy.last_grid[1] >= sort.grid(args).most);
    };
    check_indirect(1024, 1, 0);
    check_indirect(20000, 8, 0);
    check_indirect(1u << 26, 8, 4);
    CHECK(sort.grid({}).most == 0);
}

TEST_CASE("sort: pipelines are cleaned up when one fails", "[device][contract]") {
    Spy     spy(device().context());
    Profile profile = profile_of_device();
    profile.values  = {{"sort.tiny_items", 1}, {"sort.large_items", 5}}; // no two shapes are the same
    Context context = spy.context();
    context.profile = &profile;
    value_of(Sort::create(context, {ElementType::u64, Values::bytes4}));
    CHECK(spy.live_objects() == 0);
    const size_t pipelines = spy.calls(Spy::CreateComputePipelines);
    CHECK(pipelines == 6);
    for (Spy::Call call : {Spy::CreateShaderModule, Spy::CreatePipelineLayout, Spy::CreateComputePipelines}) {
        for (uint32_t after = 0; after < pipelines; ++after) {
            spy.forget_calls();
            spy.failing       = call;
            spy.failing_after = after;
            CHECK_FALSE(Sort::create(context, {ElementType::u64, Values::bytes4}));
            CHECK(spy.live_objects() == 0);
        }
    }
}

TEST_CASE("sort: temporary_size never shrinks as the count grows", "[device][contract]") {
    const Sort      sort = value_of(Sort::create(device().context(), {ElementType::u32, Values::bytes8}));
    harness::Random random(1);
    uint32_t        wrong = 0;
    for (uint32_t round = 0; round < 100000; ++round) {
        const auto a = static_cast<uint32_t>(random.next() >> (32 + random.below(32))), b = a + random.below(70000);
        wrong += b > a && temporary_size_of(sort, a) > temporary_size_of(sort, b);
    }
    CHECK(wrong == 0);
    wrong = 0;
    for (uint32_t round = 0; round < 100000; ++round) {
        const auto a = static_cast<uint32_t>(random.next() >> (40 + random.below(24))), b = a + random.below(7000);
        const auto rows = 1 + static_cast<uint32_t>(random.next() >> (52 + random.below(12)));
        wrong += temporary_size_of(sort, {a, rows}) > temporary_size_of(sort, {b, rows});
        wrong += temporary_size_of(sort, {a, rows}) > temporary_size_of(sort, {a, rows + random.below(30)});
    }
    CHECK(wrong == 0);
    CHECK(temporary_size_of(sort, {500, 1000000}) == 0);
    CHECK(temporary_size_of(sort, {1u << 20, 0}) == 0);
    CHECK(temporary_size_of(sort, {20000, 1000}) <= 20000000ull * 12 * 5 / 4 + 1000 * 4096);
    CHECK(temporary_size_of(sort, (1u << 21) - 1) <= temporary_size_of(sort, 1u << 21));
    CHECK(temporary_size_of(sort, 0) == 0);
    CHECK(scratch_size_of(sort, 0xffffffffu) == 0);
    CHECK(temporary_size_of(sort, 0xffffffffu) <= 0xffffffffull * 12 * 5 / 4);
}

TEST_CASE("sort: the values of a profile, and results that do not depend on them", "[device][contract]") {
    harness::VerifyOptions options;
    options.extent  = harness::Extent::pairs;
    Profile profile = profile_of_device();
    Context context = device().context();
    context.profile = &profile;
    for (const auto& [name, value] :
         std::map<std::string, uint32_t>{{"sort.frob", 1}, {"sort.items", 25}, {"sort.chunk", 0}}) {
        profile.values = {{name, value}};
        check_error(Sort::create(context, {}), ErrorKind::invalid_profile, name);
    }
    const char* const groups[] = {"sort u32 alone", "sort i64 4-byte", "sort f32 indices", "sort u16 indices",
                                  "sort rows u32 alone"};
    uint32_t          number   = 0;
    for (const std::map<std::string, uint32_t>& values : std::vector<std::map<std::string, uint32_t>>{
             {{"sort.votes", 0},
              {"sort.items", 2},
              {"sort.large_items", 3},
              {"sort.large_count", 1},
              {"sort.unscanned", 1}},
             {{"sort.log2_workgroup", 7},
              {"sort.log2_small_workgroup", 7},
              {"sort.large_count", 10000},
              {"sort.chunks", 1},
              {"sort.chunk", 16},
              {"sort.log2_copies", 5},
              {"sort.loads", 32}},
             {{"sort.tiny_items", 3},
              {"sort.items", 24},
              {"sort.chunk", 3},
              {"sort.chunks", 5},
              {"sort.log2_copies", 2},
              {"sort.loads", 1}},
             // Some 1200 chunks, of which an invocation scans five, in two rounds.
             {{"sort.items", 2}, {"sort.large_items", 2}, {"sort.chunk", 1}, {"sort.chunks", 65535}},
             // Chunks of several tiles, which are scanned.
             {{"sort.items", 2}, {"sort.chunks", 3}, {"sort.chunk", 5}, {"sort.unscanned", 2}}}) {
        profile.values       = values;
        const auto  subjects = harness::subjects();
        const auto& changed  = device_with_profile(profile);
        {
            options.counts = {700, 5000, 70001};
            if (!is_pairs() || number == 3) options.counts.push_back(600001); // that of 1200 chunks
            options.only = groups[number++];
            harness::Verifier verifier(changed, options);
            uint32_t          cases = 0;
            for (const harness::Subject& subject : subjects) {
                if (subject.name == "sort") subject.verify(verifier);
            }
            for (const harness::GroupResult& group : verifier.finish()) {
                cases += group.cases;
                INFO(group.name << ": " << (group.mismatches.empty() ? "" : group.mismatches[0].what));
                CHECK(group.failed == 0);
            }
            CHECK(cases > 0);
        }
    }
}

TEST_CASE("the CPU reference of sort", "[references]") {
    const std::vector<uint32_t> keys = {5, 3, 5, 0x80000000u, 3};
    using Places                     = std::vector<uint32_t>;
    CHECK(harness::reference_sort({ElementType::u32}, keys.data(), 5) == Places{1, 4, 0, 2, 3});
    CHECK(harness::reference_sort({ElementType::i32}, keys.data(), 5) == Places{3, 1, 4, 0, 2});
    CHECK(harness::reference_sort({ElementType::u32, Values::none, true}, keys.data(), 5) == Places{3, 0, 2, 1, 4});
    CHECK(harness::reference_sort({ElementType::u32}, keys.data(), 5, 1, 3) == Places{3, 1, 4, 0, 2});
    const std::vector<float> floats = {
        std::numeric_limits<float>::quiet_NaN(), 0.0f, -0.0f, 1.0f, -1.0f, -std::numeric_limits<float>::quiet_NaN(),
        std::numeric_limits<float>::infinity()};
    CHECK(harness::reference_sort({ElementType::f32}, floats.data(), 7) == Places{4, 2, 1, 3, 6, 0, 5});
    const std::vector<double> doubles = {
        std::numeric_limits<double>::quiet_NaN(), 0.0, -0.0, 1.0, -1.0, -std::numeric_limits<double>::quiet_NaN(),
        std::numeric_limits<double>::infinity()};
    CHECK(harness::reference_sort({ElementType::f64}, doubles.data(), 7) == Places{4, 2, 1, 3, 6, 0, 5});
    // Many keys are sorted in another way.
    std::vector<int32_t> many((1u << 20) + 1);
    harness::Random      random(1);
    for (int32_t& key : many) key = static_cast<int32_t>(random.next() >> 44) - (1 << 19);
    Places expected(many.size());
    for (uint32_t i = 0; i < expected.size(); ++i) expected[i] = i;
    std::stable_sort(expected.begin(), expected.end(), [&](uint32_t a, uint32_t b) { return many[a] > many[b]; });
    const bool same =
        harness::reference_sort({ElementType::i32, Values::none, true}, many.data(), (1u << 20) + 1) == expected;
    CHECK(same);
}

} // namespace vkprim::tests
