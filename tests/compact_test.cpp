// What is particular to Compact. Its results: verify_test.cpp; its contract: contract_test.cpp.
#include <vkprim/compact.h>
#include <vkprim/segmented_reduce.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "../src/float_bits.h"
#include "harness/harness.h"
#include "support/memory.h"

namespace vkprim::tests {
namespace {

using Keep     = Compact::Keep;
using Copy     = Compact::Copy;
using Rejected = Compact::Rejected;
using Data     = std::vector<uint32_t>;

/// How many of `keys` are kept.
uint32_t kept_of(const Compact& compact, const std::vector<uint32_t>& keys, double lower, double upper) {
    const auto            count = static_cast<uint32_t>(keys.size());
    const runtime::Buffer input = buffer_with(keys), output = buffer_of_zeros(4 + keys.size() * 4),
                          scratch = scratch_of(scratch_size_of(compact, count));
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

constexpr uint32_t unwritten = 0xabcdef01, margin_words = 64;

/// Flags that are kept as indices, and how the input is cut into segments.
struct Segmented {
    uint32_t              count        = 0;
    std::vector<uint64_t> begins       = {}; ///< of segments
    uint32_t              row_length   = 0;
    uint32_t              offset_size  = 4;
    uint32_t              misalignment = 0; ///< of the offsets, in words
    bool                  rows         = false;

    static bool is_kept(uint32_t index) { return (index * 0x9e3779b9u >> 28) < 9; }

    /// Ahead of each segment, and of all.
    Data kept() const {
        Data ahead(1), words;
        for (uint32_t i = 0; i < count; ++i) ahead.push_back(ahead.back() + is_kept(i));
        for (const uint64_t begin : begins) words.push_back(ahead[std::min<uint64_t>(begin, count)]);
        words.push_back(ahead.back());
        return words;
    }

    /// What the GPU writes to `kept`. The outputs are checked, and what lies around all that is written.
    Data kept_by(const Compact& compact) const {
        std::vector<uint8_t> flags;
        Data                 indices, offsets(misalignment, unwritten);
        for (uint32_t i = 0; i < count; ++i) {
            flags.push_back(is_kept(i));
            if (is_kept(i)) indices.push_back(i);
        }
        flags.push_back(1);
        for (const uint64_t begin : begins) {
            offsets.push_back(static_cast<uint32_t>(begin));
            if (offset_size == 8) offsets.push_back(static_cast<uint32_t>(begin >> 32));
        }
        if (offsets.empty()) offsets.push_back(unwritten);
        const runtime::Buffer keys = buffer_with(flags), cuts = buffer_with(offsets),
                              output  = buffer_with(Data(count + margin_words, unwritten)),
                              words   = buffer_with(Data(begins.size() + 1 + 2 * margin_words, unwritten)),
                              scratch = scratch_of(scratch_size_of(compact, count));
        Compact::Args args;
        args.keys                 = keys.address();
        args.output               = output.address();
        args.kept                 = words.address() + margin_words * 4;
        args.scratch              = scratch.address();
        args.count                = count;
        args.segments.count       = static_cast<uint32_t>(begins.size());
        args.segments.offsets     = rows ? 0 : cuts.address() + misalignment * 4;
        args.segments.offset_size = offset_size;
        args.segments.pitch       = row_length; // of keys of one byte
        require(compact.validate(args));
        submit([&](runtime::Commands& commands) { compact.record(commands.handle(), args); });
        indices.resize(count + margin_words, unwritten);
        check_same(content_of(output), indices);
        check_ready(scratch);
        const Data all   = content_of(words);
        const auto begin = all.begin() + margin_words, end = begin + args.segments.count + 1;
        CHECK(std::count(all.begin(), begin, unwritten) == margin_words);
        CHECK(std::count(end, all.end(), unwritten) == margin_words);
        return Data(begin, end);
    }

    void check(const Compact& compact) const {
        CAPTURE(count, begins.size(), row_length, offset_size, misalignment);
        check_same(kept_by(compact), kept());
    }
};

Compact create(SegmentLayout segments, const Context& context) {
    Compact::Desc desc{KeyType::u8, Keep::nonzero, Copy::indices};
    desc.segments = segments;
    return value_of(Compact::create(context, desc));
}

/// Lengths that are sizes of something: subgroups, workgroups, tiles.
const std::vector<uint32_t>& segment_lengths() {
    static const std::vector<uint32_t> all = [] {
        std::vector<uint32_t> lengths = {0, 1, 2};
        for (const uint32_t size : {4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 4096u, 8192u}) {
            lengths.insert(lengths.end(), {size - 1, size, size + 1});
        }
        return lengths;
    }();
    return all;
}

} // namespace

TEST_CASE("compact: how much is kept of what lies between offsets", "[device][contract]") {
    const Profile profile     = profile_of_device();
    Context       context     = device().context();
    context.profile           = &profile;
    const Compact compact     = create(SegmentLayout::offsets, context);
    uint32_t      shape       = 0;
    const auto    check_sizes = [&](Segmented segmented) {
        segmented.offset_size  = ++shape % 2 == 0 ? 4 : 8;
        segmented.misalignment = shape % 5;
        segmented.check(compact);
    };
    // One of each length, from tile borders and from elsewhere; the last one is empty.
    for (const uint32_t first : {0u, 1u, 4096u}) {
        Segmented segmented;
        segmented.count = first;
        for (const uint32_t length : segment_lengths()) {
            segmented.begins.push_back(segmented.count);
            segmented.count += length;
        }
        segmented.begins.push_back(segmented.count);
        check_sizes(segmented);
    }
    for (const uint32_t count : segment_lengths()) {
        check_sizes({count});                                               // no segment
        check_sizes({count, {0}});                                          // one
        check_sizes({count, std::vector<uint64_t>(700, 0)});                // all but the last are empty
        check_sizes({count, std::vector<uint64_t>(700, count)});            // all are
        check_sizes({count, std::vector<uint64_t>(700, count / 2)});        // in the middle
        check_sizes({count, {count / 3, count, uint64_t{count} + 1, ~0u}}); // beyond the end
    }
    // More segments than the search has branches at two levels, and more at one place than a workgroup has invocations.
    Segmented many{30000};
    for (uint64_t i = 0; i < 100000; ++i) many.begins.push_back(i / 5000 * 1500);
    check_sizes(many);
    // As many as a CPU driver takes, all at one place.
    Segmented{20, std::vector<uint64_t>(1 << 23, 11)}.check(compact);
}

TEST_CASE("compact: how much is kept of rows", "[device][contract]") {
    const Profile profile = profile_of_device();
    Context       context = device().context();
    context.profile       = &profile;
    const Compact compact = create(SegmentLayout::rows, context);
    for (const uint32_t length : segment_lengths()) {
        for (const uint32_t more : {0u, 3u}) { // rows that are empty, beyond the count
            Segmented      segmented{20001, {}, length, 4, 0, true};
            const uint64_t rows = length == 0 ? 500 : (segmented.count + length - 1) / length + more;
            // A pitch of 0: the first row has all.
            const uint64_t step = length == 0 ? segmented.count : length;
            for (uint64_t row = 0; row < rows; ++row) segmented.begins.push_back(row * step);
            segmented.check(compact);
        }
    }
    Segmented{1000, {0, 0xc0000000ull, 0x180000000ull}, 0xc0000000u, 4, 0, true}.check(
        compact); // the third begins beyond 2^32
}

TEST_CASE("compact: offsets that descend", "[device][contract][accesses]") {
    const Profile profile   = profile_of_device();
    Context       context   = device().context();
    context.profile         = &profile;
    const Compact   compact = create(SegmentLayout::offsets, context);
    harness::Random random(1);
    for (uint32_t shape = 0; shape < 40; ++shape) {
        Segmented segmented{random.below(40000)};
        segmented.offset_size    = shape % 2 == 0 ? 4 : 8;
        const uint32_t segments  = 1 + random.below(2000);
        const bool     backwards = shape % 4 < 2;
        for (uint32_t i = 0; i < segments; ++i) {
            const uint32_t drawn = random.below(2 * segmented.count + 2);
            segmented.begins.push_back(backwards ? uint64_t{segments - i} * 20 : shape % 8 < 4 ? random.next() : drawn);
        }
        CAPTURE(segmented.count, segments, shape);
        CHECK(segmented.kept_by(compact).back() == segmented.kept().back());
    }
}

TEST_CASE("compact: what is wrong with segments", "[device][contract]") {
    Compact::Desc runs{KeyType::u32, Keep::run_heads, Copy::keys};
    runs.segments = SegmentLayout::rows;
    check_error(Compact::create(device().context(), runs), ErrorKind::invalid_desc,
                "Desc::segments with Keep::run_heads");
    runs.keep     = Keep::nonzero;
    runs.copy     = Copy::keys_and_indices;
    runs.rejected = Rejected::packed;
    check_error(Compact::create(device().context(), runs), ErrorKind::invalid_desc,
                "Rejected::packed with Desc::segments and with indices");
    runs.segments = static_cast<SegmentLayout>(3);
    check_error(Compact::create(device().context(), runs), ErrorKind::invalid_desc, "Desc::segments");

    const Profile profile = profile_of_device();
    Context       context = device().context();
    context.profile       = &profile;
    const Compact compact = create(SegmentLayout::offsets, context);
    Compact::Args args;
    args.keys             = 1 << 20;
    args.output           = 2 << 20;
    args.kept             = 3 << 20;
    args.scratch          = 4 << 20;
    args.segments.offsets = (5 << 20) + 4;
    args.count            = 100;
    args.segments.count   = 10;
    CHECK(compact.validate(args));
    const auto check = [&](const Compact::Args& wrong, const std::string& word) {
        check_error(compact.validate(wrong), ErrorKind::invalid_args, word);
    };
    Compact::Args wrong        = args;
    wrong.segments.offset_size = 2;
    check(wrong, "segments.offset_size is 2");
    wrong                  = args;
    wrong.segments.offsets = 0;
    check(wrong, "segments.offsets is null");
    wrong.segments.offsets = (5 << 20) + 2;
    check(wrong, "segments.offsets is");
    wrong                  = args;
    wrong.segments.offsets = args.kept + 40; // the total, behind a word for each segment
    check(wrong, "kept overlaps segments.offsets");
    wrong.segments.offsets = args.kept - 36;
    check(wrong, "kept overlaps segments.offsets");
    wrong.segments.offsets = args.kept - 40;
    CHECK(compact.validate(wrong));
    wrong                        = args;
    wrong.segments.count_address = args.output;
    check(wrong, "output overlaps segments.count_address");
    wrong                  = args;
    wrong.segments.count   = 1 << 24;
    wrong.kept             = 1ull << 32;
    wrong.segments.offsets = 2ull << 32;
    if (device().info().type == VK_PHYSICAL_DEVICE_TYPE_CPU)
        check(wrong, "segments.count is 16777216");
    else
        CHECK(compact.validate(wrong));
}

TEST_CASE("compact: descriptions that make no sense", "[device][contract]") {
    const auto check = [](const Compact::Desc& desc, const std::string& reason) {
        const auto compact = Compact::create(device().context(), desc);
        REQUIRE_FALSE(compact);
        CHECK(compact.error().kind == ErrorKind::invalid_desc);
        CHECK(compact.error().reason.find(reason) != std::string::npos);
    };
    check({KeyType::u8, Keep::nonzero, Copy::keys}, "keys of u8 are no elements to copy");
    check({static_cast<KeyType>(5), Keep::nonzero, Copy::indices}, "KeyType");
    check({KeyType::u32, static_cast<Keep>(4), Copy::indices}, "Keep");
    check({KeyType::u8, Keep::run_heads, Copy::indices}, "runs are of keys of 4 or 8 bytes");
    for (Keep keep : {Keep::nonzero, Keep::inside, Keep::outside}) {
        check({KeyType::u64, keep, Copy::indices}, "keys of u64 are compared with each other alone: Keep::run_heads");
    }
    check({KeyType::u32, Keep::nonzero, static_cast<Copy>(5)}, "Copy");
    check({KeyType::u8, Keep::nonzero, Copy::keys_and_indices}, "keys of u8 are no elements to copy");
    Compact::Desc desc{KeyType::u8, Keep::nonzero, Copy::indices};
    desc.rejected = static_cast<Rejected>(3);
    check(desc, "Desc::rejected is not a Rejected");
    Compact::Desc no_indices{KeyType::u32, Keep::nonzero, Copy::keys};
    no_indices.indices_end = true;
    check(no_indices, "Desc::indices_end without indices");
    Compact::Desc three{KeyType::u32, Keep::inside, Copy::keys};
    three.rejected = Rejected::divided;
    three.keep     = Keep::outside;
    check(three, "Rejected::divided is for keys of Keep::inside");
    three.keep = Keep::inside;
    three.copy = Copy::keys_and_indices;
    check(three, "Rejected::divided with indices beside another output");
    three.copy     = Copy::keys;
    three.segments = SegmentLayout::rows;
    check(three, "Rejected::divided with Desc::segments");
}

TEST_CASE("compact: runs of keys are the segments of a reduction by key", "[device][contract]") {
    Compact::Desc desc{KeyType::u32, Keep::run_heads, Copy::keys_and_indices};
    desc.indices_end              = true;
    const Compact         compact = value_of(Compact::create(device().context(), desc));
    const SegmentedReduce reduce  = value_of(SegmentedReduce::create(device().context(), {ElementType::u32}));
    const uint32_t        count   = 100003;
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
                          totals  = buffer_of_zeros(count * 4),
                          scratch = scratch_of(
                              std::max(scratch_size_of(compact, count), scratch_size_of(reduce, {count, count})));
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
    reduce_args.segments.offsets = indices.address();
    reduce_args.scratch          = scratch.address();
    Sizes{count, count}.put_into(reduce_args);
    reduce_args.segments.count_address = kept.address();
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

TEST_CASE("compact: what is below a range, and what is above", "[device][contract]") {
    constexpr double           infinity = std::numeric_limits<double>::infinity();
    constexpr double           nan      = std::numeric_limits<double>::quiet_NaN();
    std::map<KeyType, Compact> compacts;
    for (KeyType key : {KeyType::u32, KeyType::i32, KeyType::f32}) {
        Compact::Desc desc{key, Keep::inside, Copy::keys};
        desc.rejected = Rejected::divided;
        compacts.emplace(key, value_of(Compact::create(device().context(), desc)));
    }
    // Which of the keys are below is told by the letter b, inside by i, and above by a.
    const auto check = [&](KeyType key, const Data& keys, double lower, double upper, const std::string& sides) {
        CAPTURE(static_cast<uint32_t>(key), lower, upper);
        const Compact& compact = compacts.at(key);
        const auto     count   = static_cast<uint32_t>(keys.size());
        REQUIRE(sides.size() == count);
        Data expected[3];
        for (uint32_t i = 0; i < count; ++i) expected[std::string("iba").find(sides[i])].push_back(keys[i]);
        const Data numbers = {static_cast<uint32_t>(expected[0].size()), static_cast<uint32_t>(expected[1].size()),
                              unwritten};
        const runtime::Buffer input = buffer_with(keys), scratch = scratch_of(scratch_size_of(compact, count)),
                              kept = buffer_with(Data(3, unwritten)), inside = buffer_with(Data(count + 1, unwritten)),
                              below = buffer_with(Data(count + 1, unwritten)),
                              above = buffer_with(Data(count + 1, unwritten));
        Compact::Args args;
        args.keys     = input.address();
        args.kept     = kept.address();
        args.output   = inside.address();
        args.rejected = below.address();
        args.above    = above.address();
        args.scratch  = scratch.address();
        args.count    = count;
        args.lower    = lower;
        args.upper    = upper;
        require(compact.validate(args));
        submit([&](runtime::Commands& commands) { compact.record(commands.handle(), args); });
        check_ready(scratch);
        check_same(content_of(kept), numbers);
        for (Data& side : expected) side.resize(count + 1, unwritten);
        check_same(content_of(inside), expected[0]);
        check_same(content_of(below), expected[1]);
        check_same(content_of(above), expected[2]);
    };
    const Data integers = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};
    check(KeyType::u32, integers, 0, 4294967295.0, "iiiii");
    check(KeyType::u32, integers, 1, 2147483647.0, "biiaa");
    check(KeyType::u32, integers, 0.5, 0.75, "baaaa");       // nothing lies between
    check(KeyType::u32, integers, 2147483648.0, 1, "bbbaa"); // an empty range
    check(KeyType::u32, integers, 4294967296.0, infinity, "bbbbb");
    check(KeyType::u32, integers, -infinity, -1, "aaaaa");
    check(KeyType::u32, integers, nan, 5, "aaaaa");
    check(KeyType::u32, integers, 1, nan, "baaaa");
    check(KeyType::i32, integers, 0, 1, "iiabb");
    check(KeyType::i32, integers, -2147483648.0, -2, "aaaia");
    check(KeyType::i32, integers, infinity, infinity, "bbbbb");
    const Data floats = {
        bits_of(0.0f), bits_of(-0.0f), bits_of(1.0f), bits_of(-1.0f), 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 1,
        0x80000001,    0x7f7fffff,     0xff7fffff};
    check(KeyType::f32, floats, -infinity, infinity, "iiiiiiaaiiii");
    check(KeyType::f32, floats, 0, 0, "iiababaaabab");
    check(KeyType::f32, floats, -0.0, 1, "iiibabaaibab");
    check(KeyType::f32, floats, infinity, infinity, "bbbbibaabbbb");
    check(KeyType::f32, floats, infinity, -infinity, "bbbbabaabbbb");
    check(KeyType::f32, floats, -infinity, -infinity, "aaaaaiaaaaaa");
    check(KeyType::f32, floats, nan, nan, "aaaaaaaaaaaa");
    check(KeyType::f32, floats, -1e39, 1e39, "iiiiiiaaiiii"); // the nearest are infinite
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
