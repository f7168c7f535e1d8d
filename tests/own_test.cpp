// Elements and operations of your own: of 1 to 8 words, with and without an order, with hooks; and those that come with vkprim.
#include <vkprim/reduce.h>
#include <vkprim/scan.h>
#include <vkprim/segmented_reduce.h>
#include <vkprim/segmented_scan.h>

#include <vkprim/operations/aabb.h>
#include <vkprim/operations/affine.h>
#include <vkprim/operations/affine_u32.h>
#include <vkprim/operations/dot.h>
#include <vkprim/operations/hooks.h>
#include <vkprim/operations/last_nonzero.h>
#include <vkprim/operations/log_sum_exp.h>
#include <vkprim/operations/matrix2.h>
#include <vkprim/operations/matrix_u32.h>
#include <vkprim/operations/moments.h>
#include <vkprim/operations/nearest.h>
#include <vkprim/operations/saturating_add.h>
#include <vkprim/operations/segmented_sum.h>
#include <vkprim/operations/sum_by_key.h>
#include <vkprim/operations/sum_least_most.h>
#include <vkprim/operations/text.h>
#include <vkprim/operations/two_matrices.h>

#include <vkprim/glsl/detail/constants.h>
#include <vkprim/glsl/detail/lookback_layout.h>
#include <vkprim/glsl/detail/scratch.h>
#include "../shaders/scan/scan_push.h"
#include "harness/elements.h"
#include "support/memory.h"
#include "support/share.h"
#include "support/spy.h"

#include <array>
#include <cmath>
#include <cstring>

namespace vkprim::tests {
namespace {

using Words = std::array<uint32_t, 8>;
using Data  = std::vector<uint32_t>;

/// An operation on integers, so that every grouping has the same bits, and its definition in C++.
struct Subject {
    const char*         name;
    const OwnOperation* operation;
    uint32_t            words;
    Words               identity;
    Words (*operate)(const Words& a, const Words& b);
    uint32_t
        odd = 0,
        even =
            0; ///< which words of the input are made so, a bit each: maps and matrices must have an inverse, or products
               ///< are soon zero, and nobody sees in which order they were made
    uint32_t most = UINT32_MAX; ///< of the input's words

    uint32_t alignment() const { return words % 4 == 0 ? 16 : words % 2 == 0 ? 8 : 4; } ///< bytes
};

/// Of the matrices that begin at word `first`: a b.
void multiply(const Words& a, const Words& b, size_t first, Words& product) {
    for (size_t row = 0; row < 2; ++row) {
        for (size_t column = 0; column < 2; ++column) {
            product[first + 2 * row + column] =
                a[first + 2 * row] * b[first + column] + a[first + 2 * row + 1] * b[first + 2 + column];
        }
    }
}

Words last_nonzero(const Words& a, const Words& b) { return b[0] != 0 ? b : a; }

Words saturating_add(const Words& a, const Words& b) {
    return {static_cast<uint32_t>(std::min<uint64_t>(uint64_t{a[0]} + b[0], UINT32_MAX))};
}

Words affine(const Words& a, const Words& b) { return {a[0] * b[0], a[1] * b[0] + b[1]}; }

Words sum_least_most(const Words& a, const Words& b) {
    const auto number = [](uint32_t word) { return static_cast<int32_t>(word); };
    return {a[0] + b[0], number(a[1]) < number(b[1]) ? a[1] : b[1], number(a[2]) > number(b[2]) ? a[2] : b[2]};
}

Words matrix(const Words& a, const Words& b) {
    Words product{};
    multiply(a, b, 0, product);
    return product;
}

Words text(const Words& a, const Words& b) {
    if (a[0] == 0) return b;
    if (b[0] == 0) return a;
    return {a[0] + b[0], a[1], b[2], a[3] * b[4] + b[3], a[4] * b[4]};
}

Words two_matrices(const Words& a, const Words& b) {
    Words product{};
    multiply(a, b, 0, product);
    multiply(b, a, 4, product);
    return product;
}

const Subject subjects[] = {
    {"one word, in order", &operations::last_nonzero, 1, {}, last_nonzero, 0, 0, 3},
    {"one word", &operations::saturating_add, 1, {}, saturating_add, 0, 0, 100000},
    {"two words, in order", &operations::affine_u32, 2, {1}, affine, 1},
    {"three words", &operations::sum_least_most, 3, {0, 0x7fffffff, 0x80000000}, sum_least_most},
    {"four words, in order", &operations::matrix_u32, 4, {1, 0, 0, 1}, matrix, 0b1001, 0b0110},
    {"five words, in order", &operations::text, 5, {0, 0, 0, 0, 1}, text, 0b10000},
    {"eight words, in order",
     &operations::two_matrices,
     8,
     {1, 0, 0, 1, 1, 0, 0, 1},
     two_matrices,
     0b10011001,
     0b01100110}};

/// Records one operation, which validate() finds nothing in, and runs it.
template <class Primitive>
void execute(const Primitive& primitive, const typename Primitive::Args& args) {
    require(primitive.validate(args));
    submit([&](runtime::Commands& commands) { primitive.record(commands.handle(), args); });
}

Data input_of(const Subject& subject, uint32_t count) {
    Data words =
        harness::random_elements({ElementType::u32, Operation::add}, count * subject.words, harness::Random(count));
    for (size_t i = 0; i < words.size(); ++i) {
        const uint32_t word = 1u << i % subject.words;
        words[i] %= subject.most;
        if (subject.odd & word) words[i] |= 1;
        if (subject.even & word) words[i] &= ~1u;
    }
    return words;
}

Words element_at(const Subject& subject, const Data& data, uint32_t index) {
    Words words{};
    std::copy_n(&data[size_t{index} * subject.words], subject.words, words.begin());
    return words;
}

/// The scan, inclusive or not; behind it the total.
Data expected_of(const Subject& subject, const Data& input, Scan::Kind kind) {
    const auto count = static_cast<uint32_t>(input.size() / subject.words);
    Data       output;
    Words      before = subject.identity;
    for (uint32_t i = 0; i < count; ++i) {
        const Words  next = subject.operate(before, element_at(subject, input, i));
        const Words& one  = kind == Scan::Kind::inclusive ? next : before;
        output.insert(output.end(), one.begin(), one.begin() + subject.words);
        before = next;
    }
    output.insert(output.end(), before.begin(), before.begin() + subject.words);
    return output;
}

struct Variant {
    const char* name;
    bool        word64 = false, in_place = false, waits = true;
    uint32_t    blocks = 1;
};

std::vector<Variant> variants() {
    std::vector<Variant> all = {{"32-bit words, in place", false, true, true, 2},
                                {"without waiting", false, false, false, 1}};
    if (device().info().features.shader_buffer_int64_atomics) all.push_back({"64-bit words", true, false, true, 1});
    return all;
}

/// Two of them, in turn: drivers take minutes to compile all three of each subject.
std::vector<Variant> variants_of(const Subject& subject) {
    std::vector<Variant> some = variants();
    some.erase(some.begin() + (&subject - subjects) % static_cast<std::ptrdiff_t>(some.size()));
    return some;
}

Context context_for(const Variant& variant, const Profile& profile, Context context = device().context()) {
    context.profile = &profile;
    context.features.shader_int64 &= variant.word64;
    context.features.shader_buffer_int64_atomics &= variant.word64;
    return context;
}

Profile profile_for(const Variant& variant) {
    Profile profile                = profile_of_device();
    profile.values["scan.blocks"]  = variant.blocks;
    profile.values["scan.aligned"] = variant.blocks - 1;
    return profile;
}

/// Input and output lie `offset` bytes behind a multiple of 16.
void check_scan(const Scan& scan, const Subject& subject, Scan::Kind kind, uint32_t count, uint32_t offset,
                bool in_place) {
    CAPTURE(count, offset);
    const uint32_t skipped  = offset / 4;
    const Data     input    = input_of(subject, count);
    Data           expected = expected_of(subject, input, kind);
    expected.resize(input.size());
    Data shifted(skipped, 0xabcdef01);
    expected.insert(expected.begin(), shifted.begin(), shifted.end());
    shifted.insert(shifted.end(), input.begin(), input.end());
    Data target(expected.size() + 4, 0xabcdef01);
    expected.resize(target.size(), 0xabcdef01);
    if (in_place) std::copy(shifted.begin(), shifted.end(), target.begin());
    const runtime::Buffer source = buffer_with(shifted), output = buffer_with(target);
    const runtime::Buffer scratch = scratch_of(scratch_size_of(scan, count));
    Scan::Args            args;
    args.input   = (in_place ? output : source).address() + offset;
    args.output  = output.address() + offset;
    args.scratch = scratch.address();
    args.count   = count;
    execute(scan, args);
    check_same(content_of(output), expected);
    check_ready(scratch);
}

/// Rows have a pitch of one element more than `size` says.
void check_segments(const Context& context, const Subject& subject, SegmentLayout segments, const Data& input,
                    const Data& offsets, const Sizes& size, const Data& expected) {
    SegmentedReduce::Desc desc;
    desc.own                     = subject.operation;
    desc.segments                = segments;
    const auto            reduce = value_of(SegmentedReduce::create(context, desc));
    const runtime::Buffer source = buffer_with(input), limits = buffer_with(offsets.empty() ? Data{0} : offsets);
    const runtime::Buffer output  = buffer_of_zeros(expected.size() * 4);
    const runtime::Buffer scratch = scratch_of(scratch_size_of(reduce, size));
    SegmentedReduce::Args args;
    args.input   = source.address();
    args.output  = output.address();
    args.scratch = scratch.address();
    size.put_into(args);
    if (segments == SegmentLayout::rows) {
        args.segments.pitch = (size.count + 1) * subject.words * 4;
    } else {
        args.segments.offsets = limits.address();
    }
    execute(reduce, args);
    check_same(content_of(output), expected);
    check_ready(scratch);
}

/// In place. Behind each row there is an element that belongs to none.
void check_segment_scans(const Context& context, const Subject& subject, SegmentLayout segments, Scan::Kind kind,
                         const Data& input, const Data& offsets, const Sizes& size, const Data& expected) {
    SegmentedScan::Desc desc;
    desc.own                     = subject.operation;
    desc.segments                = segments;
    desc.kind                    = kind;
    const auto            scan   = value_of(SegmentedScan::create(context, desc));
    const runtime::Buffer output = buffer_with(input), limits = buffer_with(offsets.empty() ? Data{0} : offsets);
    const runtime::Buffer scratch = scratch_of(scratch_size_of(scan, size));
    SegmentedScan::Args   args;
    args.input = args.output = output.address();
    args.scratch             = scratch.address();
    size.put_into(args);
    if (segments == SegmentLayout::rows) {
        args.segments.pitch = args.output_pitch = (size.count + 1) * subject.words * 4;
    } else {
        args.segments.offsets = limits.address();
    }
    execute(scan, args);
    check_same(content_of(output), expected);
    check_ready(scratch);
}

/// For this share's subjects in the variants that wait: body(subject, context).
template <class Body>
void for_each_subject(const Body& body) {
    size_t number = 0;
    for (const Subject& subject : subjects) {
        for (const Variant& variant : variants_of(subject)) {
            if (!is_of_share(number++)) continue;
            if (!variant.waits) continue;
            DYNAMIC_SECTION(subject.name << ", " << variant.name) {
                const Profile profile = profile_of_device();
                body(subject, context_for(variant, profile));
            }
        }
    }
}

} // namespace

TEST_CASE("own operations: scan", "[device][own]") {
    size_t number = 0;
    for (const Subject& subject : subjects) {
        for (const Variant& variant : variants_of(subject)) {
            if (!is_of_share(number++)) continue;
            DYNAMIC_SECTION(subject.name << ", " << variant.name) {
                const Profile    profile = profile_for(variant);
                const Scan::Kind kind    = variant.in_place ? Scan::Kind::exclusive : Scan::Kind::inclusive;
                Scan::Desc       desc;
                desc.own        = subject.operation;
                desc.kind       = kind;
                desc.waits      = variant.waits;
                const auto scan = value_of(Scan::create(context_for(variant, profile), desc));
                for (uint32_t count : {1u, 33u, 1024u, 4097u, 20003u}) {
                    check_scan(scan, subject, kind, count, 0, variant.in_place);
                }
                for (uint32_t offset = subject.alignment(); offset < 16; offset += subject.alignment()) {
                    check_scan(scan, subject, kind, 9001, offset, variant.in_place);
                }
                // More than a group of tiles.
                check_scan(scan, subject, kind, 270001, 0, variant.in_place);
            }
        }
    }
}

TEST_CASE("own operations: reduce", "[device][own]") {
    for_each_subject([](const Subject& subject, const Context& context) {
        Reduce::Desc desc;
        desc.own          = subject.operation;
        const auto reduce = value_of(Reduce::create(context, desc));
        // The last two: tiles of several rows.
        for (uint32_t count : {0u, 1u, 2u, 33u, 257u, 1024u, 4097u, 70001u, 270001u}) {
            for (uint32_t offset = 0; offset < 16; offset += subject.alignment()) {
                if (offset > 0 && count != 4097) continue;
                CAPTURE(count, offset);
                const Data input = input_of(subject, count);
                const Data all   = expected_of(subject, input, Scan::Kind::inclusive);
                const Data expected(all.end() - subject.words, all.end());
                Data       shifted(offset / 4);
                shifted.insert(shifted.end(), input.begin(), input.end());
                shifted.push_back(0);
                const runtime::Buffer source = buffer_with(shifted), output = buffer_of_zeros(subject.words * 4);
                const runtime::Buffer scratch = scratch_of(scratch_size_of(reduce, count));
                Reduce::Args          args;
                args.input   = source.address() + offset;
                args.output  = output.address();
                args.scratch = scratch.address();
                args.count   = count;
                execute(reduce, args);
                check_same(content_of(output), expected);
                check_ready(scratch);
            }
        }
    });
}

// Lengths for one invocation, for several, for a tile, for several tiles of one row, and of several rows.
TEST_CASE("own operations: reductions of segments", "[device][own]") {
    for_each_subject([](const Subject& subject, const Context& context) {
        const std::vector<uint32_t> lengths = {0, 1, 5, 2, 0, 33, 100, 257, 1024, 1500, 4097, 70001, 3, 140001, 0, 7};
        std::vector<uint32_t>       offsets{0};
        for (uint32_t length : lengths) offsets.push_back(offsets.back() + length);
        const Data input = input_of(subject, offsets.back());
        Data       expected;
        for (size_t s = 0; s < lengths.size(); ++s) {
            const auto first = input.begin() + offsets[s] * subject.words;
            const Data all   = expected_of(subject, {first, first + lengths[s] * subject.words}, Scan::Kind::inclusive);
            expected.insert(expected.end(), all.end() - subject.words, all.end());
        }
        check_segments(context, subject, SegmentLayout::offsets, input, offsets, {offsets.back(), 16}, expected);

        // Rows, between which there is an element that belongs to none.
        for (uint32_t count : {3u, 40u, 1000u, 3001u}) {
            CAPTURE(count);
            const Data matrix = input_of(subject, (count + 1) * 5);
            Data       totals;
            for (uint32_t row = 0; row < 5; ++row) {
                const auto first = matrix.begin() + row * (count + 1) * subject.words;
                const Data all   = expected_of(subject, {first, first + count * subject.words}, Scan::Kind::inclusive);
                totals.insert(totals.end(), all.end() - subject.words, all.end());
            }
            check_segments(context, subject, SegmentLayout::rows, matrix, {}, {count, 5}, totals);
        }
    });
}

TEST_CASE("own operations: scans of segments", "[device][own]") {
    for_each_subject([](const Subject& subject, const Context& context) {
        const std::vector<uint32_t> lengths = {0, 1, 5, 2, 0, 33, 100, 257, 1024, 1500, 4097, 70001, 3, 140001, 0, 7};
        std::vector<uint32_t>       offsets{0};
        for (uint32_t length : lengths) offsets.push_back(offsets.back() + length);
        const Data input = input_of(subject, offsets.back());
        for (Scan::Kind kind : {Scan::Kind::exclusive, Scan::Kind::inclusive}) {
            Data expected;
            for (size_t s = 0; s < lengths.size(); ++s) {
                const auto first = input.begin() + offsets[s] * subject.words;
                const Data all   = expected_of(subject, {first, first + lengths[s] * subject.words}, kind);
                expected.insert(expected.end(), all.begin(), all.begin() + lengths[s] * subject.words);
            }
            check_segment_scans(context, subject, SegmentLayout::offsets, kind, input, offsets, {offsets.back(), 16},
                                expected);
        }
        for (uint32_t count : {3u, 40u, 1000u, 3001u}) {
            CAPTURE(count);
            const Data matrix   = input_of(subject, (count + 1) * 5);
            Data       expected = matrix;
            for (uint32_t row = 0; row < 5; ++row) {
                const auto at  = static_cast<std::ptrdiff_t>(row) * (count + 1) * subject.words;
                const auto end = at + static_cast<std::ptrdiff_t>(count) * subject.words;
                const Data all =
                    expected_of(subject, {matrix.begin() + at, matrix.begin() + end}, Scan::Kind::exclusive);
                std::copy(all.begin(), all.begin() + (end - at), expected.begin() + at);
            }
            check_segment_scans(context, subject, SegmentLayout::rows, Scan::Kind::exclusive, matrix, {}, {count, 5},
                                expected);
        }
    });
}

// Whoever waits helps; and with small groups, all three levels are there.
TEST_CASE("own operations: look-back with one poll, over three levels", "[device][own]") {
    constexpr uint32_t fan = 8;
    for (const Subject& subject : subjects) {
        if (subject.words == 1) continue; // no different from two
        DYNAMIC_SECTION(subject.name) {
            Spy spy(device().context());
            spy.constants[SCAN_FAN_ID]           = fan;
            spy.constants[VKPRIM_MAX_POLLS_ID]   = 1;
            spy.constants[VKPRIM_FAULT_ID]       = VKPRIM_FAULT_WITHHOLD;
            spy.constants[VKPRIM_FAULT_SHARE_ID] = 6554;
            const Variant variant                = {"", false, true, true, 1};
            const Profile profile                = profile_for(variant);
            Scan::Desc    desc;
            desc.own            = subject.operation;
            const auto     scan = value_of(Scan::create(context_for(variant, profile, spy.context()), desc));
            const uint32_t tile = scan.grid({}).elements, tiles = 2 * fan * fan + 2 * fan + 3, count = tiles * tile - 1;
            const Data     input    = input_of(subject, count);
            Data           expected = expected_of(subject, input, Scan::Kind::exclusive);
            expected.resize(input.size());
            const runtime::Buffer output  = buffer_with(input);
            const runtime::Buffer scratch = scratch_of(
                vkprim_scratch_bytes(vkprim_scratch_slots(subject.words) * vkprim_lookback_words(tiles, fan, fan)));
            execute(scan, {output.address(), output.address(), scratch.address(), count});
            check_same(content_of(output), expected);
            check_ready(scratch);
        }
    }
}

namespace {

/// The result of a reduction by an operation that loads by itself.
Data reduced(const OwnOperation& operation, uint32_t words, uint32_t count, const Parameters& parameters) {
    Reduce::Desc desc;
    desc.own                     = &operation;
    const auto            reduce = value_of(Reduce::create(device().context(), desc));
    const runtime::Buffer output = buffer_of_zeros(words * 4), scratch = scratch_of(scratch_size_of(reduce, count));
    Reduce::Args          args;
    args.output     = output.address();
    args.scratch    = scratch.address();
    args.count      = count;
    args.parameters = parameters;
    execute(reduce, args);
    check_ready(scratch);
    return content_of(output);
}

/// One that loads its elements from `input`.
Data reduced_from(const OwnOperation& operation, uint32_t words, const Data& input) {
    Reduce::Desc desc;
    desc.own                     = &operation;
    const auto            reduce = value_of(Reduce::create(device().context(), desc));
    const auto            count  = static_cast<uint32_t>(input.size() / words);
    const runtime::Buffer source = buffer_with(input), output = buffer_of_zeros(words * 4);
    const runtime::Buffer scratch = scratch_of(scratch_size_of(reduce, count));
    execute(reduce, {source.address(), output.address(), scratch.address(), count});
    check_ready(scratch);
    return content_of(output);
}

/// The inclusive scan of `input`.
Data scanned_from(const OwnOperation& operation, uint32_t words, const Data& input) {
    Scan::Desc desc;
    desc.own                     = &operation;
    desc.kind                    = Scan::Kind::inclusive;
    const auto            scan   = value_of(Scan::create(device().context(), desc));
    const auto            count  = static_cast<uint32_t>(input.size() / words);
    const runtime::Buffer source = buffer_with(input), scratch = scratch_of(scratch_size_of(scan, count));
    execute(scan, {source.address(), source.address(), scratch.address(), count});
    return content_of(source);
}

float number(uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
uint32_t bits(float value) {
    uint32_t word;
    std::memcpy(&word, &value, sizeof word);
    return word;
}

/// Small whole numbers, of which all sums and products here are exact.
std::vector<float> whole_numbers(uint32_t count, uint32_t seed) {
    std::vector<float> numbers;
    for (uint32_t i = 0; i < count; ++i)
        numbers.push_back(static_cast<float>(static_cast<int>((i * 2654435761u + seed) >> 27) - 16));
    return numbers;
}

/// The places that `hooks` is to load maps from, and what it makes of those there.
std::pair<Data, Data> gathered_of(const Data& maps) {
    const auto count = static_cast<uint32_t>(maps.size() / 2);
    Data       indices, gathered;
    for (uint32_t i = 0; i < count; ++i) {
        indices.push_back(static_cast<uint32_t>(uint64_t{i} * 7919 % count));
        gathered.push_back(maps[2 * indices.back()]);
        gathered.push_back(maps[2 * indices.back() + 1] * 5);
    }
    return {indices, gathered};
}

} // namespace

TEST_CASE("own operations: load and store hooks, and parameters", "[device][own]") {
    constexpr uint32_t count       = 9001;
    const Subject&     maps        = subjects[2];
    const Data         input       = input_of(maps, count);
    const auto [indices, gathered] = gathered_of(input);
    const Data forth               = expected_of(maps, gathered, Scan::Kind::inclusive);
    Data       expected;
    for (uint32_t i = count; i-- > 0;) expected.insert(expected.end(), &forth[2 * i], &forth[2 * i] + 2);

    const runtime::Buffer source = buffer_with(input), places = buffer_with(indices),
                          output = buffer_of_zeros(count * 8);
    Scan::Desc desc;
    desc.own                      = &operations::hooks;
    desc.kind                     = Scan::Kind::inclusive;
    const auto            scan    = value_of(Scan::create(device().context(), desc));
    const runtime::Buffer scratch = scratch_of(scratch_size_of(scan, count));
    Scan::Args            args;
    args.scratch    = scratch.address();
    args.count      = count;
    args.parameters = {{source.address(), places.address(), output.address()}, {0, 0, count - 1, 5}};
    execute(scan, args);
    check_same(content_of(output), expected);
    check_ready(scratch);
}

// load() gets the number of an element in all, store() that of a segment.
TEST_CASE("own operations: hooks of segments", "[device][own]") {
    const Subject&              maps    = subjects[2];
    const std::vector<uint32_t> lengths = {0, 4, 1, 100, 2000, 9001, 2, 20003};
    std::vector<uint32_t>       offsets{0};
    for (uint32_t length : lengths) offsets.push_back(offsets.back() + length);
    const uint32_t count = offsets.back(), rows = 7;
    const Data     input           = input_of(maps, count);
    const auto [indices, gathered] = gathered_of(input);
    const runtime::Buffer source = buffer_with(input), places = buffer_with(indices), limits = buffer_with(offsets);
    for (const auto kind : {SegmentLayout::offsets, SegmentLayout::rows}) {
        const bool is_rows  = kind == SegmentLayout::rows;
        const auto segments = is_rows ? rows : static_cast<uint32_t>(lengths.size());
        CAPTURE(is_rows);
        Data expected(2 * segments);
        for (uint32_t s = 0; s < segments; ++s) {
            const auto begin = gathered.begin() + 2 * (is_rows ? s * (count / rows) : offsets[s]);
            const auto end   = gathered.begin() + 2 * (is_rows ? (s + 1) * (count / rows) : offsets[s + 1]);
            const Data all   = expected_of(maps, {begin, end}, Scan::Kind::inclusive);
            std::copy(all.end() - 2, all.end(), expected.end() - 2 * (s + 1)); // from back to front
        }
        SegmentedReduce::Desc desc;
        desc.own                     = &operations::hooks;
        desc.segments                = kind;
        const auto            reduce = value_of(SegmentedReduce::create(device().context(), desc));
        const runtime::Buffer output = buffer_of_zeros(segments * 8);
        SegmentedReduce::Args args;
        Sizes{is_rows ? count / rows : count, segments}.put_into(args);
        const runtime::Buffer scratch = scratch_of(reduce.scratch_size(args));
        args.scratch                  = scratch.address();
        if (!is_rows) args.segments.offsets = limits.address();
        args.parameters = {{source.address(), places.address(), output.address()}, {0, 0, segments - 1, 5}};
        execute(reduce, args);
        check_same(content_of(output), expected);
        check_ready(scratch);
    }
}

TEST_CASE("own operations: scans of segments that a file loads and stores", "[device][own]") {
    const Subject               maps{"maps", &operations::affine_u32, 2, {1}, affine, 1};
    const std::vector<uint32_t> lengths = {3, 0, 700, 5000, 1, 40, 20000, 2};
    std::vector<uint32_t>       offsets{0};
    for (uint32_t length : lengths) offsets.push_back(offsets.back() + length);
    const uint32_t count = offsets.back(), rows = 7;
    const Data     input           = input_of(maps, count);
    const auto [indices, gathered] = gathered_of(input);
    const runtime::Buffer source = buffer_with(input), places = buffer_with(indices), limits = buffer_with(offsets);
    for (const auto kind : {SegmentLayout::offsets, SegmentLayout::rows}) {
        const bool is_rows  = kind == SegmentLayout::rows;
        const auto segments = is_rows ? rows : static_cast<uint32_t>(lengths.size());
        CAPTURE(is_rows);
        Data expected(2 * count);
        for (uint32_t s = 0; s < segments; ++s) {
            const uint32_t first = is_rows ? s * (count / rows) : offsets[s];
            const uint32_t end   = is_rows ? (s + 1) * (count / rows) : offsets[s + 1];
            const Data     all =
                expected_of(maps, {gathered.begin() + 2 * first, gathered.begin() + 2 * end}, Scan::Kind::inclusive);
            for (uint32_t i = first; i < end; ++i) { // from back to front
                for (uint32_t word = 0; word < 2; ++word)
                    expected[2 * (count - 1 - i) + word] = all[2 * (i - first) + word];
            }
        }
        SegmentedScan::Desc desc;
        desc.own                     = &operations::hooks;
        desc.segments                = kind;
        desc.kind                    = Scan::Kind::inclusive;
        const auto            scan   = value_of(SegmentedScan::create(device().context(), desc));
        const runtime::Buffer output = buffer_of_zeros(count * 8);
        SegmentedScan::Args   args;
        Sizes{is_rows ? count / rows : count, segments}.put_into(args);
        const runtime::Buffer scratch = scratch_of(scan.scratch_size(args));
        args.scratch                  = scratch.address();
        if (!is_rows) args.segments.offsets = limits.address();
        args.parameters = {{source.address(), places.address(), output.address()}, {0, 0, count - 1, 5}};
        execute(scan, args);
        check_same(content_of(output), expected);
        check_ready(scratch);
    }
}

TEST_CASE("own operations that come with vkprim", "[device][own]") {
    constexpr uint32_t       count = 30011;
    const std::vector<float> x = whole_numbers(count, 1), y = whole_numbers(count, 77);
    const runtime::Buffer    first = buffer_with(x), second = buffer_with(y);

    SECTION("aabb") {
        Data  boxes;
        Data  expected(6);
        float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        for (uint32_t i = 0; i + 5 < count; i += 6) {
            for (uint32_t axis = 0; axis < 3; ++axis) {
                const float from = x[i + axis] * 1.5f, to = from + std::fabs(x[i + 3 + axis]);
                low[axis]  = std::min(low[axis], from);
                high[axis] = std::max(high[axis], to);
            }
            for (uint32_t axis = 0; axis < 3; ++axis) boxes.push_back(bits(x[i + axis] * 1.5f));
            for (uint32_t axis = 0; axis < 3; ++axis)
                boxes.push_back(bits(x[i + axis] * 1.5f + std::fabs(x[i + 3 + axis])));
        }
        for (uint32_t axis = 0; axis < 3; ++axis) {
            expected[axis]     = bits(low[axis]);
            expected[3 + axis] = bits(high[axis]);
        }
        check_same(reduced_from(operations::aabb, 6, boxes), expected);
    }
    SECTION("dot") {
        float sum = 0;
        for (uint32_t i = 0; i < count; ++i) sum += x[i] * y[i];
        check_same(reduced(operations::dot, 1, count, {{first.address(), second.address()}, {}}), Data{bits(sum)});
    }
    SECTION("moments") {
        // Within the bound for pairwise updates: the deviation of M2 is a few ulps of it for each of log2(count) levels.
        const Data got = reduced(operations::moments, 3, count, {{first.address()}, {}});
        double     sum = 0, m2 = 0;
        for (float value : x) sum += value;
        for (float value : x) m2 += (value - sum / count) * (value - sum / count);
        CHECK(number(got[0]) == count);
        CHECK(std::fabs(number(got[1]) - sum / count) < 16 * 1e-6);
        CHECK(std::fabs(number(got[2]) - m2) < m2 * 15 * 4 * 6e-8);
    }
    SECTION("log-sum-exp") {
        // exp() of Vulkan: 3 + 2 |x| ulp (precision of GLSL.std.450 Exp), here at most 67; the additions one for each of 15 levels.
        double sum = 0;
        for (float value : x) sum += std::exp(static_cast<double>(value) - 15);
        const Data got = reduced(operations::log_sum_exp, 2, count, {{first.address()}, {}});
        CHECK(number(got[0]) == 15);
        CHECK(std::fabs(number(got[1]) - sum) < sum * (15 + 15 * 67) * 6e-8);
    }
    SECTION("nearest") {
        const uint32_t points = count / 3;
        float          least  = INFINITY;
        uint32_t       index  = 0;
        for (uint32_t i = 0; i < points; ++i) {
            float distance = 0;
            for (uint32_t axis = 0; axis < 3; ++axis) distance += (x[3 * i + axis] - 100) * (x[3 * i + axis] - 100);
            if (distance < least) {
                least = distance;
                index = i;
            }
        }
        const uint32_t hundred = bits(100);
        check_same(reduced(operations::nearest, 2, points, {{first.address()}, {hundred, hundred, hundred}}),
                   Data{bits(least), index});
        // Nothing is near where all is NaN.
        const runtime::Buffer nothing = buffer_with(Data(3 * 100, 0x7fc00000));
        check_same(reduced(operations::nearest, 2, 100, {{nothing.address()}, {}}), Data{0x7f800000, UINT32_MAX});
    }
    SECTION("segmented sums and matrices") {
        Data     flagged, matrices, expected;
        float    sum  = 0;
        uint32_t head = 0;
        for (uint32_t i = 0; i < count; ++i) {
            const bool begins = x[i] == 3;
            sum               = begins ? y[i] : sum + y[i];
            head |= begins ? 1 : 0;
            flagged.insert(flagged.end(), {begins ? 1u : 0u, bits(y[i])});
            expected.insert(expected.end(), {head, bits(sum)});
        }
        check_same(scanned_from(operations::segmented_sum, 2, flagged), expected);
        // The same by keys, which change at each of those heads, without a flag in memory. The sums alone are put out.
        Data     keys, sums;
        uint32_t key = 7;
        for (uint32_t i = 0; i < count; ++i) {
            key += x[i] == 3 ? 1 : 0;
            keys.push_back(key);
            sums.push_back(expected[2 * i + 1]);
        }
        Scan::Desc desc;
        desc.own                        = &operations::sum_by_key;
        desc.kind                       = Scan::Kind::inclusive;
        const auto            by_key    = value_of(Scan::create(device().context(), desc));
        const runtime::Buffer key_words = buffer_with(keys), totals = buffer_of_zeros(count * 4);
        const runtime::Buffer scratch = scratch_of(scratch_size_of(by_key, count));
        Scan::Args            args;
        args.scratch                 = scratch.address();
        args.count                   = count;
        args.parameters.addresses[0] = key_words.address();
        args.parameters.addresses[1] = second.address();
        args.parameters.addresses[2] = totals.address();
        execute(by_key, args);
        check_same(content_of(totals), sums);
        // Powers of a matrix that shears: exact.
        for (uint32_t i = 0; i < count; ++i) matrices.insert(matrices.end(), {bits(1), bits(x[i]), bits(0), bits(1)});
        float shear = 0;
        for (float value : x) shear += value;
        check_same(reduced_from(operations::matrix2, 4, matrices), Data{bits(1), bits(shear), bits(0), bits(1)});
    }
    SECTION("affine maps") {
        // x[i] = x[i - 1] / 2 + b[i], exact for a while, and then within the rounding of each step.
        Data maps;
        for (float value : y) maps.insert(maps.end(), {bits(0.5f), bits(value)});
        const Data got   = scanned_from(operations::affine, 2, maps);
        double     value = 0;
        for (uint32_t i = 0; i < count; ++i) {
            value = value / 2 + y[i];
            REQUIRE(std::fabs(number(got[2 * i + 1]) - value) < 32 * 4 * 6e-8);
        }
    }
}

// Scales below one, whose products come near zero: the bits are those of every other driver.
TEST_CASE("own operations: a scan of affine maps has the same bits on every device", "[device][own]") {
    constexpr uint32_t count = 300001;
    Data               maps;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t random = i * 2654435761u;
        maps.push_back(bits(static_cast<float>(random >> 8) / 16777216.0f * 1.9f - 0.95f));
        maps.push_back(bits(static_cast<float>((random ^ i << 13) >> 9) / 65536.0f));
    }
    uint32_t hash = 0;
    for (uint32_t word : scanned_from(operations::affine, 2, maps)) hash = (hash ^ word) * 0x01000193u;
    CHECK(hash == 0x4988f6e6); // of lavapipe 4, 8 and 16, and of SwiftShader
}

TEST_CASE("own operations: what create() and validate() refuse", "[device][own]") {
    const Context context = device().context();
    Reduce::Desc  desc;
    OwnOperation  nothing;
    desc.own = &nothing;
    check_error(Reduce::create(context, desc), ErrorKind::invalid_desc, "no code for reduce");
    Data         no_module(100, 7);
    OwnOperation garbage;
    for (OwnOperation::Module& module : garbage.reduce) module = {no_module.data(), no_module.size() * 4};
    desc.own = &garbage;
    check_error(Reduce::create(context, desc), ErrorKind::invalid_desc, "malformed module for reduce");
    // A module that ends in the middle of an instruction.
    OwnOperation cut = operations::aabb;
    for (OwnOperation::Module& module : cut.reduce) module.size = 48;
    desc.own = &cut;
    check_error(Reduce::create(context, desc), ErrorKind::invalid_desc, "malformed module for reduce");

    desc.own            = &operations::aabb;
    const auto   reduce = value_of(Reduce::create(context, desc));
    Reduce::Args args;
    args.input   = 1 << 20;
    args.output  = (2 << 20) + 4; // boxes of 24 bytes are aligned to 8
    args.scratch = 3 << 20;
    args.count   = 10;
    check_error(reduce.validate(args), ErrorKind::invalid_args, "output");

    Scan::Desc scan_desc;
    scan_desc.own   = &operations::two_matrices;
    const auto scan = value_of(Scan::create(context, scan_desc));
    Scan::Args many;
    many.input = many.output = 1ull << 40;
    many.scratch             = 1ull << 50;
    many.count               = 1u << 30;
    CHECK(scan.validate(many));
    many.count = UINT32_MAX;
    check_error(scan.validate(many), ErrorKind::invalid_args, "needs too much scratch");
}

} // namespace vkprim::tests
