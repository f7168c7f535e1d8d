#include <vkprim/top.h>

#include <fmt/format.h>

#include "elements.h"
#include "float_bits.h"
#include "keys.h"
#include "references.h"
#include "variants.h"
#include "workload.h"

#include <algorithm>
#include <cstring>

namespace vkprim::harness::top_primitive {
namespace {

/// What is found, and of random cases, how many.
struct Variant {
    Top::Desc desc;
    uint32_t  wanted = 1;
};

std::string text_of(const Top::Desc& desc) {
    return fmt::format("{} {}{}", name_of(desc.key), desc.largest ? "largest" : "smallest", desc.nth ? " nth" : "");
}

std::string text_of(const Variant& variant) { return fmt::format("{} {}", text_of(variant.desc), variant.wanted); }

std::vector<Top::Desc> descs() {
    std::vector<Top::Desc> all;
    for (ElementType key : sort_key_types) {
        for (bool largest : {false, true}) {
            for (bool nth : {false, true}) all.push_back({key, largest, nth});
        }
    }
    return all;
}

uint32_t key_size(const Top::Desc& desc) { return input_size(desc.key); }

/// Of a row.
uint32_t found_of(const Top::Desc& desc, uint32_t wanted) { return desc.nth ? 1 : wanted; }

/// The keys that Top finds in a row, and their indices, into `keys` and `indices`.
void reference_top(const Top::Desc& desc, const uint8_t* row, uint32_t count, uint32_t wanted, uint8_t* keys,
                   uint8_t* indices) {
    const uint32_t              size  = key_size(desc);
    const std::vector<uint32_t> order = reference_sort({desc.key, Sort::Values::none, desc.largest}, row, count, 0, 0);
    const size_t                end = std::min(wanted, count), begin = desc.nth && end > 0 ? end - 1 : 0;
    for (size_t i = begin; i < end; ++i) {
        std::memcpy(keys + (i - begin) * size, row + size_t{order[i]} * size, size);
        std::memcpy(indices + (i - begin) * 4, &order[i], 4);
    }
}

/// Where keys and indices are in an output, one behind the other: what is larger comes first.
struct Places {
    uint64_t keys = 0, indices = 0;
};
Places places_of(const Top::Desc& desc, uint64_t found) {
    if (key_size(desc) < 4) return {4 * found, 0};
    return {0, found * key_size(desc)};
}

struct Shape {
    uint32_t wanted = 1;
    Order    order  = Order::random;
    uint32_t rows   = 1;
    uint32_t gap    = 0; ///< keys between rows
    uint32_t offset = 0; ///< of the input, in keys
    uint32_t bound  = 0; ///< with a count on the GPU
};

void verify_case(Verifier& verifier, const Top& top, const Top::Desc& desc, uint32_t count, Shape shape) {
    const uint32_t size = key_size(desc), host_count = std::max(count, shape.bound), stride = host_count + shape.gap;
    shape.wanted =
        std::clamp(shape.wanted, 1u, std::min(std::max(count, 1u), desc.nth ? UINT32_MAX : Top::most_wanted));
    const uint64_t all    = uint64_t{shape.rows} * stride;
    const Bytes    keys   = keys_of(desc.key, static_cast<uint32_t>(all), shape.order, verifier.random());
    const uint64_t of_row = found_of(desc, shape.wanted), found = shape.rows * of_row;
    const Places   places = places_of(desc, found);
    Bytes          expected(count > 0 ? found * (size + 4) : 0);
    for (uint64_t row = 0; row < shape.rows && count > 0; ++row) {
        const uint64_t first = row * of_row;
        reference_top(desc, &keys[row * stride * size], count, shape.wanted, &expected[places.keys + first * size],
                      &expected[places.indices + first * 4]);
    }
    const Range input  = verifier.input(keys.data(), keys.size(), shape.offset * size);
    const Range output = verifier.output(expected.size(), 0);
    Top::Args   args;
    args.keys           = input.address;
    args.output_keys    = output.address + places.keys;
    args.output_indices = output.address + places.indices;
    args.count          = host_count;
    args.wanted         = shape.wanted;
    args.segments.count = shape.rows;
    args.segments.pitch = shape.gap > 0 ? VkDeviceSize{stride} * size : 0;
    if (shape.bound > 0) args.count_address = verifier.gpu_count(count);
    verifier.lend(top, args);
    verifier.prove(top, args, {2, 1}, output, expected.data(),
                   size == 4 && count > 0 ? format_of(desc.key) : Format::u32);
}

void verify_counts(Verifier& verifier, const Top& top, const Top::Desc& desc) {
    std::vector<uint32_t> counts = {0, 1, 2, 33, 255, 1023, 1025, 2049, 4097, 8193, 10241, 65537, 300001};
    if (verifier.extent() == Extent::full) counts = verifier.edge_counts();
    if (!verifier.counts().empty()) counts = verifier.counts();
    for (uint32_t count : counts) {
        const auto run = [&](const std::string& name, const Shape& shape) {
            if (verifier.wants(fmt::format("count={} {}", count, name))) verify_case(verifier, top, desc, count, shape);
        };
        run("top 1", {1});
        run("top 10", {10, Order::random, 1, 0, 1});
        run("top 64, special", {64, Order::special});
        run("top 1000, few", {1000, Order::few, 1, 0, 3});
        run("top 20000", {20000});
        run("all, special", {count, Order::special});
        run("half, equal", {count / 2, Order::equal});
        run("half, sorted", {count / 2, Order::sorted});
        run("top 70, reversed", {70, Order::reversed});
        run("top 100, on the GPU", {100, Order::random, 1, 0, 0, count + 1});
        run("top 5, on the GPU, large bound", {5, Order::few, 2, 0, 0, 2 * count + 70000});
        run("top 7 of 3 rows, special", {7, Order::special, 3, 0, 1});
        if (count <= 255) run("top 2 of 1003 rows with gaps, few", {2, Order::few, 1003, 2});
        if (count <= 1u << 20) {
            run("top 50 of 5 rows with gaps", {50, Order::random, 5, 13});
            run("half of 2 rows, few", {count / 2, Order::few, 2, 1});
        }
    }
}

void verify_top(Verifier& verifier) {
    for (const Top::Desc& desc : descs()) {
        // Of the quick extent: each key in one direction, and floats in both.
        const bool is_first  = desc.largest == (desc.key == ElementType::f32 || desc.key == ElementType::i64);
        const bool is_in_all = is_first && (desc.key == ElementType::f32 || desc.key == ElementType::u64);
        if (verifier.extent() <= Extent::pairs && !is_in_all) continue;
        if (verifier.extent() == Extent::quick && !is_first && (desc.key != ElementType::f32 || desc.nth)) continue;
        if (!verifier.group("top " + text_of(desc), is_in_all ? Cover::all : Cover::pairs)) continue;
        if (const std::string missing = missing_for(desc.key, verifier.device()); !missing.empty()) {
            verifier.skip(missing);
            continue;
        }
        const auto top = verifier.create<Top>(desc);
        if (!top) continue;
        verify_counts(verifier, *top, desc);
    }
}

auto args_of(const Variant& variant, uint32_t most_of_row = UINT32_MAX) {
    return [=](const Operands& operands) {
        const uint32_t count = std::min(operands.count, most_of_row), rows = operands.count / std::max(count, 1u);
        const Places   places = places_of(variant.desc, uint64_t{rows} * found_of(variant.desc, variant.wanted));
        Top::Args      args;
        args.keys           = operands.input;
        args.output_keys    = operands.output + places.keys;
        args.output_indices = operands.output + places.indices;
        args.temporary      = operands.temporary;
        args.count          = count;
        args.wanted         = variant.wanted;
        args.segments.count = rows;
        args.count_address  = operands.count_address;
        return args;
    };
}

Result<Workload> prepare(const runtime::Device& device, Variant variant, uint32_t most_of_row, const BenchSize& size) {
    const uint32_t width = key_size(variant.desc), count = std::min(size.count, most_of_row), rows = size.count / count;
    variant.wanted        = std::min(variant.wanted, count); // or nothing would be written behind those that are there
    const uint64_t of_row = found_of(variant.desc, variant.wanted), found = rows * of_row;
    WorkloadDesc   desc;
    desc.size          = size;
    desc.input         = std::make_shared<Bytes>(keys_of(variant.desc.key, size.count, Order::random, Random(1)));
    desc.output_size   = found * (width + 4);
    desc.bytes_written = desc.output_size;
    desc.expected      = [=, input = desc.input] {
        const Places places = places_of(variant.desc, found);
        Bytes        expected(found * (width + 4));
        for (uint64_t row = 0; row < rows; ++row) {
            const uint64_t first = row * of_row;
            reference_top(variant.desc, input->data() + row * count * width, count, variant.wanted,
                               &expected[places.keys + first * width], &expected[places.indices + first * 4]);
        }
        return expected;
    };
    return workload_of<Top>(device, variant.desc, desc, args_of(variant, most_of_row));
}

BenchDesc bench(const std::string& name, const Variant& variant, uint32_t most_of_row = UINT32_MAX) {
    return {name, name_of(variant.desc.key), key_size(variant.desc),
            [=](const runtime::Device& device, const BenchSize& size) {
                return prepare(device, variant, most_of_row, size);
            },
            Counting::host};
}

const std::vector<Variant>& property_variants() {
    static const std::vector<Variant> all = [] {
        std::vector<Variant> variants;
        for (uint32_t wanted : {1u, 10u, 3000u}) {
            for (const Top::Desc& desc : descs()) {
                if (!desc.nth || wanted == 3000) variants.push_back({desc, wanted});
            }
        }
        return variants;
    }();
    return all;
}

Model model_of(const Variant& variant) {
    const uint32_t size = key_size(variant.desc);
    Model          model;
    model.input_size       = size;
    model.output_alignment = std::max(size, 4u);
    model.output_size      = [=](uint32_t) { return uint64_t{found_of(variant.desc, variant.wanted)} * (size + 4); };
    // Digits of 8 bits with 256 counters each, a tally of a chunk, and what is found, with the memory of its sort.
    model.temporary_size = [=](uint32_t bound) {
        return uint64_t{size} * 1024 + (size + 1) * 16 + bound / 128 + uint64_t{variant.wanted} * 40 + 65536;
    };
    model.input = [=](uint32_t count, Data data, Random random) {
        return keys_of(variant.desc.key, count, data, random);
    };
    model.expect = [=](const uint8_t* input, uint32_t count, uint8_t* output) {
        const Places places = places_of(variant.desc, found_of(variant.desc, variant.wanted));
        reference_top(variant.desc, input, count, variant.wanted, output + places.keys, output + places.indices);
    };
    return model;
}

Result<Operator> operator_for(const Context& context, const Variant& variant) {
    return create_operator<Top>(context, variant.desc, args_of(variant));
}

const Property property =
    property_of(Listed<Variant>(
                    property_variants(), [](const Variant& variant) { return text_of(variant); },
                    "top: not a key, a direction, and how many of 1, 10 and 3000, such as "
                    "'f32 largest 10', 'f32 largest nth 3000'"),
                model_of, operator_for, [](const runtime::Device& device, const Variant& variant) {
                    return missing_for(variant.desc.key, device).empty();
                });

constexpr uint32_t row_count = 1u << 14;

const Registration registration(
    {"top",
     verify_top,
     {bench("u32, 64", {{ElementType::u32}, 64}), bench("u32, 2^20-th", {{ElementType::u32, false, true}, 1u << 20}),
      bench("u32, 65536", {{ElementType::u32}, 65536}),
      bench("u32, 64 of rows of 16384", {{ElementType::u32}, 64}, row_count),
      bench("u32, 1 of rows of 3", {{ElementType::u32}, 1}, 3),
      bench("f32, largest 64", {{ElementType::f32, true}, 64}), bench("u64, 64", {{ElementType::u64}, 64})},
     {{"top.chunk", "u32, 64", 1u << 22, {2048, 4096, 8192, 16384, 32768}},
      {"top.workgroups", "u32, 64", 1u << 26, {512, 1024, 2048, 4096}, {64, 256}},
      {"top.log2_copies", "u32, 64", 1u << 26, {0, 1, 2, 3}}},
     property,
     {},
     {},
     {{"u32 smallest"}, {"f32 largest"}, {}, {}}});

} // namespace
} // namespace vkprim::harness::top_primitive
