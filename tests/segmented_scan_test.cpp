// What is particular to SegmentedScan. Its results: verify_test.cpp; of own operations: own_test.cpp.
#include <vkprim/operations/affine.h>
#include <vkprim/operations/watched.h>
#include <vkprim/segmented_scan.h>

#include <vkprim/glsl/detail/lookback_layout.h>
#include <vkprim/glsl/detail/scratch.h>
#include <vkprim/glsl/detail/tile.h>
#include "../shaders/segmented_scan/segmented_scan_push.h"
#include "harness/elements.h"
#include "support/memory.h"
#include "support/spy.h"

namespace vkprim::tests {
namespace {

/// Addresses that nothing is at, for commands that are never submitted.
SegmentedScan::Args scans_nowhere(const Sizes& size, SegmentLayout layout = SegmentLayout::offsets) {
    SegmentedScan::Args args;
    args.input            = 1ull << 40;
    args.output           = 2ull << 40;
    args.scratch          = 3ull << 40;
    args.segments.offsets = layout == SegmentLayout::offsets ? 4ull << 40 : 0;
    size.put_into(args);
    return args;
}

/// Scans segments of these lengths at once, and one by one, of elements of `size` bytes; the results must be the same.
void check_alone(const SegmentedScan& segmented, const Scan& scan, const std::vector<uint32_t>& elements,
                 const std::vector<uint32_t>& lengths, uint32_t size, bool rows) {
    std::vector<uint32_t> offsets{rows ? 0u : 7u};
    for (uint32_t length : lengths) offsets.push_back(offsets.back() + length);
    const uint32_t        count    = rows ? lengths.front() : offsets.back() + 9;
    const uint32_t        segments = static_cast<uint32_t>(lengths.size());
    const runtime::Buffer input = buffer_with(elements), where = buffer_with(offsets),
                          output = buffer_of_zeros(elements.size() * 4), single = buffer_of_zeros(elements.size() * 4);
    const runtime::Buffer scratch =
        scratch_of(std::max(scratch_size_of(scan, offsets.back() + 9), scratch_size_of(segmented, {count, segments})));
    SegmentedScan::Args args;
    args.input            = input.address();
    args.output           = output.address();
    args.scratch          = scratch.address();
    args.segments.offsets = rows ? 0 : where.address();
    Sizes{count, segments}.put_into(args);
    require(segmented.validate(args));
    submit([&](runtime::Commands& commands) {
        segmented.record(commands.handle(), args);
        for (uint32_t s = 0; s < segments; ++s) {
            Scan::Args one;
            one.input   = input.address() + uint64_t{offsets[s]} * size;
            one.output  = single.address() + uint64_t{offsets[s]} * size;
            one.scratch = scratch.address();
            one.count   = lengths[s];
            commands.barrier();
            scan.record(commands.handle(), one);
        }
    });
    check_same(content_of(output), content_of(single));
    check_ready(scratch);
}

constexpr uint32_t watched_tile = 4096; // elements

/// Of a scan of `watched`, which gets them with its Args.
struct Watch {
    runtime::Buffer loads, order;

    explicit Watch(uint32_t elements)
        : loads(buffer_of_zeros(4)), order(buffer_with(std::vector<uint32_t>(elements, ~0u))) {}

    template <class Args>
    void put_into(Args& args) const {
        args.parameters = {{loads.address(), order.address()}, {}};
    }
};

/// Segments of these lengths, one workgroup after the other: each loads tiles first that others may wait for, and last those that wait for others.
void check_order(const std::vector<uint32_t>& lengths, bool rows) {
    constexpr uint32_t share   = 2048; // vectors
    Profile            profile = profile_of_device();
    profile.values             = {
                    {"segmented_scan.workgroups", 2}, {"segmented_scan.share", share}, {"segmented_scan.short_share", share}};
    Context context = device().context();
    context.profile = &profile;
    SegmentedScan::Desc desc;
    desc.own        = &operations::watched;
    desc.segments   = rows ? SegmentLayout::rows : SegmentLayout::offsets;
    const auto scan = value_of(SegmentedScan::create(context, desc));

    std::vector<uint32_t> offsets{0};
    for (uint32_t length : lengths) offsets.push_back(offsets.back() + length);
    const auto            segments = static_cast<uint32_t>(lengths.size());
    const uint32_t        places = offsets.back() + 4 * segments, workgroups = (places - 1) / (4 * share) + 1;
    const Watch           watch(offsets.back());
    const runtime::Buffer where = buffer_with(offsets), output = buffer_of_zeros(offsets.back() * 4);
    SegmentedScan::Args   args;
    Sizes{rows ? lengths.front() : offsets.back(), segments}.put_into(args);
    const runtime::Buffer scratch = scratch_of(scan.scratch_size(args));
    args.output                   = output.address();
    args.scratch                  = scratch.address();
    args.segments.offsets         = rows ? 0 : where.address();
    watch.put_into(args);
    require(scan.validate(args));
    submit([&](runtime::Commands& commands) {
        for (args.part = {0, workgroups}; args.part.number < workgroups; ++args.part.number) {
            scan.record(commands.handle(), args);
            commands.barrier();
        }
    });
    const std::vector<uint32_t> order = content_of(watch.order), words = content_of(output);
    uint32_t                    compared = 0;
    for (uint32_t workgroup = 0; workgroup < workgroups; ++workgroup) {
        // When it loaded the tiles of the segment that begins before its share, and of the one that goes on behind it.
        std::vector<uint32_t> earlier, later;
        for (uint32_t s = 0; s < segments; ++s) {
            const uint32_t begin = workgroup * share * 4, end = begin + share * 4, place = offsets[s] + 4 * s;
            for (uint32_t at = 0; at < lengths[s]; at += watched_tile) {
                if (place + at < begin || place + at >= end) continue;
                if (place + (lengths[s] - 1) / watched_tile * watched_tile >= end)
                    later.push_back(order[offsets[s] + at]);
                else if (place < begin)
                    earlier.push_back(order[offsets[s] + at]);
            }
        }
        CAPTURE(rows, workgroup, earlier, later);
        CHECK(std::is_sorted(later.rbegin(), later.rend()));
        for (uint32_t first : earlier)
            CHECK(std::all_of(later.begin(), later.end(), [&](uint32_t l) { return l < first; }));
        compared += !earlier.empty() && !later.empty();
    }
    CHECK(compared > 1);
    for (uint32_t s = 0; s < segments; ++s) {
        for (uint32_t i = 0; i < lengths[s]; i += 97) CHECK(words[offsets[s] + i] == i);
    }
    check_ready(scratch);
}

} // namespace

// Lengths around those of a run, of four, of a block and of a group of blocks.
TEST_CASE("segmented_scan: the bits of a scan of each segment alone", "[device][contract]") {
    const std::vector<uint32_t> lengths = {3,    1000, 0,    16,   17,   127,  128,   129,  511,    512, 513, 1025,
                                           2047, 2048, 2049, 4095, 4096, 4097, 70000, 8193, 262145, 5,   4,   300};
    uint32_t                    count   = 16;
    for (uint32_t length : lengths) count += length;
    auto elements = harness::random_elements({ElementType::f32, Operation::add}, count, harness::Random(1));
    for (uint32_t& bits : elements) bits = (bits & 0x7fffff) | 0x3f800000; // from 1 to 2: nearly every sum is rounded
    for (const Scan::Kind kind : {Scan::Kind::exclusive, Scan::Kind::inclusive}) {
        const auto scan = value_of(Scan::create(device().context(), {ElementType::f32, Operation::add, kind}));
        for (const uint32_t few : {0, 1}) {
            Profile profile = profile_of_device();
            profile.values  = {{"device.few_registers", few}};
            Context context = device().context();
            context.profile = &profile;
            CAPTURE(kind, few);
            const auto segmented = value_of(SegmentedScan::create(context, {ElementType::f32, Operation::add, kind}));
            check_alone(segmented, scan, elements, lengths, 4, false);
        }
    }
    const auto scan = value_of(Scan::create(device().context(), {ElementType::f32}));
    const auto rows = value_of(SegmentedScan::create(
        device().context(), {ElementType::f32, Operation::add, Scan::Kind::exclusive, SegmentLayout::rows}));
    check_alone(rows, scan, elements, std::vector<uint32_t>(5, 70001), 4, true);
    check_alone(rows, scan, elements, std::vector<uint32_t>(99, 2047), 4, true);
    // Words for 17 tiles, of which the last row has the last two.
    check_alone(rows, scan, elements, std::vector<uint32_t>(17, 4097), 4, true);
}

// With the largest shares, of which one has as many tiled segments as a share can have, and on scratch that ends with the last tile's words.
TEST_CASE("segmented_scan: many segments of tiles in a share", "[device][contract]") {
    Profile profile     = profile_of_device();
    profile.values      = {{"segmented_scan.workgroups", 2}, {"segmented_scan.share", SEGMENTS_MOST_SHARE}};
    Context context     = device().context();
    context.profile     = &profile;
    const auto scan     = value_of(Scan::create(device().context(), {}));
    const auto many     = value_of(SegmentedScan::create(context, {}));
    const auto elements = harness::random_elements({}, 100000, harness::Random(1));
    check_alone(many, scan, elements, std::vector<uint32_t>(40, 2052), 4, false);
    check_alone(many, scan, elements, std::vector<uint32_t>(16, 4220), 4, false);
}

// The last share ends where places do, and not behind that. Only it is recorded, and only its rows are in memory: each has one element, of
// which an exclusive scan makes 0.
TEST_CASE("segmented_scan: as many places as there can be", "[device][contract]") {
    constexpr uint32_t    rows = UINT32_MAX / 5, kept = 4096, parts = 1u << 20;
    const auto            scan = value_of(SegmentedScan::create(
                   device().context(), {ElementType::u32, Operation::add, Scan::Kind::exclusive, SegmentLayout::rows}));
    std::vector<uint32_t> words(kept, 7);
    words.resize(kept + 4); // with scratch, since no other buffer is known to lie apart from the rows before
    const runtime::Buffer memory = buffer_with(words);
    if (memory.address() < uint64_t{4} * rows) {
        WARN("SKIPPED: the rows before the last ones would lie below address 0");
        return;
    }
    SegmentedScan::Args args;
    args.input = args.output = memory.address() - uint64_t{4} * (rows - kept);
    args.scratch             = memory.address() + uint64_t{4} * kept;
    Sizes{1, rows}.put_into(args);
    args.part = {parts - 1, parts};
    require(scan.validate(args));
    submit([&](runtime::Commands& commands) { scan.record(commands.handle(), args); });
    words            = content_of(memory);
    const auto first = std::find(words.begin(), words.begin() + kept, 0u);
    CHECK(words.begin() + kept - first > 64 / 5);
    CHECK(std::all_of(first, words.end(), [](uint32_t word) { return word == 0; }));
}

// Workgroups arrive in scratch, whose count of arrivals has 24 bits for each operation.
TEST_CASE("segmented_scan: no more workgroups than can arrive", "[device][contract]") {
    Profile profile = profile_of_device();
    profile.values  = {{"segmented_scan.share", SEGMENTS_LEAST_SHARE},
                       {"segmented_scan.short_share", SEGMENTS_LEAST_SHARE}};
    Spy     spy(device().context());
    Context context          = spy.context();
    context.profile          = &profile;
    spy.forwards_commands    = false;
    const auto          scan = value_of(SegmentedScan::create(context, {ElementType::u64}));
    SegmentedScan::Args args = scans_nowhere({5000, (UINT32_MAX - 5000) / 2});
    require(scan.validate(args));
    scan.record(reinterpret_cast<VkCommandBuffer>(uintptr_t{0x40000}), args);
    CHECK(uint64_t{spy.last_grid[0]} * spy.last_grid[1] < VKPRIM_SCRATCH_ARRIVALS);
}

TEST_CASE("segmented_scan: the words of a chain in scratch", "[host][lookback]") {
    constexpr uint32_t fan = VKPRIM_TILE_FAN, super = fan * fan;
    for (uint32_t tiles = 2; tiles <= 1u << 24; tiles += tiles < 2 * super + 2 ? 1 : tiles / 7) {
        uint32_t words = tiles;
        if (tiles > fan) words = tiles + (tiles - 1) / fan;
        if (tiles > super) words = vkprim_lookback_words_below(2, tiles, fan, fan) + (tiles - 1) / super;
        if (words > SEGMENTED_SCAN_TILE_WORDS * (tiles - 1)) FAIL(tiles << " tiles have " << words << " words");
    }
    SUCCEED();
}

TEST_CASE("segmented_scan: the bits of a scan of each segment alone, of affine maps", "[device][own]") {
    const std::vector<uint32_t> lengths = {3, 1000, 0, 255, 256, 257, 2049, 1, 30000, 5};
    uint32_t                    count   = 16;
    for (uint32_t length : lengths) count += length;
    auto elements = harness::random_elements({ElementType::f32, Operation::add}, 2 * count, harness::Random(1));
    for (size_t i = 0; i < elements.size(); i += 2) elements[i] = 0x3f700000; // scales of 0.9375
    Scan::Desc alone;
    alone.own = &operations::affine;
    SegmentedScan::Desc desc;
    desc.own             = &operations::affine;
    const auto scan      = value_of(Scan::create(device().context(), alone));
    const auto segmented = value_of(SegmentedScan::create(device().context(), desc));
    check_alone(segmented, scan, elements, lengths, 8, false);
}

// What is read and written stays within bounds, which the guard words see; results are undefined.
TEST_CASE("segmented_scan: offsets that descend, or lie beyond the input", "[device][contract]") {
    const uint32_t              count = 20000, segments = 3000;
    const std::vector<uint32_t> ones(count, 1);
    const auto                  scan = value_of(SegmentedScan::create(device().context(), {}));
    harness::Random             random(5);
    for (int round = 0; round < 4; ++round) {
        // Falling; random, half of the segments with elements, most of them tiles; beyond the input; and those that are fine.
        std::vector<uint32_t> offsets(segments + 1);
        for (uint32_t i = 0; i <= segments; ++i) {
            offsets[i] = round == 0   ? count - std::min(count, i * 7)
                         : round == 1 ? random.below(count + 1)
                         : round == 2 ? 0xfffffff0u + i
                                      : std::min(i * 7, 4u * count);
        }
        const runtime::Buffer input = buffer_with(ones), where = buffer_with(offsets),
                              output  = buffer_with(std::vector<uint32_t>(count + 64, 77)),
                              scratch = scratch_of(scratch_size_of(scan, {count, segments}));
        SegmentedScan::Args args;
        args.input            = input.address();
        args.output           = output.address() + 128;
        args.scratch          = scratch.address();
        args.segments.offsets = where.address();
        Sizes{count, segments}.put_into(args);
        submit([&](runtime::Commands& commands) { scan.record(commands.handle(), args); });
        const std::vector<uint32_t> words = content_of(output);
        CAPTURE(round);
        for (uint32_t i = 0; i < 32; ++i) CHECK((words[i] == 77 && words[count + 32 + i] == 77));
        CHECK(content_of(input) == ones);
        const std::vector<uint32_t> left = content_of(scratch);
        CHECK(harness::scratch_guard_fault(&left[left.size() - harness::scratch_guard_words]) == "");
        if (round != 3) continue;
        check_ready(scratch);
        for (uint32_t i = 0; i < count; ++i) {
            if (words[32 + i] != i % 7) FAIL("element " << i << ": " << words[32 + i]);
        }
    }
}

// A tile that is published late lets others wait, and those let others wait, through all workgroups.
TEST_CASE("segmented_scan: tiles that others wait for come first", "[device][contract]") {
    check_order(std::vector<uint32_t>(9, 2 * watched_tile + 1), true);
    check_order({4097, 4097, 4097, 4097, 4097, 4097, 70000, 4097, 8193, 300, 4097, 20, 12289, 6000}, false);
}

TEST_CASE("segmented_scan: without waits, one tile more than a group has", "[device][contract]") {
    const std::vector<uint32_t> lengths = {5, VKPRIM_TILE_FAN * watched_tile + 1};
    SegmentedScan::Desc         desc;
    desc.waits          = false;
    const auto scan     = value_of(Scan::create(device().context(), {}));
    const auto stages   = value_of(SegmentedScan::create(device().context(), desc));
    const auto elements = harness::random_elements({}, lengths[0] + lengths[1] + 16, harness::Random(1));
    check_alone(stages, scan, elements, lengths, 4, false);
}

// In the stage of the outputs, nobody publishes what is missing. Here it is the word of a group, whose last tile no workgroup found.
TEST_CASE("segmented_scan: without waits, offsets that descend end", "[device][contract]") {
    const uint32_t        count = 299 * watched_tile + 1, segments = 4096;
    std::vector<uint32_t> offsets(segments + 1, count);
    offsets[0] = offsets[3001] = 0;
    SegmentedScan::Desc desc;
    desc.own                   = &operations::watched;
    desc.waits                 = false;
    const auto            scan = value_of(SegmentedScan::create(device().context(), desc));
    const Watch           watch(count);
    const runtime::Buffer where = buffer_with(offsets), output = buffer_of_zeros(count * 4),
                          scratch = scratch_of(scratch_size_of(scan, {count, segments}));
    SegmentedScan::Args args;
    Sizes{count, segments}.put_into(args);
    args.output           = output.address();
    args.scratch          = scratch.address();
    args.segments.offsets = where.address();
    watch.put_into(args);
    submit([&](runtime::Commands& commands) { scan.record(commands.handle(), args); });
    CHECK(content_of(watch.loads)[0] <= 4 * count); // two long segments, in two stages
}

TEST_CASE("segmented_scan: what create refuses", "[device][contract]") {
    SegmentedScan::Desc desc;
    desc.segments = SegmentLayout::none;
    check_error(SegmentedScan::create(device().context(), desc), ErrorKind::invalid_desc, "Desc::segments must be");
    check_error(SegmentedScan::create(device().context(), {ElementType::f32, Operation::argmin}),
                ErrorKind::invalid_desc, "segmented_reduce has");
    Profile profile                             = profile_of_device();
    profile.values["segmented_scan.workgroups"] = 1;
    Context context                             = device().context();
    context.profile                             = &profile;
    check_error(SegmentedScan::create(context, {}), ErrorKind::invalid_profile, "segmented_scan.workgroups");
}

TEST_CASE("segmented_scan: what validate finds", "[device][contract]") {
    const auto offsets = value_of(SegmentedScan::create(device().context(), {ElementType::u64}));
    const auto rows    = value_of(SegmentedScan::create(
           device().context(), {ElementType::u32, Operation::add, Scan::Kind::exclusive, SegmentLayout::rows}));
    require(offsets.validate(scans_nowhere({1000000, 1000})));
    SegmentedScan::Args nothing;
    nothing.segments.count = 0;
    require(offsets.validate(nothing));
    const auto check = [&](const SegmentedScan& scan, SegmentLayout layout, const std::string& reason,
                           const std::function<void(SegmentedScan::Args&)>& change) {
        SegmentedScan::Args args = scans_nowhere({100000, 1000}, layout);
        change(args);
        check_error(scan.validate(args), ErrorKind::invalid_args, "segmented_scan: " + reason);
    };
    using Args = SegmentedScan::Args;
    check(offsets, SegmentLayout::offsets, "input is null", [](Args& args) { args.input = 0; });
    check(offsets, SegmentLayout::offsets, "output is null", [](Args& args) { args.output = 0; });
    check(offsets, SegmentLayout::offsets, "scratch is null", [](Args& args) { args.scratch = 0; });
    check(offsets, SegmentLayout::offsets, "segments.offsets is null", [](Args& args) { args.segments.offsets = 0; });
    check(offsets, SegmentLayout::offsets, "segments.offset_size is 2",
          [](Args& args) { args.segments.offset_size = 2; });
    check(offsets, SegmentLayout::offsets, "output overlaps input", [](Args& args) { args.output = args.input + 8; });
    check(offsets, SegmentLayout::offsets, "output overlaps segments.offsets",
          [](Args& args) { args.output = args.segments.offsets + 4000; });
    check(offsets, SegmentLayout::offsets, "scratch overlaps segments.offsets",
          [](Args& args) { args.scratch = args.segments.offsets; });
    check(offsets, SegmentLayout::offsets, "segments.count_address is 0x",
          [](Args& args) { args.segments.count_address = (5ull << 40) + 2; });
    check(offsets, SegmentLayout::offsets, "Part::number is 3", [](Args& args) { args.part = {3, 3}; });
    check(offsets, SegmentLayout::offsets, "4294967295 segments", [](Args& args) { args.segments.count = UINT32_MAX; });
    check(rows, SegmentLayout::rows, "segments.pitch is 400002", [](Args& args) { args.segments.pitch = 400002; });
    check(rows, SegmentLayout::rows, "output_pitch is 399996", [](Args& args) { args.output_pitch = 399996; });
    check(rows, SegmentLayout::rows, "output overlaps input", [](Args& args) { // in place, rows that move
        args.output       = args.input;
        args.output_pitch = 400004;
    });
    SegmentedScan::Args in_place = scans_nowhere({100000, 1000});
    in_place.output              = in_place.input;
    require(offsets.validate(in_place));
    in_place.segments.offsets = 0;
    require(rows.validate(in_place));
}

} // namespace vkprim::tests
