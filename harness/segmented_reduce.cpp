#include <vkprim/segmented_reduce.h>

#include <fmt/format.h>

#include "../shaders/segmented_reduce/segmented_reduce_push.h"
#include "elements.h"
#include "references.h"
#include "segments.h"
#include "variants.h"
#include "workload.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace vkprim::harness::segmented_reduce_primitive {
namespace {

/// What the reductions of the segments are, one behind the other.
std::vector<uint32_t> reference_segments(const ElementCase& element_case, const std::vector<uint32_t>& elements,
                                         const Offsets& offsets) {
    std::vector<uint32_t> all;
    all.reserve((offsets.size() - 1) * result_size(element_case) / 4);
    for (size_t s = 0; s + 1 < offsets.size(); ++s) {
        const auto one = reference_reduce(element_case, elements.data() + offsets[s] * words_in(element_case.type),
                                          static_cast<uint32_t>(offsets[s + 1] - offsets[s]));
        all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

/// A SegmentedReduce, and what it is of.
struct Variant {
    ElementCase   element_case;
    SegmentLayout segments;
};

SegmentedReduce::Desc desc_of(const ElementCase& element_case, SegmentLayout segments) {
    SegmentedReduce::Desc desc{element_case.type, element_case.operation, segments};
    desc.wide = element_case.wide;
    return desc;
}

/// `length`: of rows.
void verify_case(Verifier& verifier, const SegmentedReduce& reduce, const Variant& variant, const Offsets& offsets,
                 uint32_t length, const std::vector<uint32_t>& elements, const SegmentShape& shape) {
    const ElementCase& element_case = variant.element_case;
    const bool         rows         = variant.segments == SegmentLayout::rows;
    const auto         expected     = reference_segments(element_case, elements, offsets);
    const uint32_t     size         = input_size(element_case.type);
    const Bytes        plain        = harness::input_of(element_case.type, elements);
    const SegmentInput input =
        segment_input(offsets, rows ? spread_rows(plain, length, shape.gap, size) : plain, shape);
    const Range           memory = verifier.input(input.bytes.data(), input.bytes.size(), 0);
    const uint32_t        align  = result_align(element_case);
    const Range           output = verifier.output(expected.size() * 4, shape.misalignment / align * align);
    const auto            count  = rows ? length : static_cast<uint32_t>(plain.size() / size);
    SegmentedReduce::Args args;
    args.input          = memory.address + input.elements_at;
    args.output         = output.address;
    args.count          = count;
    args.segments.count = static_cast<uint32_t>(offsets.size() - 1);
    if (rows) {
        args.segments.pitch = (length + shape.gap) * size;
    } else {
        args.segments.offsets     = memory.address + SegmentInput::offsets_at;
        args.segments.offset_size = shape.wide ? 8 : 4;
    }
    if (shape.on_gpu) {
        args.count_address          = verifier.gpu_count(count);
        args.segments.count_address = memory.address;
        args.count += rows ? shape.gap : count + 7;
        args.segments.count = 2 * args.segments.count + 100;
    }
    verifier.lend(reduce, args);
    verifier.prove(reduce, args, {2, shape.parts}, output, expected.data(), format_of(element_case));
}

void verify_offsets(Verifier& verifier, const SegmentedReduce& reduce, const Variant& variant) {
    const ElementCase& element_case = variant.element_case;
    const uint32_t     size         = input_size(element_case.type);
    const auto         run          = [&](uint32_t count, const std::string& name, Cut cut, SegmentShape shape) {
        // Of very many segments, the CPU reference takes long, and a quarter of a million shows what more would.
        const bool many = cut == Cut::ones || cut == Cut::few || cut == Cut::gaps;
        if (many && count > 300000 && verifier.extent() != Extent::full) return;
        if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
        Random        random  = verifier.random();
        const Offsets offsets = offsets_of(cut, count, random);
        shape.misalignment    = shape.misalignment / size * size;
        verify_case(verifier, reduce, variant, offsets, 0, random_elements(element_case, count, random), shape);
    };
    // A segment of more tiles than are folded at once, whose tiles are large.
    const bool adds = element_case.operation == Operation::add;
    if (verifier.counts().empty() && adds && element_case.type != ElementType::i32)
        run(2 * 4244305, "groups of tiles", Cut::first, {0, 0, false, false, 3});
    for (uint32_t count : verifier.edge_counts()) {
        run(count, "one", Cut::one, {});
        run(count, "ones", Cut::ones, {4});
        run(count, "few", Cut::few, {8});
        run(count, "few, wide offsets", Cut::few, {0, 0, true});
        run(count, "middle", Cut::middle, {12});
        run(count, "many", Cut::many, {});
        run(count, "many, on the GPU", Cut::many, {0, 0, false, true});
        run(count, "tiles", Cut::tiles, {});
        run(count, "tiles, in parts", Cut::tiles, {4, 0, false, true, 3});
        run(count, "skewed", Cut::skewed, {});
        run(count, "skewed, on the GPU", Cut::skewed, {4, 0, true, true});
        run(count, "empty", Cut::empty, {});
        run(count, "first", Cut::first, {4});
        run(count, "gaps", Cut::gaps, {0, 0, true});
        if (verifier.wants(fmt::format("count={} special", count))) {
            verify_case(verifier, reduce, variant, offsets_of(Cut::skewed, count, verifier.random()), 0,
                        special_elements(element_case, count, verifier.random()), {});
        }
    }
}

/// Here a count is of a row's elements.
void verify_rows(Verifier& verifier, const SegmentedReduce& reduce, const Variant& variant) {
    constexpr uint32_t most_elements = 400000; // of many rows
    const ElementCase& element_case  = variant.element_case;
    const uint32_t     size          = input_size(element_case.type);
    for (uint32_t count : verifier.edge_counts()) {
        const auto run = [&](uint32_t rows, const std::string& name, SegmentShape shape) {
            if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
            const uint32_t elements = std::min(rows, std::max(most_elements / std::max(count, 1u), 1u)) * count;
            const Offsets  offsets  = count == 0 ? Offsets(rows + 1, 0) : rows_of(count, elements);
            shape.misalignment      = shape.misalignment / size * size;
            verify_case(verifier, reduce, variant, offsets, count,
                        random_elements(element_case, elements, verifier.random()), shape);
        };
        run(1, "one row", {});
        run(3, "3 rows, offset=4, gap=1", {4, 1});
        run(70, "70 rows, gap=4, on the GPU", {0, 4, false, true});
        run(1000, "1000 rows", {});
        run(5000, "5000 rows, offset=8, in parts", {8, 0, false, false, 3});
    }
}

void verify_segments(Verifier& verifier) {
    // Those whose elements differ in memory, registers or order, of which the pairs extent has the first few.
    static const std::set<std::string> first = {"offsets u32 add",      "offsets f32 add", "offsets i32 argmax",
                                                "offsets u64 add",      "rows f32 add",    "rows u16 max",
                                                "offsets i32 wide add", "rows u8 wide add"};
    static const std::set<std::string> quick = {
        "offsets f32 min", "offsets f32 argmin",   "offsets f64 add",  "offsets f64 max", "offsets u8 add",
        "offsets f16 min", "rows u32 mul",         "rows f32 argmin",  "rows i64 min",    "rows f64 add",
        "rows i8 min",     "offsets i16 wide add", "rows u32 wide add"};
    for (SegmentLayout segments : {SegmentLayout::offsets, SegmentLayout::rows}) {
        const bool rows = segments == SegmentLayout::rows;
        for (const ElementCase& element_case : reduce_cases()) {
            const std::string name     = fmt::format("{} {}", rows ? "rows" : "offsets", name_of(element_case));
            const bool        is_first = first.count(name) > 0, is_quick = is_first || quick.count(name) > 0;
            if (verifier.extent() <= Extent::pairs ? !is_first : verifier.extent() == Extent::quick && !is_quick)
                continue;
            // Reduce has the others, whose shaders differ from these in a function alone.
            const Operation operation = element_case.operation;
            if (!is_quick && operation != Operation::add && operation != Operation::min &&
                operation != Operation::argmin)
                continue;
            if (!runs_on(verifier.device(), element_case)) continue;
            if (!verifier.group("segmented_reduce " + name, name == "offsets f32 add" ? Cover::all : Cover::pairs))
                continue;
            const auto reduce = verifier.create<SegmentedReduce>(desc_of(element_case, segments));
            if (!reduce) continue;
            (rows ? verify_rows : verify_offsets)(verifier, *reduce, {element_case, segments});
        }
    }
}

/// Of rows of `length`, or of such a cut.
Result<Workload> prepare(const runtime::Device& device, const Variant& variant, Cut cut, uint32_t length,
                         const BenchSize& size) {
    const ElementCase element_case = variant.element_case;
    const bool        rows         = variant.segments == SegmentLayout::rows;
    length                         = std::min(length, size.count);
    const Offsets offsets          = length > 0 ? rows_of(length, size.count) : offsets_of(cut, size.count, Random(1));
    const auto    elements         = random_bytes(element_case, static_cast<uint32_t>(offsets.back()));
    SegmentInput  input            = segment_input(offsets, *elements, {});
    WorkloadDesc  desc;
    desc.size          = size;
    desc.input         = std::make_shared<Bytes>(rows ? *elements : std::move(input.bytes));
    desc.output_size   = (offsets.size() - 1) * result_size(element_case);
    desc.bytes_written = desc.output_size;
    desc.format        = format_of(element_case);
    desc.expected      = [=] {
        return bytes_of(reference_segments(
                 element_case, elements_in(element_case.type, elements->data(), static_cast<uint32_t>(offsets.back())),
                 offsets));
    };
    const auto args_of = [=, elements_at = input.elements_at](const Operands& operands) {
        SegmentedReduce::Args args;
        args.input            = operands.input + (rows ? 0 : elements_at);
        args.output           = operands.output;
        args.scratch          = operands.scratch;
        args.segments.offsets = rows ? 0 : operands.input + SegmentInput::offsets_at;
        args.count            = rows ? length : static_cast<uint32_t>(offsets.back());
        args.segments.count   = static_cast<uint32_t>(offsets.size() - 1);
        return args;
    };
    return workload_of<SegmentedReduce>(device, desc_of(element_case, variant.segments), desc, args_of);
}

/// `length`: of rows, or of segments that are all alike; else 0.
BenchDesc bench(const std::string& name, const Variant& variant, Cut cut, uint32_t length) {
    const ElementCase& element_case = variant.element_case;
    const bool         rows         = variant.segments == SegmentLayout::rows;
    BenchDesc          desc{fmt::format("{} {}, {}", name_of(element_case.operation), name_of(element_case.type), name),
                   name_of(element_case.type), input_size(element_case.type),
                   [=](const runtime::Device& device, const BenchSize& size) {
                       return prepare(device, variant, cut, length, size);
                   },
                   Counting::host};
    Peer               peer{rows ? "segmented_rows_add_f32" : "segmented_offsets_add_f32", Peer::Sizes::wide};
    if (rows) peer.row = length;
    return with_peer(std::move(desc), peer);
}

std::vector<BenchDesc> benches() {
    const ElementCase      sums{ElementType::f32, Operation::add};
    std::vector<BenchDesc> all;
    for (uint32_t length : {4u, 16u, 64u, 256u, 1024u, 65536u}) {
        all.push_back(bench(fmt::format("rows of {}", length), {sums, SegmentLayout::rows}, Cut::one, length));
    }
    for (uint32_t length : {16u, 64u, 1024u, 65536u}) {
        all.push_back(bench(fmt::format("offsets of {}", length), {sums, SegmentLayout::offsets}, Cut::one, length));
    }
    all.push_back(bench("skewed", {sums, SegmentLayout::offsets}, Cut::skewed, 0));
    all.push_back(bench("16 and one of half", {sums, SegmentLayout::offsets}, Cut::half, 0));
    return all;
}

// A variant is a type, an operation and segments.
struct PropertyVariant {
    ElementCase      element_case;
    PropertySegments segments;
};

std::string text_of(const PropertyVariant& variant) {
    return fmt::format("{} {}", name_of(variant.element_case), variant.segments.name());
}

const std::vector<PropertyVariant>& property_variants() {
    static const std::vector<PropertyVariant> all = [] {
        std::vector<PropertyVariant> variants;
        for (const PropertySegments& segments : all_property_segments()) {
            for (const ElementCase& one : reduce_cases()) {
                // Offsets are aligned as the elements are.
                if (input_size(one.type) >= 4 || segments.rows > 0) variants.push_back({one, segments});
            }
        }
        return variants;
    }();
    return all;
}

Model model_of(const PropertyVariant& variant) {
    const ElementCase      element_case = variant.element_case;
    const PropertySegments segments     = variant.segments;
    Model                  model;
    model.gpu_count        = segments.rows == 0;
    model.format           = format_of(element_case);
    model.input_size       = input_size(element_case.type);
    model.output_alignment = result_align(element_case);
    model.output_size      = [=](uint32_t) { return uint64_t{segments.count()} * result_size(element_case); };
    model.ahead            = segments.ahead();
    model.input            = [=](uint32_t count, Data data, Random random) {
        return elements_of(element_case, count, data, random);
    };
    model.expect = [=](const uint8_t* input, uint32_t count, uint8_t* output) {
        const auto words =
            reference_segments(element_case, elements_in(element_case.type, input, count), segments.offsets(count));
        std::memcpy(output, words.data(), words.size() * 4);
    };
    return model;
}

Result<Operator> operator_for(const Context& context, const PropertyVariant& variant) {
    const PropertySegments segments = variant.segments;
    return create_operator<SegmentedReduce>(
        context, desc_of(variant.element_case, segments.layout()),
        [segments](const Operands& operands) { return segments.args<SegmentedReduce>(operands); });
}

const Property property = property_of(
    Listed<PropertyVariant>(
        property_variants(), [](const PropertyVariant& variant) { return text_of(variant); },
        fmt::format("segmented_reduce: not a type, an operation and segments, such as 'f32 add 4' with a number "
                    "below {}, 'f32 add rows=7'",
                    property_numbers)),
    model_of, operator_for, [](const runtime::Device& device, const PropertyVariant& variant) {
        return runs_on(device, variant.element_case);
    });

Contract contract(const std::string& variant) {
    Contract contract;
    contract.variant       = variant;
    contract.pipelines     = 1;
    contract.dispatches    = 1;
    contract.barriers      = 0;
    contract.one_pipeline  = true;
    contract.one_row       = false;
    contract.most_elements = UINT32_MAX - 4 * property_segments; // SegmentedReduce::Size
    contract.most_scratch  = 512 << 20;
    contract.knobs         = {{"segmented_reduce.batch", 1, 64, 1, 16},
                              {"segmented_reduce.share", SEGMENTS_LEAST_SHARE, SEGMENTS_MOST_SHARE},
                              {"segmented_reduce.workgroups", 1, 65535}};
    contract.effect        = {"segmented_reduce.batch", 3, SEGMENTED_REDUCE_BATCH_ID, 3};
    return contract;
}

const Registration registration({"segmented_reduce",
                                 verify_segments,
                                 benches(),
                                 {{"segmented_reduce.share", "add f32, offsets of 16", 1u << 26, {1024, 2048, 4096}}},
                                 property,
                                 {contract("u32 add 0"), contract("f32 add 4")},
                                 {{"f32 mul 0", true}},
                                 {{"offsets f32 add"}, {"rows f32 add"}, {}, {}}});

} // namespace
} // namespace vkprim::harness::segmented_reduce_primitive
