// What is particular to SegmentedSort. Its results: verify_test.cpp.
#include <vkprim/segmented_sort.h>

#include <algorithm>
#include <map>

#include "harness/harness.h"
#include "support/memory.h"
#include "support/spy.h"

namespace vkprim::tests {
namespace {

using SortValues = SegmentedSort::Values;

/// Addresses that nothing is at, for commands that are never submitted.
SegmentedSort::Args segmented_sort_nowhere(const Sizes& size) {
    SegmentedSort::Args args;
    args.keys             = 1ull << 40;
    args.values           = 2ull << 40;
    args.output_keys      = 3ull << 40;
    args.output_values    = 4ull << 40;
    args.temporary        = 5ull << 40;
    args.segments.offsets = 6ull << 40;
    size.put_into(args);
    return args;
}

} // namespace

// What is read and written stays within bounds, which the guard words see; results are undefined.
TEST_CASE("segmented_sort: offsets that descend and lengths that are not true", "[device][contract]") {
    const uint32_t  count = 20000, segments = 6000, guards = 4096;
    const auto      sort = value_of(SegmentedSort::create(device().context(), {ElementType::u32, SortValues::indices}));
    const auto      pairs = value_of(SegmentedSort::create(device().context(), {ElementType::u32, SortValues::bytes4}));
    harness::Random random(5);
    std::vector<uint32_t> keys(count);
    for (uint32_t& key : keys) key = random.below(1000);
    for (int round = 0; round < 6; ++round) {
        // Falling; random; beyond the input; those that are fine; a longer segment than the host says; near the input's end, and then
        // at its beginning.
        std::vector<uint32_t> offsets(segments + 1);
        for (uint32_t i = 0; i <= segments; ++i) {
            offsets[i] = round == 0   ? count - std::min(count, i * 3)
                         : round == 1 ? random.below(count + 1)
                         : round == 2 ? 0xfffffff0u + i
                         : round == 3 ? i * 4
                         : round == 4 ? (i < segments / 2 ? 0 : count)
                                      : (i < segments ? count - 10 : 0);
        }
        for (uint32_t longest : {4u, sort.most_short(), 0u}) {
            for (const SegmentedSort* one : {&sort, &pairs}) {
                const bool            in_place = one == &pairs;
                std::vector<uint32_t> content(2 * count + 3 * guards, 77);
                std::copy(keys.begin(), keys.end(), content.begin() + guards);
                std::copy(keys.begin(), keys.end(), content.begin() + 2 * guards + count);
                const runtime::Buffer input = buffer_with(keys), where = buffer_with(offsets),
                                      output = buffer_with(content);
                SegmentedSort::Args args;
                Sizes{count, segments, longest}.put_into(args);
                const VkDeviceSize    size   = one->temporary_size(args);
                const runtime::Buffer memory = buffer_with(std::vector<uint32_t>(size / 4 + 64, 78));
                args.output_keys             = output.address() + guards * 4;
                args.output_values           = output.address() + (2 * guards + count) * 4;
                args.keys                    = in_place ? args.output_keys : input.address();
                args.values                  = args.output_values;
                args.temporary               = memory.address();
                args.segments.offsets        = where.address();
                require(one->validate(args));
                submit([&](runtime::Commands& commands) { one->record(commands.handle(), args); });
                CAPTURE(round, longest, in_place);
                const std::vector<uint32_t> words = content_of(output), left = content_of(memory);
                uint32_t                    wrong = 0;
                for (uint32_t part = 0; part < 3; ++part) {
                    const auto begin = words.begin() + part * (guards + count);
                    wrong += static_cast<uint32_t>(guards - std::count(begin, begin + guards, 77u));
                }
                wrong += static_cast<uint32_t>(64 - std::count(left.end() - 64, left.end(), 78u));
                CHECK(wrong == 0);
                CHECK(content_of(input) == keys);
                if (round != 3) continue;
                // These ascend: the last ones are cut to the input's end.
                for (uint32_t first = 0; first < count; first += 4) {
                    std::vector<uint32_t> expected(keys.begin() + first, keys.begin() + first + 4);
                    std::sort(expected.begin(), expected.end());
                    if (!std::equal(expected.begin(), expected.end(), words.begin() + guards + first)) FAIL(first);
                }
            }
        }
    }
}

// All of them belong to places that are searched, so no workgroup has very many.
TEST_CASE("segmented_sort: a million empty segments between two keys", "[device][contract]") {
    const uint32_t        segments = 1u << 20;
    std::vector<uint32_t> offsets(segments + 1, 3);
    offsets[0]      = 0;
    offsets.back()  = 6;
    const auto sort = value_of(SegmentedSort::create(device().context(), {ElementType::u32, SortValues::indices}));
    const runtime::Buffer keys = buffer_with(std::vector<uint32_t>{5, 3, 4, 2, 1, 0}), where = buffer_with(offsets),
                          output = buffer_of_zeros(12 * 4);
    SegmentedSort::Args args;
    args.keys             = keys.address();
    args.output_keys      = output.address();
    args.output_values    = output.address() + 24;
    args.segments.offsets = where.address();
    Sizes{6, segments}.put_into(args);
    require(sort.validate(args));
    submit([&](runtime::Commands& commands) { sort.record(commands.handle(), args); });
    CHECK(content_of(output) == std::vector<uint32_t>{3, 4, 5, 0, 1, 2, 1, 2, 0, 2, 1, 0});
}

TEST_CASE("segmented_sort: what create refuses", "[device][contract]") {
    SegmentedSort::Desc desc;
    desc.segments = SegmentLayout::none;
    check_error(SegmentedSort::create(device().context(), desc), ErrorKind::invalid_desc, "Desc::segments must be");
    desc        = {};
    desc.values = static_cast<SortValues>(5);
    check_error(SegmentedSort::create(device().context(), desc), ErrorKind::invalid_desc, "Values");
    desc     = {};
    desc.key = static_cast<ElementType>(99);
    check_error(SegmentedSort::create(device().context(), desc), ErrorKind::invalid_desc, "segmented_sort: Desc::key");
    Context context                             = device().context();
    context.features.storage_buffer_8bit_access = false;
    check_error(SegmentedSort::create(context, {ElementType::u16}), ErrorKind::unsupported_device, "u16 keys");
    Profile profile = profile_of_device();
    context         = device().context();
    context.profile = &profile;
    for (const auto& [name, value] : std::map<std::string, uint32_t>{
             {"segmented_sort.items", 25}, {"segmented_sort.frob", 1}, {"segmented_sort.log2_workgroup", 6}}) {
        profile.values = {{name, value}};
        check_error(SegmentedSort::create(context, {}), ErrorKind::invalid_profile, name);
    }
}

TEST_CASE("segmented_sort: what validate finds", "[device][contract]") {
    const auto offsets = value_of(SegmentedSort::create(device().context(), {ElementType::u64, SortValues::bytes4}));
    const auto rows    = value_of(
           SegmentedSort::create(device().context(), {ElementType::f32, SortValues::none, false, SegmentLayout::rows}));
    using Args = SegmentedSort::Args;
    for (uint32_t longest : {0u, 50u}) {
        const Sizes size{100000, 1000, longest};
        require(offsets.validate(segmented_sort_nowhere(size)));
        const auto check = [&](const std::string& reason, const std::function<void(Args&)>& change) {
            Args args = segmented_sort_nowhere(size);
            change(args);
            check_error(offsets.validate(args), ErrorKind::invalid_args, "segmented_sort: " + reason);
        };
        check("keys is null", [](Args& args) { args.keys = 0; });
        check("values is null", [](Args& args) { args.values = 0; });
        check("output_keys is 0x", [](Args& args) { args.output_keys += 4; });
        check("output_values is null", [](Args& args) { args.output_values = 0; });
        check("segments.offsets is null", [](Args& args) { args.segments.offsets = 0; });
        check("segments.offsets is 0x", [](Args& args) {
            args.segments.offset_size = 8;
            args.segments.offsets += 4;
        });
        check("segments.offset_size is 2", [](Args& args) { args.segments.offset_size = 2; });
        check("output_keys overlaps keys", [](Args& args) { args.output_keys = args.keys + 8; });
        check("output_values overlaps values", [](Args& args) { args.output_values = args.values + 4; });
        check("output_values overlaps output_keys", [](Args& args) { args.output_values = args.output_keys + 799996; });
        check("output_keys overlaps segments.offsets", [](Args& args) { args.output_keys = args.segments.offsets; });
        check("segments.count_address is 0x", [](Args& args) { args.segments.count_address = (7ull << 40) + 2; });
        check("count_address is 0x", [](Args& args) { args.count_address = (7ull << 40) + 2; });
        check("bits 9 to 9", [](Args& args) { args.begin_bit = args.end_bit = 9; });
        check("4294967295 segments with count 100000", [](Args& args) { args.segments.count = UINT32_MAX; });
        check("2147483648 segments with count 1", [](Args& args) { Sizes{1, 1u << 31}.put_into(args); });
        if (longest > 0) continue; // short segments take no temporary memory
        check("temporary is null", [](Args& args) { args.temporary = 0; });
        check("temporary overlaps segments.offsets", [](Args& args) { args.temporary = args.segments.offsets; });
    }
    require(offsets.validate({}));
    for (const uint32_t count : {100u, 100000u}) {
        Args args             = segmented_sort_nowhere({count, 1000});
        args.segments.offsets = 0;
        require(rows.validate(args));
    }
    const auto check = [&](const std::string& reason, const std::function<void(Args&)>& change) {
        Args args             = segmented_sort_nowhere({100000, 1000});
        args.segments.offsets = 0;
        change(args);
        check_error(rows.validate(args), ErrorKind::invalid_args, "segmented_sort: " + reason);
    };
    check("segments.pitch is 399996, and a row has 100000 keys", [](Args& args) { args.segments.pitch = 399996; });
    check("segments.count is 1000", [](Args& args) { args.segments.pitch = 20000000; });
    check("segments.count_address is set", [](Args& args) { args.segments.count_address = 7ull << 40; });
    check("segments.offsets is set", [](Args& args) { args.segments.offsets = 6ull << 40; });
    check("floats are ordered by all", [](Args& args) { args.end_bit = 8; });
    check("output_keys overlaps keys", [](Args& args) { args.output_keys = args.keys + 399999 * 1000; });
    check("temporary is null", [](Args& args) { args.temporary = 0; });
}

TEST_CASE("segmented_sort: one dispatch of short segments, and passes of others", "[device][contract]") {
    Spy        spy(device().context());
    const auto sort = value_of(SegmentedSort::create(spy.context(), {ElementType::u32, SortValues::bytes4}));
    const auto rows = value_of(
        SegmentedSort::create(spy.context(), {ElementType::u32, SortValues::none, false, SegmentLayout::rows}));
    spy.forwards_commands  = false;
    const uint32_t longest = sort.most_short();
    const auto     check   = [&](const SegmentedSort& one, const Sizes& size, bool in_place, size_t dispatches) {
        CAPTURE(size.count, size.segments, size.longest);
        SegmentedSort::Args args = segmented_sort_nowhere(size);
        if (in_place) args.output_keys = args.keys;
        spy.forget_calls();
        one.record(reinterpret_cast<VkCommandBuffer>(uintptr_t{16}), args);
        CHECK(spy.calls(Spy::CmdDispatch) == dispatches);
        CHECK(spy.calls(Spy::CmdPipelineBarrier) == (dispatches == 0 ? 0 : dispatches - 1));
        CHECK((temporary_size_of(one, size) == 0) == (dispatches <= 1));
    };
    check(sort, {0, 100, 0}, false, 0);
    check(sort, {100, 0, 0}, false, 0);
    check(sort, {longest, 3, 0}, false, 1);
    check(sort, {1u << 28, 1000000, longest}, true, 1);
    // Four passes by keys and one to three by segments, of two dispatches each, and between them the numbers.
    check(sort, {20000, 200, longest + 1}, false, 8 + 1 + 2 + 1);
    check(sort, {20000, 254, 0}, false, 8 + 1 + 2 + 1);
    check(sort, {20000, 255, 0}, false, 8 + 1 + 4 + 1);
    check(sort, {20000, 100000, 0}, true, 8 + 1 + 6 + 2);
    check(rows, {longest, 100, 0}, false, 1);
    check(rows, {20000, 100, 5}, false, 8);
    // Rows share a workgroup.
    rows.record(reinterpret_cast<VkCommandBuffer>(uintptr_t{16}), segmented_sort_nowhere({longest / 8, 16000}));
    CHECK(spy.last_grid[0] * spy.last_grid[1] == 1000);
}

TEST_CASE("segmented_sort: temporary_size never shrinks", "[device][contract]") {
    const auto      sort = value_of(SegmentedSort::create(device().context(), {ElementType::u8, SortValues::indices}));
    harness::Random random(1);
    uint32_t        wrong = 0;
    for (uint32_t round = 0; round < 100000; ++round) {
        const auto a = static_cast<uint32_t>(random.next() >> (32 + random.below(32))), b = a + random.below(70000);
        const auto longest  = static_cast<uint32_t>(random.next() >> (32 + random.below(32)));
        const auto segments = random.below(1000);
        wrong +=
            b > a && temporary_size_of(sort, {a, segments, longest}) > temporary_size_of(sort, {b, segments, longest});
        wrong += temporary_size_of(sort, {a, segments, longest}) > temporary_size_of(sort, {a, segments + 3, longest});
        wrong += temporary_size_of(sort, {a, segments, longest}) > temporary_size_of(sort, {a, segments, 0});
    }
    CHECK(wrong == 0);
    CHECK(scratch_size_of(sort, {0xffffffffu, 10}) == 0);
}

TEST_CASE("segmented_sort: the values of a profile, and results that do not depend on them", "[device][contract]") {
    const char* const groups[] = {"segmented_sort offsets u32 alone", "segmented_sort offsets i64 4-byte",
                                  "segmented_sort rows u16 indices"};
    uint32_t          number   = 0;
    for (const std::map<std::string, uint32_t>& values : std::vector<std::map<std::string, uint32_t>>{
             {{"segmented_sort.votes", 0}, {"segmented_sort.items", 3}, {"segmented_sort.log2_workgroup", 7}},
             {{"segmented_sort.items", 24}},
             {{"segmented_sort.items", 1}, {"segmented_sort.log2_workgroup", 10}}}) {
        Profile profile = profile_of_device();
        profile.values  = values;
        harness::VerifyOptions options;
        options.extent            = harness::Extent::pairs;
        options.counts            = {300, 4099};
        options.only              = groups[number++];
        const auto&       changed = device_with_profile(profile);
        harness::Verifier verifier(changed, options);
        uint32_t          cases = 0;
        for (const harness::Subject& subject : harness::subjects()) {
            if (subject.name == "segmented_sort") subject.verify(verifier);
        }
        for (const harness::GroupResult& group : verifier.finish()) {
            cases += group.cases;
            INFO(group.name << ": " << (group.mismatches.empty() ? "" : group.mismatches[0].what));
            CHECK(group.failed == 0);
        }
        CHECK(cases > 0);
    }
}

} // namespace vkprim::tests
