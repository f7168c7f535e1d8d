#include <vkprim/glsl/detail/lookback_layout.h>
#include <vkprim/segmented_scan.h>

#include <fmt/format.h>

#include "../shaders/segmented_scan/segmented_scan_push.h"
#include "elements.h"
#include "references.h"
#include "segments.h"
#include "variants.h"
#include "workload.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace vkprim::harness::segmented_scan_primitive {
namespace {

std::string name_of_kind(Scan::Kind kind) { return kind == Scan::Kind::exclusive ? "exclusive" : "inclusive"; }

/// Scans each segment of `elements` into the words of `output`, where segment s begins at element begins[s].
void reference_segments(const ElementCase& element_case, Scan::Kind kind, const std::vector<uint32_t>& elements,
                        const Offsets& offsets, uint32_t* output, const Offsets& begins) {
    const uint32_t words = words_in(element_case.type);
    for (size_t s = 0; s + 1 < offsets.size(); ++s) {
        reference_scan(element_case.type, element_case.operation, kind, elements.data() + offsets[s] * words,
                       output + begins[s] * words, static_cast<uint32_t>(offsets[s + 1] - offsets[s]));
    }
}

/// A SegmentedScan, and what it is of.
struct Variant {
    ElementCase   element_case;
    SegmentLayout segments;
    Scan::Kind    kind;
};

/// Where the segments begin in the output, in elements: rows of `length` with gaps between them.
Offsets output_offsets(const Variant& variant, Offsets offsets, uint32_t length, uint32_t gap) {
    if (variant.segments == SegmentLayout::rows) {
        for (uint64_t row = 0; row < offsets.size(); ++row) offsets[row] = row * (uint64_t{length} + gap);
    }
    return offsets;
}

/// `length`: of rows.
void verify_case(Verifier& verifier, const SegmentedScan& scan, const Variant& variant, const Offsets& offsets,
                 uint32_t length, const std::vector<uint32_t>& elements, const SegmentShape& shape) {
    const ElementType  type = variant.element_case.type;
    const bool         rows = variant.segments == SegmentLayout::rows;
    const uint32_t     size = input_size(type), output_size = 4 * words_in(type);
    const Bytes        plain = input_of(type, elements);
    const SegmentInput input =
        segment_input(offsets, rows ? spread_rows(plain, length, shape.gap, size) : plain, shape);
    const Range           memory = verifier.input(input.bytes.data(), input.bytes.size(), 0);
    const auto            count  = rows ? length : static_cast<uint32_t>(elements.size() / words_in(type));
    const uint32_t        gap    = shape.in_place ? shape.gap : shape.output_gap;
    Range                 output = memory;
    std::vector<uint32_t> expected;
    uint64_t              first = 0; // word of the first element
    if (shape.in_place) {
        // All of the input, of which but the segments' elements change.
        expected.resize(input.bytes.size() / 4);
        std::memcpy(expected.data(), input.bytes.data(), input.bytes.size());
        first = input.elements_at / 4;
    } else {
        const uint64_t segments = offsets.size() - 1, gaps = rows && !elements.empty() ? (segments - 1) * gap : 0;
        output = verifier.output(elements.size() * 4 + gaps * output_size, shape.misalignment / size * output_size);
        expected.assign(output.size / 4, verifier.output_guard()); // where nothing is written
    }
    reference_segments(variant.element_case, variant.kind, elements, offsets, expected.data() + first,
                       output_offsets(variant, offsets, length, gap));
    SegmentedScan::Args args;
    args.input          = memory.address + input.elements_at;
    args.output         = shape.in_place ? args.input : output.address;
    args.count          = count;
    args.segments.count = static_cast<uint32_t>(offsets.size() - 1);
    if (rows) {
        args.segments.pitch = (length + shape.gap) * size;
        args.output_pitch   = (length + gap) * output_size;
    } else {
        args.segments.offsets     = memory.address + SegmentInput::offsets_at;
        args.segments.offset_size = shape.wide ? 8 : 4;
    }
    if (shape.on_gpu) {
        args.count_address          = verifier.gpu_count(count);
        args.segments.count_address = memory.address;
        args.count += rows ? std::min(shape.gap, gap) : count + 7;
        args.segments.count += rows ? 3 : args.segments.count + 100;
    }
    verifier.lend(scan, args);
    verifier.prove(scan, args, {shape.in_place ? 1u : 2u, shape.parts}, output, expected.data(), format_of(type));
}

void verify_offsets(Verifier& verifier, const SegmentedScan& scan, const Variant& variant) {
    const ElementCase& element_case = variant.element_case;
    const uint32_t     size         = input_size(element_case.type);
    const bool         in_place     = size == 4 * words_in(element_case.type);
    const auto         run          = [&](uint32_t count, const std::string& name, Cut cut, SegmentShape shape) {
        // Of very many segments, the CPU reference takes long, and a quarter of a million shows what more would.
        const bool many = cut == Cut::ones || cut == Cut::few || cut == Cut::gaps;
        if (many && count > 300000 && verifier.extent() != Extent::full) return;
        if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
        Random        random  = verifier.random();
        const Offsets offsets = offsets_of(cut, count, random);
        shape.misalignment    = shape.misalignment / size * size;
        shape.in_place        = shape.in_place && in_place;
        verify_case(verifier, scan, variant, offsets, 0, random_elements(element_case, count, random), shape);
    };
    // A segment of more tiles than a group has.
    const bool adds = element_case.operation == Operation::add;
    if (verifier.counts().empty() && adds && element_case.type != ElementType::i32)
        run(2 * 1067009, "groups of tiles", Cut::first, {0, 0, false, false, 3});
    for (uint32_t count : verifier.edge_counts()) {
        run(count, "one", Cut::one, {});
        run(count, "one, in place", Cut::one, {8, 0, false, false, 1, 0, true});
        run(count, "ones", Cut::ones, {4});
        run(count, "few", Cut::few, {8});
        run(count, "few, wide offsets", Cut::few, {0, 0, true});
        run(count, "middle", Cut::middle, {12});
        run(count, "many", Cut::many, {});
        run(count, "many, in place, on the GPU", Cut::many, {0, 0, false, true, 1, 0, true});
        run(count, "tiles", Cut::tiles, {});
        run(count, "tiles, in parts", Cut::tiles, {4, 0, false, true, 3});
        run(count, "skewed", Cut::skewed, {});
        run(count, "skewed, on the GPU", Cut::skewed, {4, 0, true, true});
        run(count, "empty", Cut::empty, {});
        run(count, "first", Cut::first, {4});
        run(count, "gaps, in place", Cut::gaps, {0, 0, true, false, 1, 0, true});
        if (verifier.wants(fmt::format("count={} special", count))) {
            verify_case(verifier, scan, variant, offsets_of(Cut::skewed, count, verifier.random()), 0,
                        special_elements(element_case, count, verifier.random()), {});
        }
    }
}

/// Here a count is of a row's elements.
void verify_rows(Verifier& verifier, const SegmentedScan& scan, const Variant& variant) {
    constexpr uint32_t most_elements = 400000; // of many rows
    const ElementCase& element_case  = variant.element_case;
    const uint32_t     size          = input_size(element_case.type);
    const bool         in_place      = size == 4 * words_in(element_case.type);
    for (uint32_t count : verifier.edge_counts()) {
        const auto run = [&](uint32_t rows, const std::string& name, SegmentShape shape) {
            if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
            const uint32_t elements = std::min(rows, std::max(most_elements / std::max(count, 1u), 1u)) * count;
            const Offsets  offsets  = count == 0 ? Offsets(rows + 1, 0) : rows_of(count, elements);
            shape.misalignment      = shape.misalignment / size * size;
            shape.in_place          = shape.in_place && in_place;
            verify_case(verifier, scan, variant, offsets, count,
                        random_elements(element_case, elements, verifier.random()), shape);
        };
        run(1, "one row", {});
        run(3, "3 rows, offset=4, gap=1, 3", {4, 1, false, false, 1, 3});
        run(70, "70 rows, gap=4, on the GPU", {0, 4, false, true, 1, 4});
        run(1000, "1000 rows, in place", {0, 0, false, false, 1, 0, true});
        run(5000, "5000 rows, offset=8, in parts", {8, 0, false, false, 3});
    }
}

void verify_segments(Verifier& verifier) {
    // Those whose elements differ in memory, registers or order, of which the pairs extent has the first few.
    static const std::set<std::string> first = {"offsets u32 add exclusive", "offsets f32 add inclusive",
                                                "offsets u64 add exclusive", "rows f32 add exclusive",
                                                "rows u16 max inclusive"};
    static const std::set<std::string> quick = {
        "offsets f32 min exclusive", "offsets f64 add exclusive", "offsets f64 max inclusive",
        "offsets u8 add exclusive",  "offsets f16 min inclusive", "rows u32 mul inclusive",
        "rows i64 min exclusive",    "rows f64 add inclusive",    "rows i8 min exclusive"};
    for (SegmentLayout segments : {SegmentLayout::offsets, SegmentLayout::rows}) {
        const bool rows = segments == SegmentLayout::rows;
        for (const ElementCase& element_case : scan_cases()) {
            for (Scan::Kind kind : {Scan::Kind::exclusive, Scan::Kind::inclusive}) {
                const std::string name =
                    fmt::format("{} {} {} {}", rows ? "rows" : "offsets", name_of(element_case.type),
                                name_of(element_case.operation), name_of_kind(kind));
                const bool is_first = first.count(name) > 0, is_quick = is_first || quick.count(name) > 0;
                if (verifier.extent() <= Extent::pairs ? !is_first : verifier.extent() == Extent::quick && !is_quick)
                    continue;
                // Scan has the others, whose shaders differ from these in a function alone.
                const Operation operation = element_case.operation;
                if (!is_quick && operation != Operation::add && operation != Operation::min) continue;
                if (!runs_on(verifier.device(), element_case)) continue;
                if (!verifier.group("segmented_scan " + name,
                                    name == "offsets f32 add inclusive" ? Cover::all : Cover::pairs))
                    continue;
                const auto scan =
                    verifier.create<SegmentedScan>({element_case.type, element_case.operation, kind, segments});
                if (!scan) continue;
                (rows ? verify_rows : verify_offsets)(verifier, *scan, {element_case, segments, kind});
            }
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
    const auto    count            = static_cast<uint32_t>(offsets.back());
    const auto    elements         = random_bytes(element_case, count);
    SegmentInput  input            = segment_input(offsets, *elements, {});
    WorkloadDesc  desc;
    desc.size        = size;
    desc.input       = std::make_shared<Bytes>(rows ? *elements : std::move(input.bytes));
    desc.output_size = desc.bytes_written = uint64_t{count} * 4 * words_in(element_case.type);
    desc.format                           = format_of(element_case.type);
    desc.expected                         = [=] {
        const auto            words = elements_in(element_case.type, elements->data(), count);
        std::vector<uint32_t> expected(words.size());
        reference_segments(element_case, variant.kind, words, offsets, expected.data(), offsets);
        return bytes_of(expected);
    };
    const auto args_of = [=, elements_at = input.elements_at](const Operands& operands) {
        SegmentedScan::Args args;
        args.input            = operands.input + (rows ? 0 : elements_at);
        args.output           = operands.output;
        args.scratch          = operands.scratch;
        args.segments.offsets = rows ? 0 : operands.input + SegmentInput::offsets_at;
        args.count            = rows ? length : count;
        args.segments.count   = static_cast<uint32_t>(offsets.size() - 1);
        return args;
    };
    return workload_of<SegmentedScan>(
        device, {element_case.type, element_case.operation, variant.kind, variant.segments}, desc, args_of);
}

/// `length`: of rows, or of segments that are all alike; else 0.
BenchDesc bench(const std::string& name, SegmentLayout segments, Cut cut, uint32_t length,
                ElementType type = ElementType::f32) {
    const Variant sums{{type, Operation::add}, segments, Scan::Kind::exclusive};
    return {
        fmt::format("add {}, {}", name_of(type), name), name_of(type), input_size(type),
        [=](const runtime::Device& device, const BenchSize& size) { return prepare(device, sums, cut, length, size); },
        Counting::host};
}

std::vector<BenchDesc> benches() {
    std::vector<BenchDesc> all;
    // Between those, a little more than a tile or two, and one and a half.
    for (uint32_t length : {4u, 16u, 64u, 256u, 1024u, 4096u, 4097u, 6144u, 8193u, 65536u}) {
        all.push_back(bench(fmt::format("rows of {}", length), SegmentLayout::rows, Cut::one, length));
    }
    for (uint32_t length : {16u, 64u, 1024u, 4097u, 65536u}) {
        all.push_back(bench(fmt::format("offsets of {}", length), SegmentLayout::offsets, Cut::one, length));
    }
    all.push_back(bench("rows of 2049", SegmentLayout::rows, Cut::one, 2049, ElementType::f64));
    all.push_back(bench("skewed", SegmentLayout::offsets, Cut::skewed, 0));
    all.push_back(bench("16 and one of half", SegmentLayout::offsets, Cut::half, 0));
    return all;
}

// A variant is a type, an operation, a kind and segments.
struct PropertyVariant {
    ElementCase      element_case;
    Scan::Kind       kind = Scan::Kind::exclusive;
    PropertySegments segments;
};

std::string text_of(const PropertyVariant& variant) {
    return fmt::format("{} {} {} {}", name_of(variant.element_case.type), name_of(variant.element_case.operation),
                       name_of_kind(variant.kind), variant.segments.name());
}

const std::vector<PropertyVariant>& property_variants() {
    static const std::vector<PropertyVariant> all = [] {
        std::vector<PropertyVariant> variants;
        for (const PropertySegments& segments : all_property_segments()) {
            for (const ElementCase& one : scan_cases()) {
                // Offsets are aligned as the elements are.
                if (input_size(one.type) < 4 && segments.rows == 0) continue;
                for (Scan::Kind kind : {Scan::Kind::exclusive, Scan::Kind::inclusive})
                    variants.push_back({one, kind, segments});
            }
        }
        return variants;
    }();
    return all;
}

Model model_of(const PropertyVariant& one) {
    const ElementType type = one.element_case.type;
    Model             model;
    model.format           = format_of(type);
    model.input_size       = input_size(type);
    model.output_alignment = 4 * words_in(type);
    model.gpu_count        = one.segments.rows == 0;
    model.in_place         = input_size(type) >= 4; // narrow ones become words
    model.output_size      = [=](uint32_t count) { return uint64_t{count} * 4 * words_in(type); };
    model.ahead            = one.segments.ahead();
    model.input            = [=](uint32_t count, Data data, Random random) {
        return elements_of(one.element_case, count, data, random);
    };
    model.expect = [=](const uint8_t* input, uint32_t count, uint8_t* output) {
        const Offsets         offsets  = one.segments.offsets(count);
        const auto            elements = elements_in(type, input, count);
        std::vector<uint32_t> words(elements.size());
        if (count > 0) std::memcpy(words.data(), output, words.size() * 4);
        reference_segments(one.element_case, one.kind, elements, offsets, words.data(), offsets);
        if (count > 0) std::memcpy(output, words.data(), words.size() * 4);
    };
    return model;
}

Result<Operator> operator_for(const Context& context, const PropertyVariant& variant) {
    const PropertySegments segments = variant.segments;
    return create_operator<SegmentedScan>(
        context, {variant.element_case.type, variant.element_case.operation, variant.kind, segments.layout()},
        [segments](const Operands& operands) { return segments.args<SegmentedScan>(operands); });
}

const Property property = property_of(
    Listed<PropertyVariant>(
        property_variants(), [](const PropertyVariant& variant) { return text_of(variant); },
        fmt::format("segmented_scan: not a type, an operation, a kind and segments, such as 'f32 add exclusive 4' "
                    "with a number below {}, 'f32 add inclusive rows=7'",
                    property_numbers)),
    model_of, operator_for, [](const runtime::Device& device, const PropertyVariant& variant) {
        return runs_on(device, variant.element_case);
    });

Contract contract(const std::string& variant) {
    Contract contract;
    contract.variant                 = variant;
    contract.pipelines               = 1;
    contract.pipelines_without_waits = 4;
    contract.dispatches              = 1;
    contract.barriers                = 0;
    contract.one_pipeline            = true;
    contract.one_row                 = false;
    contract.most_elements           = UINT32_MAX - 4 * property_segments; // SegmentedReduce::Size
    contract.most_scratch            = 512 << 20;
    contract.knobs                   = {{"segmented_scan.share", SEGMENTS_LEAST_SHARE, SEGMENTS_MOST_SHARE},
                                        {"segmented_scan.short_share", SEGMENTS_LEAST_SHARE, SEGMENTS_MOST_SHARE},
                                        {"segmented_scan.workgroups", 2, 65535},
                                        {"lookback.tickets", 0, 1, 1},
                                        {"lookback.waits", 0, 1},
                                        {"lookback.fault", 0, VKPRIM_FAULT_DAWDLE},
                                        {"lookback.fault_share", 0, 65536}};
    return contract;
}

const Registration registration(
    {"segmented_scan",
     verify_segments,
     benches(),
     {{"segmented_scan.share", "add f32, rows of 64", 1u << 26, {512, 1024, 2048}},
      {"segmented_scan.short_share", "add f32, offsets of 16", 1u << 26, {1024, 2048, 4096}}},
     property,
     {contract("u32 add exclusive 0"), contract("f32 add inclusive 4")},
     {{"f32 mul exclusive 0", true}},
     {{"offsets f32 add"},
      {"rows f32 add", "offsets u32 add"},
      {"offsets f32 add"},
      {"offsets f32 add", "rows f32 add"}}});

} // namespace
} // namespace vkprim::harness::segmented_scan_primitive
