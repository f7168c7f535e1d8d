#include <vkprim/glsl/detail/lookback_layout.h>
#include <vkprim/glsl/detail/tile.h>
#include <vkprim/scan.h>

#include <fmt/format.h>

#include "../shaders/scan/scan_push.h"
#include "elements.h"
#include "references.h"
#include "variants.h"
#include "workload.h"

#include <cstring>

namespace vkprim::harness::scan_primitive {
namespace {

std::string text_of(const Scan::Desc& desc) {
    return fmt::format("{} {} {}", name_of(desc.type), name_of(desc.operation),
                       desc.kind == Scan::Kind::exclusive ? "exclusive" : "inclusive");
}

void verify_case(Verifier& verifier, const Scan& scan, const Scan::Desc& desc, const std::vector<uint32_t>& elements,
                 const Shape& shape) {
    const auto            count = static_cast<uint32_t>(elements.size() / words_in(desc.type));
    std::vector<uint32_t> expected(elements.size());
    reference_scan(desc.type, desc.operation, desc.kind, elements.data(), expected.data(), count);
    const Bytes bytes  = shape.stride > 0 ? spread(elements, shape.stride) : input_of(desc.type, elements);
    const Range input  = verifier.input(bytes.data(), bytes.size(), shape.input_misalignment);
    const Range output = shape.in_place ? input : verifier.output(elements.size() * 4, shape.output_misalignment);
    Scan::Args  args   = args_of<Scan>(verifier.operands(input, output, count, shape.bound));
    args.stride        = shape.stride;
    verifier.lend(scan, args, shape.left);
    verifier.prove(scan, args, {shape.in_place ? 1u : 2u, shape.parts}, output, expected.data(), format_of(desc.type));
}

void verify_counts(Verifier& verifier, const Scan& scan, const Scan::Desc& desc) {
    const ElementCase element_case{desc.type, desc.operation};
    for (uint32_t count : verifier.edge_counts()) {
        const auto random_case = [&](const std::string& name, const Shape& shape) {
            if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
            verify_case(verifier, scan, desc, random_elements(element_case, count, verifier.random()), shape);
        };
        random_case("aligned", {});
        // Bytes: multiples of the element's.
        const uint32_t size     = input_size(desc.type);
        const bool     in_place = size == 4 * words_in(desc.type); // what is wider in the output cannot be
        if (size < 4) {
            random_case(fmt::format("offset={},8", size), {size, 8, false, 0});
            random_case(fmt::format("offset={},0", 8 - size), {8 - size, 0, false, 0});
        } else if (size == 4) {
            random_case("offset=4,8", {4, 8, false, 0});
            random_case("offset=0,12", {0, 12, false, 0});
        } else {
            random_case("offset=8,0", {8, 0, false, 0});
            random_case("offset=0,8", {0, 8, false, 0});
        }
        if (in_place) random_case("in place", {0, 0, true, 0});
        if (in_place) random_case(fmt::format("in place offset={}", size), {size, size, true, 0});
        random_case("on the GPU", {0, 0, false, count + 1});
        random_case("on the GPU, large bound", {0, 0, in_place, 2 * count + 70000});
        random_case("in parts, on the GPU", {0, 0, in_place, count + 1, 3});
        // A few tiles after very many, which are cleared in several rounds.
        if (count == VKPRIM_TILE_BLOCK + 1) random_case("after many tiles", {0, 0, false, 0, 1, 5000});
        if (verifier.wants(fmt::format("count={} special", count))) {
            verify_case(verifier, scan, desc, special_elements(element_case, count, verifier.random()), {});
        }
    }
}

void verify_scan(Verifier& verifier) {
    for (const ElementCase& element_case : scan_cases()) {
        if (!runs_on(verifier.device(), element_case)) continue;
        if (!is_in(verifier.extent(), element_case)) continue;
        for (Scan::Kind kind : {Scan::Kind::exclusive, Scan::Kind::inclusive}) {
            const Scan::Desc desc{element_case.type, element_case.operation, kind};
            // Where the own element is added does not depend on the operation: once for each type will do, in pairs by turns.
            const bool     inclusive = kind == Scan::Kind::inclusive;
            const uint32_t turn      = static_cast<uint32_t>(desc.type) + static_cast<uint32_t>(desc.operation);
            if (verifier.extent() <= Extent::pairs && inclusive != (turn % 2 == 1)) continue;
            if (verifier.extent() == Extent::quick && inclusive && desc.operation != Operation::add) continue;
            if (!verifier.group("scan " + text_of(desc), quick_cover(element_case), way_of(element_case))) continue;
            if (const auto scan = verifier.create<Scan>(desc)) verify_counts(verifier, *scan, desc);
        }
    }
}

void verify_strided(Verifier& verifier) {
    for (const ElementCase& element_case : strided_cases()) {
        const std::string name = name_of(element_case.type) + " " + name_of(element_case.operation);
        if (!verifier.group("scan strided " + name, Cover::pairs, "strided " + way_of(element_case))) continue;
        Scan::Desc desc{element_case.type, element_case.operation};
        desc.strided    = true;
        const auto scan = verifier.create<Scan>(desc);
        if (!scan) continue;
        for (uint32_t count : verifier.edge_counts()) {
            for (const Shape& shape : {Shape{0, 0, false, 0, 1, 0, 4},
                                       {4, 0, false, 0, 1, 0, 12},
                                       {8, 12, false, count + 1, 3, 0, 20},
                                       {12, 4, false, 0, 1, 0, 32}}) {
                if (!verifier.wants(fmt::format("count={} stride={}", count, shape.stride))) continue;
                verify_case(verifier, *scan, desc, random_elements(element_case, count, verifier.random()), shape);
            }
        }
    }
}

void verify_all(Verifier& verifier) {
    verify_scan(verifier);
    verify_strided(verifier);
}

/// `offset`: elements before the input and the output, which are aligned to 16 bytes where it is 0.
Result<Workload> prepare(const runtime::Device& device, const Scan::Desc& scan, const BenchSize& size,
                         uint32_t offset) {
    WorkloadDesc desc;
    desc.size                   = size;
    desc.input                  = random_bytes({scan.type, scan.operation}, size.count);
    const uint64_t element_size = uint64_t{4} * words_in(scan.type);
    desc.input_offset           = offset * uint64_t{input_size(scan.type)};
    desc.output_offset          = offset * element_size;
    desc.output_size = desc.bytes_written = size.count * element_size;
    desc.format                           = format_of(scan.type);
    desc.expected                         = [scan, input = desc.input, count = size.count] {
        std::vector<uint32_t> elements = elements_in(scan.type, input->data(), count);
        reference_scan(scan.type, scan.operation, scan.kind, elements.data(), elements.data(), count);
        return bytes_of(elements);
    };
    return workload_of<Scan>(device, scan, desc, args_of<Scan>);
}

BenchDesc bench(ElementType type, Operation operation, Scan::Kind kind, uint32_t offset = 0) {
    const std::string suffix = offset == 0 ? "" : fmt::format(", offset {}", offset);
    return {fmt::format("{} {} {}{}", name_of(operation), name_of(type),
                        kind == Scan::Kind::exclusive ? "exclusive" : "inclusive", suffix),
            name_of(type), input_size(type), [=](const runtime::Device& device, const BenchSize& size) {
                return prepare(device, {type, operation, kind}, size, offset);
            }};
}

/// Each type and operation, and with each a kind.
struct Variants {
    std::string draw(Random& random) const {
        const auto element_case = scan_cases()[random.below(static_cast<uint32_t>(scan_cases().size()))];
        return text_of({element_case.type, element_case.operation, static_cast<Scan::Kind>(random.below(2))});
    }

    Result<Scan::Desc> read(const std::string& text) const {
        const std::vector<std::string> words = words_of(text);
        if (const auto read = words.size() == 3 ? read_element_case(words[0], words[1]) : std::nullopt) {
            for (Scan::Kind kind : {Scan::Kind::exclusive, Scan::Kind::inclusive}) {
                const Scan::Desc desc{read->type, read->operation, kind};
                if (text_of(desc) == text) return desc;
            }
        }
        return Error{ErrorKind::invalid_desc, "scan: no type, operation and kind: '" + text + "'"};
    }

    std::vector<std::string> simpler(const std::string& text) const {
        const auto               desc = read(text);
        std::vector<std::string> simpler;
        if (!desc) return simpler;
        for (const ElementCase& one : simpler_element_cases({desc->type, desc->operation})) {
            simpler.push_back(text_of({one.type, one.operation, desc->kind}));
        }
        if (desc->kind != Scan::Kind::exclusive) simpler.push_back(text_of({desc->type, desc->operation}));
        return simpler;
    }
};

Model model_of(const Scan::Desc& desc) {
    Model model;
    model.format           = format_of(desc.type);
    model.input_size       = input_size(desc.type);
    model.output_alignment = 4 * words_in(desc.type);
    model.in_place         = model.output_alignment == model.input_size;
    model.output_size      = [size = model.output_alignment](uint32_t count) { return uint64_t{count} * size; };
    model.input            = [=](uint32_t count, Data data, Random random) {
        return elements_of({desc.type, desc.operation}, count, data, random);
    };
    model.expect = [=](const uint8_t* input, uint32_t count, uint8_t* output) {
        std::vector<uint32_t> elements = elements_in(desc.type, input, count);
        reference_scan(desc.type, desc.operation, desc.kind, elements.data(), elements.data(), count);
        if (count > 0) std::memcpy(output, elements.data(), elements.size() * 4);
    };
    return model;
}

Result<Operator> operator_for(const Context& context, const Scan::Desc& desc) {
    return create_operator<Scan>(context, desc, args_of<Scan>);
}

const Property property =
    property_of(Variants(), model_of, operator_for, [](const runtime::Device& device, const Scan::Desc& desc) {
        return runs_on(device, {desc.type, desc.operation});
    });

Contract contract(const std::string& variant) {
    Contract contract;
    contract.variant                 = variant;
    contract.pipelines               = 3;
    contract.pipelines_on_cpu        = 1;
    contract.all_shapes              = {{"scan.blocks", 2}, {"scan.aligned", 1}};
    contract.pipelines_without_waits = 6;
    contract.dispatches              = 1;
    contract.barriers                = 0;
    contract.one_pipeline            = false;
    contract.one_row                 = false;
    contract.knobs                   = {{"scan.small_tiles", 1, 256},
                                        {"scan.blocks", 1, 2},
                                        {"scan.aligned", 0, 1},
                                        {"scan.prefetch_distance", 0, 65535},
                                        {"lookback.tickets", 0, 1, 1},
                                        {"lookback.waits", 0, 1},
                                        {"lookback.fault", 0, VKPRIM_FAULT_DAWDLE},
                                        {"lookback.fault_share", 0, 65536}};
    contract.effect                  = {"scan.prefetch_distance", 17, SCAN_PREFETCH_DISTANCE_ID, 17};
    return contract;
}

const Registration registration(
    {"scan",
     verify_all,
     {with_peer(bench(ElementType::u32, Operation::add, Scan::Kind::exclusive),
                {"scan_exclusive_add_u32", Peer::Sizes::leading}, "u32 add exclusive"),
      with_peer(bench(ElementType::u32, Operation::add, Scan::Kind::inclusive), {"scan_inclusive_add_u32"}),
      with_peer(bench(ElementType::f32, Operation::add, Scan::Kind::exclusive), {"scan_exclusive_add_f32"},
                "f32 add exclusive"),
      with_peer(bench(ElementType::u32, Operation::add, Scan::Kind::exclusive, 1),
                {"scan_exclusive_add_u32", Peer::Sizes::largest, 1}),
      with_peer(bench(ElementType::u64, Operation::add, Scan::Kind::exclusive), {"scan_exclusive_add_u64"}),
      with_peer(bench(ElementType::f64, Operation::add, Scan::Kind::exclusive), {"scan_exclusive_add_f64"})},
     {{"lookback.tickets", "add u32 exclusive", 1u << 24, {0, 1}, {1}},
      {"scan.blocks", "add u32 exclusive", 1u << 24, {1, 2}},
      // At this count, 256 makes small tiles, and less does not.
      {"scan.small_tiles", "add u32 exclusive", 1u << 20, {128, 256}},
      {"scan.prefetch_distance", "add u32 exclusive", 1u << 26, {0, 66, 99, 132, 165, 198, 231, 264, 330, 396}}},
     property,
     {contract("u32 add exclusive"), contract("i32 max inclusive")}, // lookback_test.cpp has f32
     {{"f32 add exclusive", true}, {"f32 min exclusive", false}, {"u32 add exclusive", false}},
     {{"u32 add exclusive", "f16 add exclusive"},
      {"u32 add exclusive", "u32 add exclusive count=1052673 in p"},
      {"f32 add exclusive"},
      {"u32 add exclusive"}}});

} // namespace
} // namespace vkprim::harness::scan_primitive
