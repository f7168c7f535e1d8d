#include <vkprim/sort.h>

#include <fmt/format.h>

#include "elements.h"
#include "keys.h"
#include "sorted.h"
#include "variants.h"
#include "workload.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace vkprim::harness::sort_primitive {
namespace {

using Values  = Sort::Values;
using Variant = SortVariant;

/// All keys with all values, narrow ones but alone and with indices, in both directions; and ranges of bits, of one pass up to all.
const std::vector<Variant>& variants() {
    static const std::vector<Variant> all = [] {
        std::vector<Variant> variants;
        for (Values values : {Values::none, Values::indices, Values::bytes4, Values::bytes8, Values::bytes16}) {
            for (ElementType key : sort_key_types) {
                if (key_size(key) < 4 && values > Values::indices) continue;
                for (bool descending : {false, true}) variants.push_back({{key, values, descending}});
            }
        }
        for (Values values : {Values::none, Values::indices, Values::bytes8}) {
            variants.push_back({{ElementType::u32, values}, 0, 8});
            variants.push_back({{ElementType::u32, values}, 3, 4});
            variants.push_back({{ElementType::u32, values, true}, 5, 22});
            variants.push_back({{ElementType::i32, values}, 31, 32});
            variants.push_back({{ElementType::i32, values}, 1, 32});
            variants.push_back({{ElementType::u64, values}, 27, 44});
            variants.push_back({{ElementType::i64, values, true}, 0, 33});
            variants.push_back({{ElementType::u16, values}, 5, 11});
        }
        return variants;
    }();
    return all;
}

/// Of these, rows are sorted: all sizes of keys and values, and passes of an odd number.
const std::vector<Variant>& rows_variants() {
    static const std::vector<Variant> all = {{{ElementType::u32, Values::none, false, SegmentLayout::rows}},
                                             {{ElementType::f32, Values::indices, false, SegmentLayout::rows}},
                                             {{ElementType::i64, Values::bytes4, false, SegmentLayout::rows}},
                                             {{ElementType::u8, Values::none, false, SegmentLayout::rows}},
                                             {{ElementType::u64, Values::none, false, SegmentLayout::rows}},
                                             {{ElementType::u8, Values::indices, true, SegmentLayout::rows}},
                                             {{ElementType::f32, Values::bytes16, true, SegmentLayout::rows}},
                                             {{ElementType::u32, Values::bytes8, true, SegmentLayout::rows}, 5, 22},
                                             {{ElementType::u64, Values::indices, false, SegmentLayout::rows}, 27, 44},
                                             {{ElementType::f16, Values::none, true, SegmentLayout::rows}}};
    return all;
}

struct Shape {
    uint32_t offset        = 0; ///< of the input, in its largest parts
    uint32_t output_offset = 0;
    bool     in_place      = false;
    uint32_t bound         = 0; ///< with a count on the GPU
    Order    order         = Order::random;
    uint32_t rows          = 1;
    uint32_t gap           = 0; ///< elements between rows
};

/// `bytes` with the first `count` keys and values of each row in their order; the rows are `stride` elements of `data` apart.
Bytes sorted_rows(const Variant& variant, const Bytes& data, Bytes bytes, uint32_t count, uint64_t rows,
                  uint64_t stride) {
    for (uint64_t row = 0; row < rows; ++row) sort_segment(variant, data, bytes, row * stride, count);
    return bytes;
}

void verify_case(Verifier& verifier, const Sort& sort, const Variant& variant, uint32_t count, const Shape& shape) {
    const uint32_t size = key_size(variant.desc.key), wide = value_size(variant.desc.values),
                   read       = read_size(variant.desc.values);
    const uint32_t host_count = std::max(count, shape.bound), stride = host_count + shape.gap;
    const uint32_t all  = (shape.rows - 1) * stride + count;
    const Bytes    keys = keys_of(variant.desc.key, all, shape.order, verifier.random());
    const Bytes    data = input_of(variant, keys, verifier.random());
    // Where there are none, keys and values have addresses of their own all the same: of a count on the GPU, the host does not know.
    const uint32_t some = all + (count == 0 ? 1 : 0);
    const Places   from = places_of(size, read, some), to = places_of(size, wide, some);

    const Range input    = verifier.input(data.data(), data.size(), shape.offset * std::max(size, read));
    Range       output   = input;
    Bytes       expected = data; // what is not sorted stays as it is
    if (!shape.in_place) {
        const uint32_t shift = shape.output_offset * std::max(size, wide);
        expected.resize(uint64_t{all} * output_size(variant));
        output               = verifier.output(expected.size(), shift);
        const uint32_t guard = verifier.output_guard();
        for (size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<uint8_t>(guard >> (shift + i) % 4 * 8);
    }
    expected = sorted_rows(variant, data, std::move(expected), count, shape.rows, stride);
    Sort::Args args;
    args.keys           = input.address + from.keys;
    args.values         = read > 0 ? input.address + from.values : 0;
    args.output_keys    = output.address + to.keys;
    args.output_values  = output.address + to.values;
    args.count          = host_count;
    args.segments.count = shape.rows;
    args.segments.pitch = shape.gap > 0 ? VkDeviceSize{stride} * size : 0;
    args.begin_bit      = variant.begin_bit;
    args.end_bit        = variant.end_bit;
    if (shape.bound > 0) args.count_address = verifier.gpu_count(count);
    verifier.lend(sort, args);
    // Sorting what is sorted finds it so, and leaves it, but for the indices.
    const uint32_t times = shape.in_place ? 1 : 2;
    verifier.prove(sort, args, {times, 1}, output, expected.data(), output_format(variant));
}

void verify_counts(Verifier& verifier, const Sort& sort, const Variant& variant) {
    // In place, indices have no place of their own.
    const bool            has_in_place = variant.desc.values != Values::indices;
    std::vector<uint32_t> counts       = {0,    1,    2,    31,   33,   255,  257,  1023,  1024,  1025,   2047,
                                          2048, 2049, 2561, 4097, 8191, 8192, 8193, 10241, 65537, 200003, 300001};
    if (verifier.extent() == Extent::full) counts = verifier.edge_counts();
    if (!verifier.counts().empty()) counts = verifier.counts();
    for (uint32_t count : counts) {
        const auto run = [&](const std::string& name, const Shape& shape) {
            if (shape.in_place && !has_in_place) return;
            if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
            verify_case(verifier, sort, variant, count, shape);
        };
        run("aligned", {});
        run("offset=1,3", {1, 3});
        run("offset=2,1", {2, 1});
        run("offset=3,2, few", {3, 2, false, 0, Order::few});
        run("in place", {0, 0, true});
        run("in place, offset=1, special", {1, 1, true, 0, Order::special});
        run("on the GPU", {0, 0, false, count + 1});
        run("on the GPU, large bound", {1, 0, false, 2 * count + 70000});
        run("on the GPU, special, in place", {0, 0, true, count + 1, Order::special});
        run("special", {0, 0, false, 0, Order::special});
        run("few", {0, 0, false, 0, Order::few});
        run("sorted", {0, 0, false, 0, Order::sorted});
        run("reversed", {0, 0, false, 0, Order::reversed});
        run("equal", {0, 0, false, 0, Order::equal});
    }
}

void verify_rows(Verifier& verifier, const Sort& sort, const Variant& variant) {
    const bool            has_in_place = variant.desc.values != Values::indices;
    std::vector<uint32_t> counts       = {0,    1,    2,    3,    31,   33,   255,  513,   1023,
                                          1024, 1025, 2047, 2048, 2049, 4099, 8193, 20003, 150001};
    if (verifier.extent() == Extent::full) counts = verifier.edge_counts();
    if (!verifier.counts().empty()) counts = verifier.counts();
    for (uint32_t count : counts) {
        const auto run = [&](const std::string& name, const Shape& shape) {
            if (shape.in_place && !has_in_place) return;
            if (uint64_t{count} * shape.rows * output_size(variant) > 9u << 20) return; // takes long on a CPU
            if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
            verify_case(verifier, sort, variant, count, shape);
        };
        run("1 row", {});
        run("3 rows", {0, 0, false, 0, Order::random, 3});
        run("3 rows with gaps, offset=1,3, few", {1, 3, false, 0, Order::few, 3, 13});
        run("3 rows in place", {0, 0, true, 0, Order::random, 3});
        run("7 rows, special", {0, 0, false, 0, Order::special, 7});
        run("70 rows with gaps, in place", {3, 3, true, 0, Order::special, 70, 1});
        run("70 rows, few", {0, 1, false, 0, Order::few, 70});
        run("1003 rows", {0, 0, false, 0, Order::random, 1003});
        run("5 rows, on the GPU", {0, 0, false, count + 1, Order::random, 5});
        run("2 rows with gaps, on the GPU, large bound, in place", {0, 0, true, 2 * count + 70000, Order::few, 2, 5});
        run("2 rows, on the GPU, large bound", {2, 1, false, 2 * count + 7000, Order::random, 2});
    }
}

void verify_sort(Verifier& verifier) {
    // The quick extent has each key, each kind of value, both directions, and ranges of bits; of two, every count in every shape. The
    // pairs extent has the first few alone, since each group compiles up to six pipelines.
    static const std::set<std::string> first = {"u32 alone", "f32 indices", "i64 4-byte",     "u32 16-byte",
                                                "u8 alone",  "u16 indices", "rows u32 alone", "rows f32 indices"};
    static const std::set<std::string> quick = {"i32 alone descending",
                                                "f32 alone descending",
                                                "u64 alone",
                                                "f64 alone",
                                                "u32 4-byte",
                                                "u32 8-byte descending",
                                                "f64 16-byte",
                                                "i8 alone descending",
                                                "f16 indices",
                                                "u16 8-byte bits=5,11",
                                                "u32 alone bits=0,8",
                                                "u32 indices bits=3,4",
                                                "u32 8-byte descending bits=5,22",
                                                "u64 alone bits=27,44",
                                                "i32 alone bits=1,32"};
    std::vector<Variant>               all   = variants();
    all.insert(all.end(), rows_variants().begin(), rows_variants().end());
    for (const Variant& variant : all) {
        const std::string name     = text_of(variant);
        const bool        is_first = first.count(name) > 0;
        const bool        is_quick = is_first || variant.desc.segments == SegmentLayout::rows || quick.count(name) > 0;
        if (verifier.extent() <= Extent::pairs && !is_first) continue;
        if (verifier.extent() == Extent::quick && !is_quick) continue;
        const bool is_in_all = name == "u32 alone" || name == "i64 4-byte" || name == "rows u32 alone";
        if (!verifier.group("sort " + name, is_in_all ? Cover::all : Cover::pairs,
                            way_of(variant.desc.key, variant.desc.segments == SegmentLayout::rows)))
            continue;
        if (const std::string missing = missing_for(variant.desc.key, verifier.device()); !missing.empty()) {
            verifier.skip(missing);
            continue;
        }
        const auto sort = verifier.create<Sort>(variant.desc);
        if (!sort) continue;
        (variant.desc.segments == SegmentLayout::rows ? verify_rows : verify_counts)(verifier, *sort, variant);
    }
}

/// In a benchmark's input and output of `count` keys: values ahead of the keys, or behind them. Keys behind the last whole row stay out.
auto bench_args_of(const Variant& variant, uint32_t count, const Places& from) {
    const uint32_t size = key_size(variant.desc.key), wide = value_size(variant.desc.values);
    return [=, desc = variant](const Operands& operands) {
        const Places to = places_of(size, wide, count);
        Sort::Args   args;
        args.keys           = operands.input + from.keys;
        args.values         = read_size(desc.desc.values) > 0 ? operands.input + from.values : 0;
        args.output_keys    = operands.output + to.keys;
        args.output_values  = operands.output + to.values;
        args.temporary      = operands.temporary;
        args.count          = std::min(operands.count, desc.row);
        args.segments.count = desc.desc.segments == SegmentLayout::rows ? operands.count / std::max(args.count, 1u) : 1;
        args.count_address  = operands.count_address;
        args.begin_bit      = desc.begin_bit;
        args.end_bit        = desc.end_bit;
        return args;
    };
}

enum class Spread { uniform, entropy8, equal, sorted };

Result<Workload> prepare(const runtime::Device& device, const Variant& variant, Spread spread, const BenchSize& size) {
    const uint32_t width = key_size(variant.desc.key);
    Random         random(1);
    Bytes          keys(uint64_t{size.count} * width);
    for (uint64_t i = 0; i < size.count; ++i) {
        uint64_t key = random.next();
        if (spread == Spread::entropy8) key = (key >> 56) * 0x0101010101010101u;
        if (spread == Spread::equal) key = 0x9e3779b99e3779b9u;
        if (spread == Spread::sorted) key = i;
        std::memcpy(&keys[i * width], &key, width);
    }
    const Places   places = places_of(width, read_size(variant.desc.values), size.count);
    const uint32_t row = std::min(size.count, variant.row), rows = size.count / std::max(row, 1u);
    WorkloadDesc   desc;
    desc.size          = size;
    desc.input         = std::make_shared<Bytes>(input_of(variant, keys, random));
    desc.output_size   = uint64_t{row} * rows * output_size(variant);
    desc.bytes_written = desc.output_size;
    desc.format        = output_format(variant);
    desc.expected      = [=, input = desc.input] {
        Bytes expected(input->size() / (width + read_size(variant.desc.values)) * output_size(variant));
        expected = sorted_rows(variant, *input, std::move(expected), row, rows, row);
        expected.resize(uint64_t{row} * rows * output_size(variant));
        return expected;
    };
    return workload_of<Sort>(device, variant.desc, desc, bench_args_of(variant, size.count, places));
}

BenchDesc bench(const std::string& name, const Variant& variant, Spread spread = Spread::uniform) {
    return {
        name, name_of(variant.desc.key), key_size(variant.desc.key),
        [=](const runtime::Device& device, const BenchSize& size) { return prepare(device, variant, spread, size); },
        variant.desc.segments == SegmentLayout::rows ? Counting::host : Counting::gpu_with_grid};
}

/// Of keys alone.
BenchDesc rows_bench(uint32_t row) {
    return bench(fmt::format("u32, rows of {}", row),
                 {{ElementType::u32, Values::none, false, SegmentLayout::rows}, 0, 0, row});
}

Result<Variant> read_variant(const std::string& text) {
    for (const auto* some : {&variants(), &rows_variants()}) {
        for (const Variant& variant : *some) {
            if (text == text_of(variant)) return variant;
        }
    }
    return Error{
        ErrorKind::invalid_desc,
        "sort: no key, and what goes with it, such as 'u32 alone', 'f32 indices descending', 'rows u32 alone': '" +
            text + "'"};
}

constexpr uint32_t property_rows = 7; ///< that are sorted in random cases, with as many keys each as there are for all

/// Of random cases: all keys alone, and each kind of value with a few keys, since each variant has six pipelines; and rows.
bool has_property(const Variant& variant) {
    const ElementType key = variant.desc.key;
    return variant.desc.values == Values::none ||
           (variant.desc.descending ? key == ElementType::f32 : key == ElementType::u32 || key == ElementType::i64);
}

const std::vector<Variant>& property_variants() {
    static const std::vector<Variant> some = [] {
        std::vector<Variant> those;
        std::copy_if(variants().begin(), variants().end(), std::back_inserter(those), has_property);
        those.insert(those.end(), rows_variants().begin(), rows_variants().end());
        return those;
    }();
    return some;
}

// A random case has one input and one output, and of a count on the GPU, the host does not know where in them something would lie behind
// all keys. So values are read from where the keys are: the first of them are made of keys, and those behind, where values are larger, are
// random. With values, these alone are the output, and keys go to temporary memory, ahead of the sort's own.

uint64_t sorted_keys_size(const Variant& variant, uint32_t bound) {
    if (variant.desc.values == Values::none) return 0;
    return (uint64_t{bound} * key_size(variant.desc.key) + 15) / 16 * 16;
}

auto property_args_of(const Variant& variant) {
    return [=](const Operands& operands) {
        const bool alone = variant.desc.values == Values::none;
        Sort::Args args;
        args.keys           = operands.input;
        args.values         = read_size(variant.desc.values) > 0 ? operands.input : 0;
        args.output_keys    = alone ? operands.output : operands.temporary;
        args.output_values  = alone ? 0 : operands.output;
        args.temporary      = operands.temporary + sorted_keys_size(variant, operands.count);
        args.segments.count = variant.desc.segments == SegmentLayout::rows ? property_rows : 1;
        args.count          = operands.count / args.segments.count;
        args.count_address  = operands.count_address;
        args.begin_bit      = variant.begin_bit;
        args.end_bit        = variant.end_bit;
        return args;
    };
}

Model model_of(const Variant& variant) {
    const uint32_t size  = key_size(variant.desc.key);
    const uint32_t wide  = value_size(variant.desc.values);
    const bool     alone = variant.desc.values == Values::none;
    const uint32_t rows  = variant.desc.segments == SegmentLayout::rows ? property_rows : 1;
    Model          model;
    model.gpu_count        = rows == 1;
    model.input_size       = std::max(size, read_size(variant.desc.values));
    model.output_alignment = alone ? size : wide;
    model.in_place         = alone;
    model.format           = output_format(variant);
    model.output_size      = [=](uint32_t count) { return uint64_t{count} * (alone ? size : wide); };
    model.temporary_size   = [=](uint32_t bound) {
        return sorted_keys_size(variant, bound) + uint64_t{bound} * output_size(variant) + 32 +
               (uint64_t{bound} / 256 + 2 * rows) * 2048;
    };
    model.input = [=, input_size = model.input_size](uint32_t count, Data data, Random random) {
        // Behind the keys is what only values have.
        Bytes bytes = keys_of(variant.desc.key, count, data, random);
        while (bytes.size() < uint64_t{count} * input_size) bytes.push_back(static_cast<uint8_t>(random.next() >> 56));
        return bytes;
    };
    model.expect = [=](const uint8_t* input, uint32_t count, uint8_t* output) {
        count /= rows;
        const uint64_t read   = uint64_t{count} * read_size(variant.desc.values),
                       stored = uint64_t{count} * (alone ? size : wide);
        const uint64_t from   = alone ? 0 : places_of(size, wide, count).values;
        for (uint64_t row = 0; row < rows && count > 0; ++row) {
            const Bytes bytes = expected_of(variant, input + row * count * size, input + row * read, count);
            std::memcpy(output + row * stored, &bytes[from], stored);
        }
    };
    return model;
}

Result<Operator> operator_for(const Context& context, const Variant& variant) {
    return create_operator<Sort>(context, variant.desc, property_args_of(variant));
}

/// Which are read as well where random cases have none of them.
struct Variants : Listed<Variant> {
    using Listed<Variant>::Listed;
    Result<Variant> read(const std::string& text) const { return read_variant(text); }
};

const Property property =
    property_of(Variants(
                    property_variants(), [](const Variant& variant) { return text_of(variant); }, ""),
                model_of, operator_for, [](const runtime::Device& device, const Variant& variant) {
                    return missing_for(variant.desc.key, device).empty();
                });

Contract contract(const std::string& variant) {
    Contract contract;
    contract.variant                 = variant;
    contract.pipelines               = 6;
    contract.pipelines_on_cpu        = 4;
    contract.all_shapes              = {{"sort.tiny_items", 2}, {"sort.large_items", 10}};
    contract.pipelines_without_waits = 6;
    return contract;
}

const Registration registration(
    {"sort",
     verify_sort,
     {with_peer(bench("u32", {{ElementType::u32}}), {"sort_keys_u32"}, "u32 alone"),
      with_peer(bench("u32, 8 bits of entropy", {{ElementType::u32}}, Spread::entropy8),
                {"sort_keys_u32", Peer::Sizes::largest}),
      with_peer(bench("u32, equal", {{ElementType::u32}}, Spread::equal), {"sort_keys_u32", Peer::Sizes::largest}),
      with_peer(bench("u32, sorted", {{ElementType::u32}}, Spread::sorted), {"sort_keys_u32", Peer::Sizes::largest}),
      with_peer(bench("u32, indices", {{ElementType::u32, Values::indices}}), {"sort_indices_u32"}),
      with_peer(bench("u32 with u32", {{ElementType::u32, Values::bytes4}}), {"sort_pairs_u32"}),
      bench("f32", {{ElementType::f32}}), rows_bench(2), rows_bench(3), rows_bench(16), rows_bench(64),
      rows_bench(1024), rows_bench(4096), rows_bench(65536),
      with_peer(bench("u64", {{ElementType::u64}}), {"sort_keys_u64", Peer::Sizes::wide}),
      with_peer(bench("u64 with u32", {{ElementType::u64, Values::bytes4}}), {"sort_pairs_u64", Peer::Sizes::wide})},
     {{"sort.items", "u32", 1u << 20, {4, 8, 12, 16}},
      {"sort.large_items", "u32", 1u << 26, {8, 12, 16, 18, 20, 22, 24}},
      {"sort.log2_workgroup", "u32", 1u << 26, {7, 8}},
      {"sort.chunk", "u32", 1u << 26, {1, 2, 4, 8, 12}},
      {"sort.log2_copies", "u32", 1u << 26, {2, 3, 4, 5}, {0, 1, 3}},
      {"sort.loads", "u32", 1u << 26, {4, 5, 8, 10, 16, 20}},
      {"sort.unscanned", "u32", 1u << 18, {16, 64, 128, 256}}},
     property,
     {contract("u32 8-byte")},
     {},
     {{"u32 4-byte", "rows f32 indices count=4099"}, {"u32 alone", "rows u32 alone count=4099"}, {}, {}}});

} // namespace
} // namespace vkprim::harness::sort_primitive
