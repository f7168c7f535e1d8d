#include <vkprim/reduce.h>

#include <fmt/format.h>

#include "../shaders/reduce/reduce_any_push.h"
#include "elements.h"
#include "references.h"
#include "variants.h"
#include "workload.h"

#include <cstring>
#include <set>

namespace vkprim::harness::reduce_primitive {
namespace {

using vkprim::Order; // not keys.h's

/// What create() is given.
struct Variant {
    ElementCase element;
    Order       order = Order::fixed;

    std::string  name() const { return name_of(element) + (order == Order::any ? " any" : ""); }
    std::string  way() const { return order == Order::any ? name() : way_of(element); }
    Reduce::Desc desc() const {
        Reduce::Desc desc{element.type, element.operation};
        desc.order = order;
        desc.wide  = element.wide;
        return desc;
    }
    bool runs_on(const runtime::Device& device) const {
        return order == Order::any || harness::runs_on(device, element);
    }
    std::vector<uint32_t> expected(const uint32_t* elements, uint32_t count) const {
        return order == Order::any ? reference_exact_sum(element.type, elements, count)
                                   : reference_reduce(element, elements, count);
    }
};

const std::vector<Variant>& variants() {
    static const std::vector<Variant> variants = [] {
        std::vector<Variant> all;
        for (const ElementCase& one : reduce_cases()) all.push_back({one});
        for (const ElementType type : {ElementType::f32, ElementType::f64})
            all.push_back({{type, Operation::add}, Order::any});
        return all;
    }();
    return variants;
}

/// Any finite floats: of all exponents, or of few; some of them again with the other sign, so that most of the sum vanishes.
std::vector<uint32_t> finite_floats(ElementType type, uint32_t count, Random random) {
    const uint32_t words = words_in(type), upper_bits = words == 2 ? 20 : 23, exponents = words == 2 ? 2047 : 255;
    const uint32_t range = random.below(2) ? exponents : 1 + random.below(60);
    const uint32_t least = random.below(exponents - range + 1), kind = random.below(3);
    std::vector<uint32_t> elements(size_t{count} * words);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t* const element = &elements[size_t{i} * words];
        if (kind > 0 && i > 0 && random.below(4) > 0) { // the negative of any before
            std::memcpy(element, &elements[size_t{random.below(i)} * words], words * 4);
            element[words - 1] ^= 0x80000000u;
            continue;
        }
        element[0]              = static_cast<uint32_t>(random.next() >> 32);
        const uint32_t upper    = static_cast<uint32_t>(random.next() >> 32);
        const uint32_t exponent = least + random.below(range);
        element[words - 1]      = (upper & ((1u << upper_bits) - 1)) | exponent << upper_bits | (upper & 0x80000000u);
        if (kind == 2 && random.below(2)) element[words - 1] &= 0x80000000u; // zero, or denormal
    }
    return elements;
}

std::vector<uint32_t> random_input(const Variant& variant, uint32_t count, Random random) {
    const bool any_float = variant.order == Order::any && random.below(4) > 0;
    return any_float ? finite_floats(variant.element.type, count, random)
                     : random_elements(variant.element, count, random);
}

/// Where the sum is exact, denormals are special, too.
ElementCase special_case(const Variant& variant) {
    return variant.order == Order::any ? ElementCase{variant.element.type, Operation::min} : variant.element;
}

void verify_case(Verifier& verifier, const Reduce& reduce, const Variant& variant,
                 const std::vector<uint32_t>& elements, const Shape& shape) {
    const ElementCase& element_case = variant.element;
    const auto         count        = static_cast<uint32_t>(elements.size() / words_in(element_case.type));
    const auto         expected     = variant.expected(elements.data(), count);
    const Bytes    bytes  = shape.stride > 0 ? spread(elements, shape.stride) : input_of(element_case.type, elements);
    const Range    input  = verifier.input(bytes.data(), bytes.size(), shape.input_misalignment);
    const uint32_t align  = result_align(element_case);
    const Range    output = verifier.output(expected.size() * 4, shape.input_misalignment / align * align);
    Reduce::Args   args   = args_of<Reduce>(verifier.operands(input, output, count, shape.bound));
    args.stride           = shape.stride;
    verifier.lend(reduce, args);
    verifier.prove(reduce, args, {2, shape.parts}, output, expected.data(), format_of(element_case));
}

void verify_strided(Verifier& verifier) {
    for (const ElementCase& element_case : strided_cases()) {
        const std::string name = name_of(element_case.type) + " " + name_of(element_case.operation);
        if (!verifier.group("reduce strided " + name, Cover::pairs, "strided " + way_of(element_case))) continue;
        Reduce::Desc desc{element_case.type, element_case.operation};
        desc.strided      = true;
        const auto reduce = verifier.create<Reduce>(desc);
        if (!reduce) continue;
        for (uint32_t count : verifier.edge_counts()) {
            for (const Shape& shape : {Shape{0, 0, false, 0, 1, 0, 4},
                                       {4, 0, false, 0, 1, 0, 12},
                                       {8, 0, false, count + 1, 3, 0, 20},
                                       {12, 0, false, 0, 1, 0, 32}}) {
                if (!verifier.wants(fmt::format("count={} stride={}", count, shape.stride))) continue;
                verify_case(verifier, *reduce, {element_case}, random_elements(element_case, count, verifier.random()),
                            shape);
            }
        }
    }
}

void verify_reduce(Verifier& verifier) {
    for (const Variant& variant : variants()) {
        const ElementCase& element_case = variant.element;
        if (!variant.runs_on(verifier.device())) continue;
        if (!is_in(verifier.extent(), element_case)) continue;
        if (!verifier.group("reduce " + variant.name(), quick_cover(element_case), variant.way())) continue;
        const auto reduce = verifier.create<Reduce>(variant.desc());
        if (!reduce) continue;
        const auto run = [&](uint32_t count, const std::string& name, const Shape& shape) {
            if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
            verify_case(verifier, *reduce, variant, random_input(variant, count, verifier.random()), shape);
        };
        // More tiles than are folded at once.
        constexpr uint32_t groups = VKPRIM_FOLD_FAN * (REDUCE_COLUMNS << REDUCE_LOG2_ROWS) + 50001;
        std::set<uint32_t> counts;
        for (uint32_t count : verifier.edge_counts()) counts.insert(count);
        if (verifier.counts().empty()) {
            run(groups, "groups of tiles", {0, 0, false, 0, 3});
            counts.insert(VKPRIM_FOLD_FAN * REDUCE_COLUMNS); // as many whole tiles as are folded at once
        }
        for (uint32_t count : counts) {
            for (uint32_t offset : {0u, 4u, 12u}) {
                if (offset % (4 * words_in(element_case.type)) == 0)
                    run(count, fmt::format("offset={}", offset), {offset});
            }
            const uint32_t size = input_size(element_case.type);
            if (size == 8) run(count, "offset=8", {8});
            if (size < 4) {
                for (uint32_t offset : {size, 4 + size, 8 - size})
                    run(count, fmt::format("offset={}", offset), {offset});
            }
            if (verifier.wants(fmt::format("count={} special", count))) {
                verify_case(verifier, *reduce, variant,
                            special_elements(special_case(variant), count, verifier.random()), {});
            }
            if (is_float(element_case.type) && chooses(element_case.operation)) {
                for (uint32_t infinity_at : {count, count / 3}) {
                    if (!verifier.wants(
                            fmt::format("count={} NaN{}", count, infinity_at < count ? " and infinity" : "")))
                        continue;
                    verify_case(verifier, *reduce, variant, nan_elements(element_case, count, infinity_at), {});
                }
            }
            for (uint32_t bound : {count, count + 1, 2 * count + 70000}) {
                if (bound > 0) run(count, fmt::format("on the GPU, bound={}", bound), {0, 0, false, bound});
            }
            run(count, "in parts, on the GPU", {8, 0, false, 2 * count + 70000, 3});
        }
    }
}

void verify_all(Verifier& verifier) {
    verify_reduce(verifier);
    verify_strided(verifier);
}

/// `offset`: elements before the input and the output, which are aligned to 16 bytes where it is 0.
Result<Workload> prepare(const runtime::Device& device, const Variant& variant, const BenchSize& size,
                         uint32_t offset) {
    const ElementCase& element_case = variant.element;
    WorkloadDesc       desc;
    desc.size          = size;
    desc.input         = random_bytes(element_case, size.count);
    desc.input_offset  = offset * uint64_t{input_size(element_case.type)};
    desc.output_offset = offset * uint64_t{result_align(element_case)};
    desc.output_size   = result_size(element_case);
    desc.format        = format_of(element_case);
    desc.expected      = [variant, input = desc.input, count = size.count] {
        return bytes_of(variant.expected(elements_in(variant.element.type, input->data(), count).data(), count));
    };
    return workload_of<Reduce>(device, variant.desc(), desc, args_of<Reduce>);
}

BenchDesc bench(ElementType type, Operation operation, uint32_t offset = 0) {
    const std::string suffix = offset == 0 ? "" : fmt::format(", offset {}", offset);
    return {name_of(operation) + " " + name_of(type) + suffix, name_of(type), input_size(type),
            [=](const runtime::Device& device, const BenchSize& size) {
                return prepare(device, {{type, operation}}, size, offset);
            }};
}

BenchDesc bench_any_order(ElementType type) {
    return {"add " + name_of(type) + ", any order", name_of(type), input_size(type),
            [=](const runtime::Device& device, const BenchSize& size) {
                return prepare(device, {{type, Operation::add}, Order::any}, size, 0);
            }};
}

BenchDesc bench_wide(ElementType type) {
    return {"add " + name_of(type) + ", wide", name_of(type), input_size(type),
            [=](const runtime::Device& device, const BenchSize& size) {
                return prepare(device, {{type, Operation::add, true}}, size, 0);
            }};
}

Model model_of(const Variant& variant) {
    const ElementCase element_case = variant.element;
    Model             model;
    model.format           = format_of(element_case);
    model.input_size       = input_size(element_case.type);
    model.output_alignment = result_align(element_case);
    model.output_size      = [size = result_size(element_case)](uint32_t) { return size; };
    model.input            = [=](uint32_t count, Data data, Random random) {
        if (data == Data::random) return input_of(element_case.type, random_input(variant, count, random));
        return elements_of(data == Data::special ? special_case(variant) : element_case, count, data, random);
    };
    model.expect = [=](const uint8_t* input, uint32_t count, uint8_t* output) {
        const auto words = variant.expected(elements_in(element_case.type, input, count).data(), count);
        std::memcpy(output, words.data(), words.size() * 4);
    };
    return model;
}

Result<Operator> operator_for(const Context& context, const Variant& variant) {
    return create_operator<Reduce>(context, variant.desc(), args_of<Reduce>);
}

/// Of which one is made simpler by its type and operation.
struct Variants : Listed<Variant> {
    using Listed<Variant>::Listed;

    std::vector<std::string> simpler(const std::string& text) const {
        const auto               variant = read(text);
        std::vector<std::string> simpler;
        if (!variant) return simpler;
        for (const ElementCase& one : simpler_element_cases(variant->element)) simpler.push_back(Variant{one}.name());
        if (variant->order == Order::any) simpler.push_back(Variant{variant->element}.name());
        if (text == "f64 add any") simpler.push_back("f32 add any");
        return simpler;
    }
};

const Property property = property_of(
    Variants(variants(), std::mem_fn(&Variant::name), "reduce: no type and operation, and any"), model_of, operator_for,
    [](const runtime::Device& device, const Variant& variant) { return variant.runs_on(device); });

Contract contract(const std::string& variant) {
    Contract contract;
    contract.variant          = variant;
    contract.pipelines        = 2;
    contract.pipelines_on_cpu = 1;
    contract.all_shapes       = {{"reduce.aligned", 1}};
    contract.dispatches       = 1;
    contract.barriers         = 0;
    contract.one_pipeline     = false;
    contract.one_row          = false;
    contract.knobs            = {{"reduce.batch", 1, 64, 1, 16},  {"reduce.loaded_batch", 1, 64, 1, 16},
                                 {"reduce.ordered", 0, 1},        {"reduce.aligned", 0, 1},
                                 {"reduce.any_batch", 1, 16},     {"reduce.any_levels", 2, 3},
                                 {"reduce.any_tiles", 256, 65536}};
    contract.effect           = {"reduce.batch", 3, REDUCE_BATCH_ID, 3};
    return contract;
}

Contract contract_any_order(const std::string& variant) {
    Contract contract = reduce_primitive::contract(variant);
    contract.effect   = {"reduce.any_batch", 3, REDUCE_BATCH_ID, 3};
    return contract;
}

const Registration registration(
    {"reduce",
     verify_all,
     {with_peer(bench(ElementType::u32, Operation::add), {"reduce_add_u32", Peer::Sizes::leading}, "u32 add"),
      with_peer(bench(ElementType::f32, Operation::add), {"reduce_add_f32"}, "f32 add"),
      with_peer(bench(ElementType::u32, Operation::min), {"reduce_min_u32"}), bench(ElementType::f32, Operation::min),
      with_peer(bench(ElementType::u64, Operation::add), {"reduce_add_u64"}),
      with_peer(bench(ElementType::f64, Operation::add), {"reduce_add_f64"}),
      with_peer(bench(ElementType::f32, Operation::argmin), {"reduce_argmin_f32"}),
      with_peer(bench(ElementType::f16, Operation::add), {"reduce_add_f16"}), bench(ElementType::u8, Operation::add),
      with_peer(bench(ElementType::u32, Operation::add, 1), {"reduce_add_u32", Peer::Sizes::largest, 1}),
      bench_any_order(ElementType::f32), bench_any_order(ElementType::f64), bench_wide(ElementType::i32),
      bench_wide(ElementType::u8)},
     {{"reduce.batch", "add f32", 1u << 26, {2, 3, 4, 5, 8, 16}},
      {"reduce.any_batch", "add f32, any order", 1u << 26, {1, 2, 3, 4, 6, 8}, {2, 4}},
      {"reduce.any_levels", "add f32, any order", 1u << 26, {2, 3}},
      {"reduce.any_tiles", "add f32, any order", 1u << 26, {1024, 2048, 65536}, {1024}}},
     property,
     {contract("u32 add"), contract("f32 add"), contract("f32 min"), contract_any_order("f32 add any"),
      contract_any_order("f64 add any")},
     {{"f32 mul", true}, {"f32 add any", true}},
     {{"f32", "u8 add"}, {"f32 add", "f32 add count=4244305 groups of tiles", "f64 add any"}, {}, {}}});

} // namespace
} // namespace vkprim::harness::reduce_primitive
