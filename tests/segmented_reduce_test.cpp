// What is particular to SegmentedReduce. Its results: verify_test.cpp.
#include <vkprim/reduce.h>
#include <vkprim/segmented_reduce.h>

#include "harness/elements.h"
#include "support/memory.h"
#include "support/spy.h"
#include "support/wild_offsets.h"

namespace vkprim::tests {
namespace {

/// Addresses that nothing is at, for commands that are never submitted.
SegmentedReduce::Args segments_nowhere(const Sizes& size, SegmentLayout layout = SegmentLayout::offsets) {
    SegmentedReduce::Args args;
    args.input            = 1ull << 40;
    args.output           = 2ull << 40;
    args.scratch          = 3ull << 40;
    args.segments.offsets = layout == SegmentLayout::offsets ? 4ull << 40 : 0;
    size.put_into(args);
    return args;
}

} // namespace

TEST_CASE("segmented_reduce: the bits of a reduction of each segment alone", "[device][contract]") {
    const std::vector<uint32_t> lengths = {3, 1000, 0, 1024, 1025, 70000, 17, 262145, 5, 4, 300};
    std::vector<uint32_t>       offsets{7};
    for (uint32_t length : lengths) offsets.push_back(offsets.back() + length);
    const uint32_t count = offsets.back() + 9, segments = static_cast<uint32_t>(lengths.size());
    const auto     elements = harness::random_elements({ElementType::f32, Operation::add}, count, harness::Random(1));
    const runtime::Buffer input = buffer_with(elements), where = buffer_with(offsets),
                          output = buffer_of_zeros(segments * 4 + 16), single = buffer_of_zeros(segments * 4 + 16);
    const auto            reduce    = value_of(Reduce::create(device().context(), {ElementType::f32}));
    const auto            segmented = value_of(SegmentedReduce::create(device().context(), {ElementType::f32}));
    const runtime::Buffer scratch =
        scratch_of(std::max(scratch_size_of(reduce, count), scratch_size_of(segmented, {count, segments})));

    SegmentedReduce::Args args;
    args.input            = input.address();
    args.output           = output.address();
    args.scratch          = scratch.address();
    args.segments.offsets = where.address();
    Sizes{count, segments}.put_into(args);
    require(segmented.validate(args));
    submit([&](runtime::Commands& commands) {
        segmented.record(commands.handle(), args);
        for (uint32_t s = 0; s < segments; ++s) {
            Reduce::Args one;
            one.input   = input.address() + offsets[s] * 4;
            one.output  = single.address() + s * 4;
            one.scratch = scratch.address();
            one.count   = lengths[s];
            commands.barrier();
            reduce.record(commands.handle(), one);
        }
    });
    check_same(content_of(output), content_of(single));
    check_ready(scratch);
}

// So many elements a workgroup that each of its teams has eight tiles of a row.
TEST_CASE("segmented_reduce: the bits of a reduction of each long row alone", "[device][contract]") {
    const uint32_t count = 70001, rows = 4;
    const auto     elements =
        harness::random_elements({ElementType::f32, Operation::add}, count * rows, harness::Random(2));
    const runtime::Buffer input = buffer_with(elements), output = buffer_of_zeros(rows * 4 + 16),
                          single                  = buffer_of_zeros(rows * 4 + 16);
    Profile profile                               = profile_of_device();
    profile.values["segmented_reduce.workgroups"] = 1;
    Context context                               = device().context();
    context.profile                               = &profile;
    const auto reduce                             = value_of(Reduce::create(device().context(), {ElementType::f32}));
    const auto segmented =
        value_of(SegmentedReduce::create(context, {ElementType::f32, Operation::add, SegmentLayout::rows}));
    const runtime::Buffer scratch =
        scratch_of(std::max(scratch_size_of(reduce, count), scratch_size_of(segmented, {count, rows})));

    SegmentedReduce::Args args;
    args.input   = input.address();
    args.output  = output.address();
    args.scratch = scratch.address();
    Sizes{count, rows}.put_into(args);
    require(segmented.validate(args));
    submit([&](runtime::Commands& commands) {
        segmented.record(commands.handle(), args);
        for (uint32_t row = 0; row < rows; ++row) {
            Reduce::Args one;
            one.input   = input.address() + row * count * 4;
            one.output  = single.address() + row * 4;
            one.scratch = scratch.address();
            one.count   = count;
            commands.barrier();
            reduce.record(commands.handle(), one);
        }
    });
    check_same(content_of(output), content_of(single));
    check_ready(scratch);
}

// The last group of the first segment is one tile that is shorter than a block of places; the second segment begins where the next block does.
TEST_CASE("segmented_reduce: a group of one short tile", "[device][contract]") {
    const uint32_t        first = 256 * 16384 + 1020, second = 100000, count = first + second;
    const runtime::Buffer input = buffer_with(std::vector<uint32_t>(count, 1)),
                          where = buffer_with(std::vector<uint32_t>{0, first, count}), output = buffer_of_zeros(8);
    const auto            reduce  = value_of(SegmentedReduce::create(device().context(), {}));
    const runtime::Buffer scratch = scratch_of(scratch_size_of(reduce, {count, 2}));
    SegmentedReduce::Args args;
    args.input            = input.address();
    args.output           = output.address();
    args.scratch          = scratch.address();
    args.segments.offsets = where.address();
    Sizes{count, 2}.put_into(args);
    submit([&](runtime::Commands& commands) { reduce.record(commands.handle(), args); });
    CHECK(content_of(output) == std::vector<uint32_t>{first, second});
    check_ready(scratch);
}

// What is read and written stays within bounds, which the guard words see; results are undefined.
TEST_CASE("segmented_reduce: offsets that descend, or lie beyond the input", "[device][contract]") {
    const uint32_t              count = 20000, segments = 6000;
    const std::vector<uint32_t> ones(count, 1);
    const auto                  reduce = value_of(SegmentedReduce::create(device().context(), {}));
    harness::Random             random(5);
    for (int round = 0; round < wild_rounds; ++round) {
        const std::vector<uint32_t> offsets = wild_offsets(round, segments, count, random);
        const runtime::Buffer       input = buffer_with(ones), where = buffer_with(offsets),
                              output  = buffer_with(std::vector<uint32_t>(segments + 64, 77)),
                              scratch = scratch_of(scratch_size_of(reduce, {count, segments}));
        SegmentedReduce::Args args;
        args.input            = input.address();
        args.output           = output.address() + 128;
        args.scratch          = scratch.address();
        args.segments.offsets = where.address();
        Sizes{count, segments}.put_into(args);
        submit([&](runtime::Commands& commands) { reduce.record(commands.handle(), args); });
        const std::vector<uint32_t> words = content_of(output);
        CAPTURE(round);
        for (uint32_t i = 0; i < 32; ++i) CHECK((words[i] == 77 && words[segments + 32 + i] == 77));
        CHECK(content_of(input) == ones);
        const std::vector<uint32_t> left = content_of(scratch);
        CHECK(harness::scratch_guard_fault(&left[left.size() - harness::scratch_guard_words]) == "");
        if (round != 5) continue;
        // These ascend: the last ones are cut to the input's end.
        check_ready(scratch);
        for (uint32_t s = 0; s < segments; ++s) {
            const uint32_t expected = s * 4 < count ? 4 : 0;
            if (words[32 + s] != expected) FAIL("segment " << s << ": " << words[32 + s]);
        }
    }
}

TEST_CASE("segmented_reduce: what create refuses", "[device][contract]") {
    SegmentedReduce::Desc desc;
    for (const uint32_t layout : {0u, 3u}) {
        desc.segments = static_cast<SegmentLayout>(layout);
        check_error(SegmentedReduce::create(device().context(), desc), ErrorKind::invalid_desc, "Desc::segments");
    }
    check_error(SegmentedReduce::create(device().context(), {ElementType::f32, Operation::bit_and}),
                ErrorKind::invalid_desc, "");
    Profile profile                          = profile_of_device();
    profile.values["segmented_reduce.share"] = 63;
    Context context                          = device().context();
    context.profile                          = &profile;
    check_error(SegmentedReduce::create(context, {}), ErrorKind::invalid_profile, "segmented_reduce.share");
}

TEST_CASE("segmented_reduce: what validate finds", "[device][contract]") {
    const auto offsets = value_of(SegmentedReduce::create(device().context(), {ElementType::u64}));
    const auto rows =
        value_of(SegmentedReduce::create(device().context(), {ElementType::u16, Operation::add, SegmentLayout::rows}));
    require(offsets.validate(segments_nowhere({1000000, 1000})));
    SegmentedReduce::Args nothing;
    nothing.segments.count = 0;
    require(offsets.validate(nothing));
    const auto check = [&](const SegmentedReduce& reduce, SegmentLayout layout, const std::string& reason,
                           const std::function<void(SegmentedReduce::Args&)>& change) {
        SegmentedReduce::Args args = segments_nowhere({100000, 1000}, layout);
        change(args);
        check_error(reduce.validate(args), ErrorKind::invalid_args, "segmented_reduce: " + reason);
    };
    using Args = SegmentedReduce::Args;
    check(offsets, SegmentLayout::offsets, "input is null", [](Args& args) { args.input = 0; });
    check(offsets, SegmentLayout::offsets, "output is null", [](Args& args) { args.output = 0; });
    check(offsets, SegmentLayout::offsets, "scratch is null", [](Args& args) { args.scratch = 0; });
    check(offsets, SegmentLayout::offsets, "segments.offsets is null", [](Args& args) { args.segments.offsets = 0; });
    check(offsets, SegmentLayout::offsets, "segments.offsets is 0x", [](Args& args) { args.segments.offsets += 2; });
    check(offsets, SegmentLayout::offsets, "segments.offsets is 0x", [](Args& args) {
        args.segments.offset_size = 8;
        args.segments.offsets += 4;
    });
    check(offsets, SegmentLayout::offsets, "segments.offset_size is 2",
          [](Args& args) { args.segments.offset_size = 2; });
    check(offsets, SegmentLayout::offsets, "output overlaps input",
          [](Args& args) { args.output = args.input + 799992; });
    check(offsets, SegmentLayout::offsets, "output overlaps segments.offsets",
          [](Args& args) { args.output = args.segments.offsets + 4000; });
    check(offsets, SegmentLayout::offsets, "scratch overlaps segments.offsets",
          [](Args& args) { args.scratch = args.segments.offsets; });
    check(offsets, SegmentLayout::offsets, "segments.count_address is 0x",
          [](Args& args) { args.segments.count_address = (5ull << 40) + 2; });
    check(offsets, SegmentLayout::offsets, "count_address is 0x",
          [](Args& args) { args.count_address = (5ull << 40) + 2; });
    check(offsets, SegmentLayout::offsets, "Part::number is 3", [](Args& args) { args.part = {3, 3}; });
    check(offsets, SegmentLayout::offsets, "4294967295 segments", [](Args& args) { args.segments.count = UINT32_MAX; });
    check(rows, SegmentLayout::rows, "segments.pitch is 200001", [](Args& args) { args.segments.pitch = 200001; });
    check(rows, SegmentLayout::rows, "segments.pitch is 199998", [](Args& args) { args.segments.pitch = 199998; });
    check(rows, SegmentLayout::rows, "65536 segments with count 65536", [](Args& args) {
        Sizes{65536, 65536}.put_into(args);
    });
    const auto words =
        value_of(SegmentedReduce::create(device().context(), {ElementType::u32, Operation::add, SegmentLayout::rows}));
    check(words, SegmentLayout::rows, "count is 1073741824", [](Args& args) { Sizes{1u << 30, 2}.put_into(args); });
    check(rows, SegmentLayout::rows, "output overlaps input",
          [](Args& args) { args.output = args.input + 999 * 200000; });
    SegmentedReduce::Args args = segments_nowhere({100000, 1000}, SegmentLayout::rows);
    args.output                = args.input + 1000 * 200000;
    require(rows.validate(args));
    args = segments_nowhere({1u << 30, 1}, SegmentLayout::rows); // one row, to which a pitch means nothing
    args.segments.pitch = 2;
    args.input          = 8ull << 40;
    require(rows.validate(args));
}

// Drivers for CPUs load vectors from any address, so results do not show it.
TEST_CASE("segmented_reduce: rows are loaded in vectors where all begin at multiples of 16", "[device][contract]") {
    Spy        spy(device().context());
    const auto reduce =
        value_of(SegmentedReduce::create(spy.context(), {ElementType::f32, Operation::add, SegmentLayout::rows}));
    spy.forwards_commands = false;
    const auto pipeline   = [&](uint32_t count, uint32_t pitch, VkDeviceSize offset) {
        SegmentedReduce::Args args = segments_nowhere({count, 100}, SegmentLayout::rows);
        args.segments.pitch        = pitch;
        args.input += offset;
        reduce.record(reinterpret_cast<VkCommandBuffer>(uintptr_t{16}), args);
        return spy.last_pipeline;
    };
    const VkPipeline aligned = pipeline(4, 0, 0), other = pipeline(4, 0, 4);
    CHECK(aligned != other);
    CHECK(pipeline(5, 32, 0) == aligned);
    CHECK(pipeline(8, 0, 16) == aligned);
    CHECK(pipeline(5, 0, 0) == other);
    CHECK(pipeline(4, 20, 0) == other);
    CHECK(pipeline(5, 32, 8) == other);
}

TEST_CASE("segmented_reduce: one dispatch, and scratch that never shrinks", "[device][contract]") {
    Spy spy(device().context());
    for (SegmentLayout segments : {SegmentLayout::offsets, SegmentLayout::rows}) {
        const auto reduce =
            value_of(SegmentedReduce::create(spy.context(), {ElementType::f32, Operation::add, segments}));
        spy.forwards_commands = false;
        for (uint32_t count : {0u, 1u, 1024u, 100000u}) {
            spy.forget_calls();
            reduce.record(reinterpret_cast<VkCommandBuffer>(uintptr_t{16}), segments_nowhere({count, 10000}, segments));
            CHECK(spy.calls(Spy::CmdDispatch) == 1);
            CHECK(spy.all_calls() == 3);
        }
        spy.forget_calls();
        reduce.record(reinterpret_cast<VkCommandBuffer>(uintptr_t{16}), segments_nowhere({1000, 0}, segments));
        CHECK(spy.all_calls() == 0);
        spy.forwards_commands = true;
        VkDeviceSize before   = 0;
        for (uint32_t count = 1; count < 1u << 20; count += count / 3 + 1) {
            CHECK(scratch_size_of(reduce, {count, 1000}) >= before);
            before = scratch_size_of(reduce, {count, 1000});
            CHECK(scratch_size_of(reduce, {count, 1001}) >= before);
        }
    }
}

} // namespace vkprim::tests
