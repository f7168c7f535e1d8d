#include <vkprim/segmented_sort.h>

#include <fmt/format.h>

#include "segments.h"
#include "sorted.h"
#include "variants.h"
#include "workload.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace vkprim::harness::segmented_sort_primitive {
namespace {

using Values  = SegmentedSort::Values;
using Variant = SortVariant; ///< desc.segments says whether segments are rows

std::string name_of_variant(const Variant& variant) {
    return variant.desc.segments == SegmentLayout::rows ? text_of(variant) : "offsets " + text_of(variant);
}

SegmentedSort::Desc desc_of(const Variant& variant) {
    const Sort::Desc& desc = variant.desc;
    return {desc.key, desc.values, desc.descending,
            desc.segments == SegmentLayout::rows ? SegmentLayout::rows : SegmentLayout::offsets};
}

/// All keys alone and with indices, and a few with each size of values; floats in descending order, and ranges of bits. Sort has the other
/// combinations, by the same code. Of rows, those that differ in what finds a row's keys, values and indices.
const std::vector<Variant>& variants() {
    static const std::vector<Variant> all = [] {
        std::vector<Variant> variants;
        for (Values values : {Values::none, Values::indices, Values::bytes4, Values::bytes8, Values::bytes16}) {
            for (ElementType key : sort_key_types) {
                const bool is_float = key == ElementType::f32 || key == ElementType::f64 || key == ElementType::f16;
                if ((key_size(key) < 4 || is_float) && values > Values::indices) continue;
                variants.push_back({{key, values, is_float}});
            }
        }
        variants.push_back({{ElementType::u32, Values::bytes8, true}, 5, 22});
        variants.push_back({{ElementType::u64, Values::indices}, 27, 44});
        variants.push_back({{ElementType::u16}, 5, 11});
        variants.push_back({{ElementType::u32, Values::none, false, SegmentLayout::rows}});
        variants.push_back({{ElementType::u16, Values::indices, false, SegmentLayout::rows}});
        variants.push_back({{ElementType::f32, Values::none, true, SegmentLayout::rows}});
        variants.push_back({{ElementType::u8, Values::none, false, SegmentLayout::rows}});
        variants.push_back({{ElementType::i64, Values::bytes8, false, SegmentLayout::rows}});
        variants.push_back({{ElementType::f64, Values::bytes4, true, SegmentLayout::rows}});
        variants.push_back({{ElementType::u32, Values::bytes16, true, SegmentLayout::rows}});
        variants.push_back({{ElementType::u64, Values::indices, false, SegmentLayout::rows}, 27, 44});
        return variants;
    }();
    return all;
}

enum class Longest { unknown, known };

struct Shape {
    SegmentShape segments = {};
    Longest      longest  = Longest::known;
    Order        order    = Order::random;
};

/// `offsets`, which the rows of `length` have without gaps.
void verify_case(Verifier& verifier, const SegmentedSort& sort, const Variant& variant, const Offsets& offsets,
                 uint32_t all, uint32_t length, const Shape& shape) {
    const Sort::Desc& desc = variant.desc;
    const uint32_t    size = key_size(desc.key), wide = value_size(desc.values), read = read_size(desc.values);
    const auto        segments = static_cast<uint32_t>(offsets.size() - 1);
    const uint32_t    gap      = desc.segments == SegmentLayout::rows ? shape.segments.gap : 0;
    if (desc.segments == SegmentLayout::rows) all += (segments - 1) * gap;
    const Bytes data = input_of(variant, keys_of(desc.key, all, shape.order, verifier.random()), verifier.random());
    // Where there are none, keys and values have addresses of their own all the same.
    const uint32_t     some = all + ((desc.segments == SegmentLayout::rows ? length : all) == 0 ? 1 : 0);
    const Places       from = places_of(size, read, some), to = places_of(size, wide, some);
    const bool         in_place = shape.segments.in_place && desc.values != Values::indices;
    const SegmentInput input    = segment_input(offsets, data, shape.segments);
    const Range        memory   = verifier.input(input.bytes.data(), input.bytes.size(), 0);
    Range              output   = memory;
    uint64_t           at       = input.elements_at; ///< of the output
    Bytes              sorted   = data;              // what is in no segment stays as it is
    if (!in_place) {
        output = verifier.output(uint64_t{all} * output_size(variant), shape.segments.misalignment);
        at     = 0;
        sorted.resize(output.size);
        const uint32_t guard = verifier.output_guard();
        for (size_t i = 0; i < sorted.size(); ++i)
            sorted[i] = static_cast<uint8_t>(guard >> (shape.segments.misalignment + i) % 4 * 8);
    }
    uint64_t longest = 1;
    for (uint32_t s = 0; s < segments; ++s) {
        const uint64_t count = offsets[s + 1] - offsets[s];
        longest              = std::max(longest, count);
        sort_segment(variant, data, sorted, offsets[s] + uint64_t{s} * gap, static_cast<uint32_t>(count));
    }
    Bytes expected = in_place ? input.bytes : sorted;
    if (!sorted.empty()) std::memcpy(&expected[at], sorted.data(), sorted.size());

    SegmentedSort::Args args;
    args.keys           = memory.address + input.elements_at + from.keys;
    args.values         = read > 0 ? memory.address + input.elements_at + from.values : 0;
    args.output_keys    = output.address + at + to.keys;
    args.output_values  = output.address + at + to.values;
    args.count          = desc.segments == SegmentLayout::rows ? length : all;
    args.segments.count = segments;
    if (shape.longest == Longest::known) args.segments.longest = static_cast<uint32_t>(longest);
    if (desc.segments == SegmentLayout::rows) {
        args.segments.pitch = gap > 0 ? VkDeviceSize{length + gap} * size : 0;
    } else {
        args.segments.offsets     = memory.address + SegmentInput::offsets_at;
        args.segments.offset_size = shape.segments.wide ? 8 : 4;
    }
    if (shape.segments.on_gpu) {
        args.count_address = verifier.gpu_count(args.count);
        args.count += desc.segments == SegmentLayout::rows ? gap : args.count + 7;
        if (desc.segments != SegmentLayout::rows) {
            args.segments.count_address = memory.address;
            args.segments.count += args.segments.count + 100;
        }
    }
    args.begin_bit = variant.begin_bit;
    args.end_bit   = variant.end_bit;
    verifier.lend(sort, args);
    const uint32_t times = in_place ? 1 : 2;
    verifier.prove(sort, args, {times, 1}, output, expected.data(), output_format(variant));
}

/// Alignment of the larger part, so that both are aligned.
uint32_t misalignment_of(const Variant& variant, uint32_t elements) {
    return elements * std::max({key_size(variant.desc.key), value_size(variant.desc.values), 4u});
}

void verify_offsets(Verifier& verifier, const SegmentedSort& sort, const Variant& variant) {
    const uint32_t        longest = sort.most_short();
    std::vector<uint32_t> counts  = {0,    1,    2,    31,   33,          255,     257,         1023,  1025,
                                     2047, 2049, 4099, 8193, longest - 1, longest, longest + 1, 20003, 150001};
    if (verifier.extent() == Extent::full) counts = verifier.edge_counts();
    if (!verifier.counts().empty()) counts = verifier.counts();
    for (uint32_t count : counts) {
        const auto run = [&](const std::string& name, Cut cut, Shape shape, uint32_t offset = 0) {
            const bool many = cut == Cut::ones || cut == Cut::few || cut == Cut::gaps;
            if (many && count > 300000 && verifier.extent() != Extent::full) return;
            if (uint64_t{count} * output_size(variant) > 9u << 20) return; // takes long on a CPU
            if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
            shape.segments.misalignment = misalignment_of(variant, offset);
            verify_case(verifier, sort, variant, offsets_of(cut, count, verifier.random()), count, 0, shape);
        };
        const SegmentShape in_place{0, 0, false, false, 1, 0, true}, wide{0, 0, true}, on_gpu{0, 0, false, true};
        run("one", Cut::one, {});
        run("one, unknown, in place", Cut::one, {in_place, Longest::unknown});
        run("ones", Cut::ones, {}, 1);
        run("few", Cut::few, {{}, Longest::known, Order::few});
        run("few, wide offsets, in place", Cut::few, {{0, 0, true, false, 1, 0, true}, Longest::known, Order::special},
            3);
        run("few, unknown", Cut::few, {{}, Longest::unknown, Order::few}, 1);
        run("middle", Cut::middle, {}, 2);
        run("middle, equal, in place", Cut::middle, {in_place, Longest::known, Order::equal});
        run("middle, on the GPU", Cut::middle, {on_gpu, Longest::known, Order::special}, 1);
        run("many", Cut::many, {{}, Longest::known, Order::few});
        run("tiles", Cut::tiles, {});
        run("skewed", Cut::skewed, {{}, Longest::known, Order::special}, 1);
        run("skewed, unknown, wide offsets", Cut::skewed, {wide, Longest::unknown, Order::few});
        run("skewed, unknown, on the GPU, in place", Cut::skewed,
            {{0, 0, true, true, 1, 0, true}, Longest::unknown, Order::random}, 3);
        run("empty", Cut::empty, {});
        run("empty, unknown", Cut::empty, {{}, Longest::unknown});
        run("first", Cut::first, {}, 1);
        run("gaps", Cut::gaps, {});
        run("gaps, in place", Cut::gaps, {in_place, Longest::known, Order::few}, 1);
        run("gaps, unknown", Cut::gaps, {{}, Longest::unknown});
        run("gaps, unknown, in place", Cut::gaps, {in_place, Longest::unknown, Order::few});
    }
    // Segments of about as many keys as one that is short; then all of one length.
    if (!verifier.counts().empty()) return;
    const uint32_t subgroup = verifier.device().info().subgroup_size;
    for (uint32_t length :
         {subgroup - 1, subgroup, subgroup + 1, 255u, 256u, 257u, longest - 1, longest, longest + 1}) {
        if (!verifier.wants(fmt::format("segments of {}", length))) continue;
        const Offsets offsets = rows_of(length, 5 * longest + 3);
        verify_case(verifier, sort, variant, offsets, static_cast<uint32_t>(offsets.back()), 0, {});
    }
    for (uint32_t segments : {1u, 1000u}) {
        if (!verifier.wants(fmt::format("{} segments of no keys", segments))) continue;
        verify_case(verifier, sort, variant, Offsets(segments + 1, 3), 1000, 0, {});
    }
}

/// Here a count is of a row's keys.
void verify_rows(Verifier& verifier, const SegmentedSort& sort, const Variant& variant) {
    const uint32_t        longest = sort.most_short();
    std::vector<uint32_t> counts  = {0,   1,   2,    3,    31,          32,      33,          100,  255,
                                     256, 257, 1023, 1025, longest - 1, longest, longest + 1, 4099, 20003};
    if (verifier.extent() == Extent::full) counts = verifier.edge_counts();
    if (!verifier.counts().empty()) counts = verifier.counts();
    for (uint32_t count : counts) {
        const auto run = [&](uint32_t rows, const std::string& name, Shape shape, uint32_t offset = 0) {
            if (uint64_t{count} * rows * output_size(variant) > 9u << 20) return; // takes long on a CPU
            if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
            Offsets offsets(rows + 1);
            for (uint64_t row = 0; row <= rows; ++row) offsets[row] = row * count;
            shape.segments.misalignment = misalignment_of(variant, offset);
            verify_case(verifier, sort, variant, offsets, count * rows, count, shape);
        };
        run(1, "1 row", {});
        run(3, "3 rows with gaps, few", {{0, 13}, Longest::known, Order::few}, 1);
        run(7, "7 rows, special, in place", {{0, 0, false, false, 1, 0, true}, Longest::known, Order::special});
        run(70, "70 rows with gaps, in place", {{0, 1, false, false, 1, 0, true}}, 3);
        run(1003, "1003 rows, few", {{}, Longest::known, Order::few}, 2);
        run(1003, "1003 rows with gaps, on the GPU", {{0, 5, false, true}});
        run(5000, "5000 rows", {});
    }
}

void verify_segments(Verifier& verifier) {
    // Of both: every kind of key, of value, of both; the pairs extent has the first few.
    static const std::set<std::string> first = {"offsets u32 alone", "offsets f32 indices descending",
                                                "offsets i64 4-byte", "rows u32 alone", "rows u16 indices"};
    static const std::set<std::string> quick = {"offsets u32 16-byte",
                                                "offsets u8 alone",
                                                "offsets u64 alone",
                                                "offsets f64 indices descending",
                                                "offsets f16 indices descending",
                                                "offsets i32 8-byte",
                                                "offsets u32 8-byte descending bits=5,22",
                                                "offsets u16 alone bits=5,11",
                                                "rows f32 alone descending",
                                                "rows i64 8-byte",
                                                "rows u32 16-byte descending",
                                                "rows u8 alone",
                                                "rows u64 indices bits=27,44"};
    for (const Variant& variant : variants()) {
        const std::string name     = name_of_variant(variant);
        const bool        is_first = first.count(name) > 0, is_quick = is_first || quick.count(name) > 0;
        if (verifier.extent() <= Extent::pairs && !is_first) continue;
        if (verifier.extent() == Extent::quick && !is_quick) continue;
        const bool is_in_all = name == "offsets u32 alone" || name == "rows u32 alone";
        if (!verifier.group("segmented_sort " + name, is_in_all ? Cover::all : Cover::pairs,
                            way_of(variant.desc.key, variant.desc.segments == SegmentLayout::rows)))
            continue;
        if (const std::string missing = missing_for(variant.desc.key, verifier.device()); !missing.empty()) {
            verifier.skip(missing);
            continue;
        }
        const auto sort = verifier.create<SegmentedSort>(desc_of(variant));
        if (!sort) continue;
        (variant.desc.segments == SegmentLayout::rows ? verify_rows : verify_offsets)(verifier, *sort, variant);
    }
}

/// Of segments of `length`, or of such a cut.
Result<Workload> prepare(const runtime::Device& device, const Variant& variant, Cut cut, uint32_t length,
                         Longest longest, const BenchSize& size) {
    length                  = std::min(length, size.count);
    const Offsets  offsets  = length > 0 ? rows_of(length, size.count) : offsets_of(cut, size.count, Random(1));
    const auto     count    = static_cast<uint32_t>(offsets.back());
    const auto     segments = static_cast<uint32_t>(offsets.size() - 1);
    const uint32_t read     = read_size(variant.desc.values);
    const Bytes    keys     = keys_of(variant.desc.key, count, Data::random, Random(1));
    const Places   from     = places_of(key_size(variant.desc.key), read, count);
    const Places   to       = places_of(key_size(variant.desc.key), value_size(variant.desc.values), count);
    const auto     data     = std::make_shared<const Bytes>(input_of(variant, keys, Random(2)));
    SegmentInput   input    = segment_input(offsets, *data, {});
    WorkloadDesc   desc;
    desc.size = size;
    desc.input =
        variant.desc.segments == SegmentLayout::rows ? data : std::make_shared<const Bytes>(std::move(input.bytes));
    desc.output_size   = uint64_t{count} * output_size(variant);
    desc.bytes_written = desc.output_size;
    desc.format        = output_format(variant);
    desc.expected      = [=] {
        Bytes expected(uint64_t{count} * output_size(variant));
        for (uint32_t s = 0; s < segments; ++s) {
            sort_segment(variant, *data, expected, offsets[s], static_cast<uint32_t>(offsets[s + 1] - offsets[s]));
        }
        return expected;
    };
    const auto args_of = [=, elements_at = input.elements_at](const Operands& operands) {
        const bool          rows = variant.desc.segments == SegmentLayout::rows;
        SegmentedSort::Args args;
        args.keys             = operands.input + (rows ? 0 : elements_at) + from.keys;
        args.values           = read > 0 ? operands.input + (rows ? 0 : elements_at) + from.values : 0;
        args.output_keys      = operands.output + to.keys;
        args.output_values    = operands.output + to.values;
        args.temporary        = operands.temporary;
        args.segments.offsets = rows ? 0 : operands.input + SegmentInput::offsets_at;
        args.count            = rows ? length : count;
        args.segments.count   = segments;
        args.segments.longest = longest == Longest::known ? length : 0;
        return args;
    };
    return workload_of<SegmentedSort>(device, desc_of(variant), desc, args_of);
}

/// `length`: of rows, or of segments that are all alike; else 0.
BenchDesc bench(const std::string& name, const Variant& variant, Cut cut, uint32_t length,
                Longest longest = Longest::known) {
    return {name, name_of(variant.desc.key), key_size(variant.desc.key),
            [=](const runtime::Device& device, const BenchSize& size) {
                return prepare(device, variant, cut, length, longest, size);
            },
            Counting::host};
}

std::vector<BenchDesc> benches() {
    std::vector<BenchDesc> all;
    const Variant alone{{ElementType::u32}}, rows{{ElementType::u32, Values::none, false, SegmentLayout::rows}};
    const Variant indices{{ElementType::f32, Values::indices, /*descending=*/true}};
    for (uint32_t length : {32u, 100u, 1024u}) {
        all.push_back(bench(fmt::format("u32, rows of {}", length), rows, Cut::one, length));
    }
    for (uint32_t length : {32u, 100u, 1024u}) {
        all.push_back(bench(fmt::format("u32, offsets of {}", length), alone, Cut::one, length));
    }
    all.push_back(bench("u32, offsets of 100, of any length", alone, Cut::one, 100, Longest::unknown));
    all.push_back(bench("u32, skewed", alone, Cut::skewed, 0));
    all.push_back(bench("f32, indices, offsets of 100", indices, Cut::one, 100));
    return all;
}

// A variant is that of a sort and a number, of which the offsets are made: name_of_variant() and the number. Keys alone, or the indices alone
// as output, since keys go to temporary memory then.
struct PropertyVariant {
    Variant  sort;
    uint32_t number = 0;
};

std::string text_of(const PropertyVariant& variant) {
    return fmt::format("{} {}", text_of(variant.sort), variant.number);
}

const std::vector<PropertyVariant>& property_variants() {
    static const std::vector<PropertyVariant> all = [] {
        std::vector<PropertyVariant> those;
        for (uint32_t number = 0; number < property_numbers; ++number) {
            for (Variant variant : {Variant{{ElementType::u32}}, Variant{{ElementType::i64, Values::none, true}},
                                    Variant{{ElementType::f32, Values::indices}}, Variant{{ElementType::u32}, 3, 13}})
                those.push_back({variant, number});
        }
        return those;
    }();
    return all;
}

uint64_t sorted_keys_size(const Variant& variant, uint32_t bound) {
    if (variant.desc.values == Values::none) return 0;
    return (uint64_t{bound} * key_size(variant.desc.key) + 15) / 16 * 16;
}

Model model_of(const PropertyVariant& one) {
    const Variant  variant = one.sort;
    const uint32_t size    = key_size(variant.desc.key);
    const bool     alone   = variant.desc.values == Values::none;
    Model          model;
    model.format           = output_format(variant);
    model.input_size       = size;
    model.output_alignment = alone ? size : 4;
    model.in_place         = alone;
    model.output_size      = [=](uint32_t count) { return uint64_t{count} * (alone ? size : 4); };
    model.ahead            = PropertySegments{one.number}.ahead();
    model.temporary_size   = [=](uint32_t bound) {
        return sorted_keys_size(variant, bound) + uint64_t{bound} * (size + 12 + 2 * (size + 4)) + 128 +
               (uint64_t{bound} / 256 + 2) * 2048;
    };
    model.input = [=](uint32_t count, Data data, Random random) {
        return keys_of(variant.desc.key, count, data, random);
    };
    model.expect = [=](const uint8_t* input, uint32_t count, uint8_t* output) {
        const Offsets offsets = PropertySegments{one.number}.offsets(count);
        for (size_t s = 0; s + 1 < offsets.size(); ++s) {
            const auto     length = static_cast<uint32_t>(offsets[s + 1] - offsets[s]);
            const uint8_t* keys   = input + offsets[s] * size;
            const Bytes    sorted = expected_of(variant, keys, keys, length);
            const uint64_t from = alone ? 0 : places_of(size, 4, length).values, each = alone ? size : 4;
            if (length > 0) std::memcpy(output + offsets[s] * each, &sorted[from], length * each);
        }
    };
    return model;
}

Result<Operator> operator_for(const Context& context, const PropertyVariant& one) {
    const Variant variant = one.sort;
    return create_operator<SegmentedSort>(context, desc_of(variant), [=](const Operands& operands) {
        const bool          alone = variant.desc.values == Values::none;
        SegmentedSort::Args args;
        args.keys             = operands.input;
        args.output_keys      = alone ? operands.output : operands.temporary;
        args.output_values    = alone ? 0 : operands.output;
        args.temporary        = operands.temporary + sorted_keys_size(variant, operands.count);
        args.segments.offsets = operands.input - (property_segments + 1) * 4;
        args.count            = operands.count;
        args.segments.count   = property_segments;
        args.count_address    = operands.count_address;
        args.begin_bit        = variant.begin_bit;
        args.end_bit          = variant.end_bit;
        return args;
    });
}

const Property property =
    property_of(Listed<PropertyVariant>(
                    property_variants(), [](const PropertyVariant& variant) { return text_of(variant); },
                    fmt::format("segmented_sort: no key, what goes with it, and a number below {}, such as "
                                "'u32 alone 0'",
                                property_numbers)),
                model_of, operator_for, [](const runtime::Device& device, const PropertyVariant& variant) {
                    return missing_for(variant.sort.desc.key, device).empty();
                });

Contract contract(const std::string& variant) {
    Contract contract;
    contract.variant                 = variant;
    contract.pipelines               = 15;
    contract.pipelines_on_cpu        = 11;
    contract.all_shapes              = {{"sort.tiny_items", 2}, {"sort.large_items", 10}};
    contract.pipelines_without_waits = 15;
    contract.most_elements           = UINT32_MAX - 2 * property_segments; // SegmentedSort::Size
    contract.knobs                   = {{"segmented_sort.items", 1, 24}, {"segmented_sort.log2_workgroup", 7, 10}};
    return contract;
}

const Registration registration({"segmented_sort",
                                 verify_segments,
                                 benches(),
                                 {{"segmented_sort.items", "u32, offsets of 100", 1u << 24, {4, 8, 12, 16, 20}},
                                  {"segmented_sort.log2_workgroup", "u32, offsets of 100", 1u << 24, {7, 8, 9}}},
                                 property,
                                 {contract("u32 alone 0")},
                                 {},
                                 {{"offsets u32 alone count=4099", "rows u32 alone count=257"},
                                  {"offsets f32 indices descending count=4099", "rows u32 alone count=257"},
                                  {},
                                  {}}});

} // namespace
} // namespace vkprim::harness::segmented_sort_primitive
