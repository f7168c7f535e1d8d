#include <vkprim/expand.h>

#include <fmt/format.h>

#include "../shaders/expand/expand_push.h"
#include "elements.h"
#include "segments.h"
#include "variants.h"
#include "workload.h"

#include <algorithm>
#include <cstring>

namespace vkprim::harness::expand_primitive {
namespace {

using Values = Expand::Values;

constexpr Values      all_values[]  = {Values::bytes4, Values::indices, Values::bytes8, Values::bytes16};
constexpr const char* value_names[] = {"indices", "4-byte", "8-byte", "16-byte"};

std::string text_of(Values values) { return value_names[static_cast<uint32_t>(values)]; }

/// Bytes of what is written for an element.
uint32_t size_of(Values values) { return values == Values::indices ? 4 : 2u << static_cast<uint32_t>(values); }

/// Writes elements 0 to `count` - 1 into `output`, as far as they are in a segment.
void reference_expand(Values values, const Offsets& offsets, const uint8_t* all, uint64_t count, uint8_t* output) {
    const uint32_t size = size_of(values);
    for (uint32_t s = 0; s + 1 < offsets.size(); ++s) {
        for (uint64_t i = offsets[s]; i < std::min(offsets[s + 1], count); ++i) {
            std::memcpy(output + i * size,
                        values == Values::indices ? reinterpret_cast<uint8_t*>(&s) : all + uint64_t{s} * size, size);
        }
    }
}

Bytes values_of(Values values, uint64_t count, Random random) {
    Bytes bytes(values == Values::indices ? 0 : count * size_of(values));
    for (uint64_t i = 0; i < bytes.size(); i += 4) put(bytes, i / 4, static_cast<uint32_t>(random.next()), 4);
    return bytes;
}

struct Shape {
    uint32_t misalignment = 0; ///< of values and output, in values
    uint32_t room         = 0; ///< elements that the output has room for: all but so many; or more, with `room_is_more`
    bool     room_is_more = false;
    bool     on_gpu       = false; ///< how many segments there are
    uint32_t parts        = 1;
};

/// How many segments there are, their offsets, and the values, in one input.
struct Input {
    static constexpr uint64_t offsets_at = 16;

    Bytes    bytes;
    uint64_t values_at = 0;
};

Input input_of(const Offsets& offsets, const Bytes& values, uint64_t misalignment) {
    Input input;
    input.values_at = (Input::offsets_at + offsets.size() * 4 + 15) / 16 * 16 + misalignment;
    input.bytes.resize(input.values_at + values.size());
    put(input.bytes, 0, static_cast<uint32_t>(offsets.size() - 1), 4);
    for (size_t i = 0; i < offsets.size(); ++i)
        put(input.bytes, Input::offsets_at / 4 + i, static_cast<uint32_t>(offsets[i]), 4);
    if (!values.empty()) std::memcpy(&input.bytes[input.values_at], values.data(), values.size());
    return input;
}

void verify_case(Verifier& verifier, const Expand& expand, Values values, const Offsets& offsets, const Shape& shape) {
    const uint32_t segments = static_cast<uint32_t>(offsets.size() - 1), size = size_of(values);
    const auto     elements = static_cast<uint32_t>(offsets.back());
    const uint32_t count    = shape.room_is_more ? elements + shape.room : elements - std::min(elements, shape.room);
    const Bytes    all      = values_of(values, segments, verifier.random());
    const Input    input    = input_of(offsets, all, uint64_t{shape.misalignment} * size);
    const Range    memory   = verifier.input(input.bytes.data(), input.bytes.size(), 0);
    const Range    output   = verifier.output(uint64_t{count} * size, shape.misalignment * size);
    Bytes          expected(output.size);
    for (uint64_t i = 0; i < expected.size() / 4; ++i)
        put(expected, i, verifier.output_guard(), 4); // where nothing is written
    reference_expand(values, offsets, all.data(), count, expected.data());
    Expand::Args args;
    args.segments.offsets = memory.address + Input::offsets_at;
    args.values           = memory.address + input.values_at;
    args.output           = output.address;
    args.count            = count;
    args.segments.count   = segments;
    if (shape.on_gpu) {
        args.segments.count_address = memory.address;
        args.segments.count         = 2 * segments + 100;
    }
    verifier.prove(expand, args, {2, shape.parts}, output, expected.data(), Format::u32);
}

void verify_values(Verifier& verifier, const Expand& expand, Values values) {
    for (uint32_t count : verifier.edge_counts()) {
        const auto run = [&](const std::string& name, Cut cut, const Shape& shape) {
            if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
            verify_case(verifier, expand, values, offsets_of(cut, count, verifier.random()), shape);
        };
        run("one", Cut::one, {});
        run("ones", Cut::ones, {1});
        run("few", Cut::few, {});
        run("few, cut off", Cut::few, {0, count / 3});
        run("middle", Cut::middle, {1});
        run("many, on the GPU", Cut::many, {3, 0, false, true});
        run("tiles, more room", Cut::tiles, {0, 17, true});
        run("tiles, in parts", Cut::tiles, {0, 0, false, true, 3});
        run("skewed", Cut::skewed, {1});
        run("empty", Cut::empty, {});
        run("empty, in parts", Cut::empty, {1, 5, false, false, 4});
        run("gaps", Cut::gaps, {0, 3, true, true});
    }
}

void verify_expand(Verifier& verifier) {
    for (Values values : all_values) {
        if (!verifier.group("expand " + text_of(values), values == Values::bytes4 ? Cover::all : Cover::pairs))
            continue;
        const auto expand = verifier.create<Expand>({values});
        if (!expand) continue;
        verify_values(verifier, *expand, values);
    }
}

/// Of segments of `length` elements; 0: skewed ones.
Result<Workload> prepare(const runtime::Device& device, Values values, uint32_t length, const BenchSize& size) {
    Offsets offsets{0};
    while (length > 0 && offsets.back() < size.count)
        offsets.push_back(std::min<uint64_t>(offsets.back() + length, size.count));
    if (length == 0) offsets = offsets_of(Cut::skewed, size.count, Random(1));
    const auto   all   = std::make_shared<Bytes>(values_of(values, offsets.size() - 1, Random(2)));
    Input        input = input_of(offsets, *all, 0);
    WorkloadDesc desc;
    desc.size          = size;
    desc.input         = std::make_shared<Bytes>(std::move(input.bytes));
    desc.output_size   = uint64_t{size.count} * size_of(values);
    desc.bytes_written = desc.output_size;
    desc.expected      = [=] {
        Bytes expected(uint64_t{size.count} * size_of(values));
        reference_expand(values, offsets, all->data(), size.count, expected.data());
        return expected;
    };
    const auto segments = static_cast<uint32_t>(offsets.size() - 1);
    return workload_of<Expand>(device, {values}, desc, [=, values_at = input.values_at](const Operands& operands) {
        Expand::Args args;
        args.segments.offsets = operands.input + Input::offsets_at;
        args.values           = operands.input + values_at;
        args.output           = operands.output;
        args.count            = size.count;
        args.segments.count   = segments;
        return args;
    });
}

BenchDesc bench(Values values, uint32_t length) {
    return {length > 0 ? fmt::format("{}, runs of {}", text_of(values), length) : text_of(values) + ", skewed",
            values == Values::bytes8 ? "u64" : "u32", size_of(values),
            [=](const runtime::Device& device, const BenchSize& size) { return prepare(device, values, length, size); },
            Counting::host};
}

// Of random cases: the elements are values, and offsets of so many segments lie ahead of them. If there are more values, they are ignored.
// A variant is what is written, and a number, of which the offsets are made.
constexpr uint32_t property_segments = 511; // whose offsets have a multiple of 64 bytes
constexpr uint32_t property_numbers  = 10;

struct Variant {
    Values   values = Values::bytes4;
    uint32_t number = 0;
};

std::string text_of(const Variant& variant) { return fmt::format("{} {}", text_of(variant.values), variant.number); }

Offsets property_offsets(uint32_t number) {
    constexpr Cut cuts[]  = {Cut::few, Cut::skewed, Cut::middle, Cut::many, Cut::ones};
    Offsets       offsets = offsets_of(cuts[number % std::size(cuts)], 100000, Random(number), property_segments);
    offsets.resize(property_segments + 1, offsets.back());
    return offsets;
}

uint32_t property_count(const Offsets& offsets, uint32_t values) {
    return static_cast<uint32_t>(offsets[std::min(values, property_segments)]);
}

const std::vector<Variant>& property_variants() {
    static const std::vector<Variant> all = [] {
        std::vector<Variant> variants;
        for (uint32_t number = 0; number < property_numbers; ++number) {
            for (Values values : all_values) variants.push_back({values, number});
        }
        return variants;
    }();
    return all;
}

Model model_of(const Variant& variant) {
    const Values  values  = variant.values;
    const Offsets offsets = property_offsets(variant.number);
    Model         model;
    model.input_size       = size_of(values);
    model.output_alignment = size_of(values);
    model.output_size      = [=](uint32_t count) { return uint64_t{property_count(offsets, count)} * size_of(values); };
    model.ahead.resize(offsets.size() * 4);
    for (size_t i = 0; i < offsets.size(); ++i) put(model.ahead, i, static_cast<uint32_t>(offsets[i]), 4);
    model.input = [=](uint32_t count, Data data, Random random) {
        Bytes bytes = values_of(Values::bytes4, uint64_t{count} * size_of(values) / 4, random);
        if (data != Data::random) std::fill(bytes.begin(), bytes.end(), static_cast<uint8_t>(data));
        return bytes;
    };
    model.expect = [=](const uint8_t* input, uint32_t count, uint8_t* output) {
        Offsets some = offsets;
        some.resize(std::min(count, property_segments) + 1);
        reference_expand(values, some, input, some.back(), output);
    };
    return model;
}

Result<Operator> operator_for(const Context& context, const Variant& variant) {
    return create_operator<Expand>(context, {variant.values},
                                   [offsets = property_offsets(variant.number)](const Operands& operands) {
                                       Expand::Args args;
                                       args.segments.offsets       = operands.input - (property_segments + 1) * 4;
                                       args.values                 = operands.input;
                                       args.output                 = operands.output;
                                       args.count                  = property_count(offsets, operands.count);
                                       args.segments.count         = std::min(operands.count, property_segments);
                                       args.segments.count_address = operands.count_address;
                                       args.part                   = operands.part;
                                       return args;
                                   });
}

const Property property = property_of(
    Listed<Variant>(
        property_variants(), [](const Variant& variant) { return text_of(variant); },
        fmt::format("expand: not indices, 4-byte, 8-byte or 16-byte and a number below {}", property_numbers)),
    model_of, operator_for);

Contract contract(const std::string& variant) {
    Contract contract;
    contract.variant      = variant;
    contract.pipelines    = 1;
    contract.dispatches   = 1;
    contract.barriers     = 0;
    contract.one_pipeline = true;
    contract.knobs        = {{"expand.share", 1, EXPAND_MOST_SHARE}, {"expand.workgroups", 1, 65535}};
    return contract;
}

const Registration registration(
    {"expand",
     verify_expand,
     {bench(Values::bytes4, 1), bench(Values::bytes4, 4), bench(Values::bytes4, 64), bench(Values::bytes4, 4096),
      bench(Values::bytes4, 0), bench(Values::indices, 64), bench(Values::bytes16, 64)},
     {{"expand.share", "4-byte, runs of 64", 1u << 26, {1, 2, 4, 8, 16}},
      {"expand.workgroups", "4-byte, runs of 64", 1u << 22, {256, 512, 1024, 2048}, {16, 32, 64}}},
     property,
     {contract("4-byte 3"), contract("indices 3")},
     {},
     {{"4-byte"}, {"4-byte"}, {}, {}}});

} // namespace
} // namespace vkprim::harness::expand_primitive
