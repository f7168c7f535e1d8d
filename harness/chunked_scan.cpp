#include <vkprim/chunked_scan.h>

#include <fmt/format.h>

#include "chunked.h"
#include "elements.h"
#include "references.h"
#include "workload.h"

namespace vkprim::harness::chunked_scan_primitive {
namespace {

/// Whether chunks are scanned one after the other, or all totals come first, as with several devices, those of the last chunk ahead.
enum class Way { one_by_one, totals_first };

/// All of it.
class InChunks {
public:
    using Desc = ChunkedScan::Desc;

    struct Args {
        VkDeviceAddress input = 0, output = 0, temporary = 0;
        uint32_t        count = 0;
        Chunking        cut   = {};
        Way             way   = Way::one_by_one;
    };

    static Result<InChunks> create(const Context& context, const Desc& desc) {
        auto core = CoreDevice::create(context);
        auto scan = ChunkedScan::create(context, desc);
        if (!core) return core.error();
        if (!scan) return scan.error();
        return InChunks(*core, std::move(*scan), desc.type);
    }

    VkDeviceSize scratch_size(const Args&) const { return 0; }

    /// The totals, and that of each chunk, of which there are no more than steps.
    VkDeviceSize temporary_size(const Args& args) const {
        return round_up_16(scan_.totals_size(args.count)) +
               (args.count / chunk_step + 1) * chunk_temporary(std::min(args.count, chunk_step));
    }

    Result<void> validate(const Args& args) const {
        for (uint32_t number = 0; number < args.cut.chunks(); ++number) {
            if (auto valid = scan_.validate(chunk_args(args, number)); !valid) return valid;
        }
        return {};
    }

    void record(VkCommandBuffer commands, const Args& args) const {
        const uint32_t chunks = args.cut.chunks();
        if (args.way == Way::totals_first) {
            for (uint32_t number = chunks; number-- > 0;) scan_.record_totals(commands, chunk_args(args, number));
            record_barrier(commands, core_);
            for (uint32_t number = chunks; number-- > 0;) scan_.record_outputs(commands, chunk_args(args, number));
            return;
        }
        for (uint32_t number = 0; number < chunks; ++number) {
            if (number > 0) record_barrier(commands, core_);
            scan_.record(commands, chunk_args(args, number));
        }
    }

    const ChunkedScan& scan() const { return scan_; }

private:
    InChunks(CoreDevice core, ChunkedScan scan, ElementType type)
        : core_(std::move(core)),
          scan_(std::move(scan)),
          input_size_(input_size(type)),
          output_size_(4 * words_in(type)) {}

    VkDeviceSize chunk_temporary(uint32_t count) const { return round_up_16(scan_.temporary_size(count)); }

    ChunkedScan::Args chunk_args(const Args& args, uint32_t number) const {
        const Chunk           chunk  = args.cut.chunk(number);
        const VkDeviceAddress behind = args.temporary + round_up_16(scan_.totals_size(args.count));
        const uint32_t        place  = args.way == Way::totals_first ? number : 0;
        return {args.input + chunk.begin * input_size_, args.output + chunk.begin * output_size_, args.temporary,
                behind + place * chunk_temporary(args.cut.chunk(0).count), chunk};
    }

    CoreDevice  core_;
    ChunkedScan scan_;
    uint32_t    input_size_, output_size_; ///< bytes of an element
};

InChunks::Args args_of(const Operands& operands) {
    return {operands.input, operands.output, operands.temporary, operands.count, {operands.count, chunk_step}};
}

struct Shape {
    Chunking cut                 = {};
    Way      way                 = Way::one_by_one;
    uint32_t input_misalignment  = 0; ///< bytes
    uint32_t output_misalignment = 0; ///< bytes
    bool     in_place            = false;
};

void verify_case(Verifier& verifier, const InChunks& scan, const Scan::Desc& desc,
                 const std::vector<uint32_t>& elements, const Shape& shape) {
    const uint32_t        count = shape.cut.count;
    std::vector<uint32_t> expected(elements.size());
    reference_scan(desc.type, desc.operation, desc.kind, elements.data(), expected.data(), count);
    const Bytes    bytes  = input_of(desc.type, elements);
    const Range    input  = verifier.input(bytes.data(), bytes.size(), shape.input_misalignment);
    const Range    output = shape.in_place ? input : verifier.output(elements.size() * 4, shape.output_misalignment);
    InChunks::Args args{input.address, output.address, 0, count, shape.cut, shape.way};
    verifier.lend(scan, args);
    verifier.prove(scan, args, {shape.in_place || count > chunk_step ? 1u : 2u, 1}, output, expected.data(),
                   format_of(desc.type));
}

/// A chunk far behind the array's beginning, of whose elements only the totals are there.
void verify_far(Verifier& verifier, const ChunkedScan& scan, const Scan::Desc& desc, uint64_t begin, uint32_t count) {
    const ElementCase     element_case{desc.type, desc.operation};
    const Chunk           chunk{begin, count};
    const auto            groups   = static_cast<uint32_t>(scan.totals_size(begin) / 4 / words_in(desc.type));
    const auto            totals   = random_elements(element_case, groups, verifier.random());
    const auto            elements = random_elements(element_case, count, verifier.random());
    std::vector<uint32_t> expected(elements.size());
    reference_scan_behind(totals, desc, elements.data(), expected.data(), count);

    // Totals first, and behind them the elements, which begin at a multiple of 16 bytes.
    const VkDeviceSize totals_size = round_up_16(scan.totals_size(begin + count));
    Bytes              bytes       = bytes_of(totals);
    bytes.resize(totals_size);
    const Bytes values = input_of(desc.type, elements);
    bytes.insert(bytes.end(), values.begin(), values.end());
    const Range             input  = verifier.input(bytes.data(), bytes.size(), 0);
    const Range             output = verifier.output(elements.size() * 4, 0);
    const ChunkedScan::Args args{input.address + totals_size, output.address, input.address,
                                 verifier.temporary(scan.temporary_size(count)), chunk};
    verifier.prove(scan, args, {}, output, expected.data(), format_of(desc.type));
}

void verify_counts(Verifier& verifier, const InChunks& scan, const Scan::Desc& desc) {
    const ElementCase element_case{desc.type, desc.operation};
    const uint32_t    size     = input_size(desc.type);
    const bool        in_place = size == 4 * words_in(desc.type);
    const auto        run      = [&](const std::string& name, const Shape& shape) {
        if (!verifier.wants(fmt::format("count={} {}", shape.cut.count, name))) return;
        verify_case(verifier, scan, desc, random_elements(element_case, shape.cut.count, verifier.random()), shape);
    };
    for (uint32_t count : verifier.edge_counts()) {
        run("in one chunk", {in_one(count)});
        run(fmt::format("in one chunk, offset={},8", size), {in_one(count), Way::one_by_one, size, 8});
        if (in_place) run("in one chunk, in place", {in_one(count), Way::totals_first, 0, 0, true});
        if (in_place) run(fmt::format("in place offset={}", size), {in_one(count), Way::one_by_one, size, size, true});
        if (verifier.wants(fmt::format("count={} special", count))) {
            verify_case(verifier, scan, desc, special_elements(element_case, count, verifier.random()),
                        {in_one(count)});
        }
    }
    if (!verifier.counts().empty()) return;
    run("in chunks of 1 step", {{2 * chunk_step + 4097, chunk_step}, Way::one_by_one});
    run("in chunks of 1 step, totals first", {{chunk_step + 1, chunk_step}, Way::totals_first});
    run("in chunks of 2 steps, totals first", {{3 * chunk_step, 2 * chunk_step}, Way::totals_first, size, 8});
    // Totals in registers are what they are in memory, except for those of floats of which one is chosen.
    if (is_float(desc.type) && chooses(desc.operation)) return;
    constexpr uint32_t count = chunk_step + 4099;
    for (uint64_t steps : {255u, 517u}) {
        if (!verifier.wants(fmt::format("count={} behind {} steps", count, steps))) continue;
        verify_far(verifier, scan.scan(), desc, steps * chunk_step, count);
    }
}

void verify_all(Verifier& verifier) {
    for (const ElementCase& element_case : scan_cases()) {
        if (!runs_on(verifier.device(), element_case) || !is_in(verifier.extent(), element_case)) continue;
        for (Scan::Kind kind : {Scan::Kind::exclusive, Scan::Kind::inclusive}) {
            const Scan::Desc desc{element_case.type, element_case.operation, kind};
            const bool       inclusive = kind == Scan::Kind::inclusive;
            const uint32_t   turn      = static_cast<uint32_t>(desc.type) + static_cast<uint32_t>(desc.operation);
            if (verifier.extent() != Extent::full && inclusive != (turn % 2 == 1)) continue;
            if (!verifier.group(fmt::format("chunked_scan {} {} {}", name_of(desc.type), name_of(desc.operation),
                                            inclusive ? "inclusive" : "exclusive"),
                                Cover::pairs, way_of(element_case)))
                continue;
            const auto scan = verifier.create<InChunks>({desc.type, desc.operation, desc.kind});
            if (!scan) continue;
            verify_counts(verifier, *scan, desc);
        }
    }
}

BenchDesc bench(ElementType type, Operation operation) {
    const auto prepare = [=](const runtime::Device& device, const BenchSize& size) {
        const uint64_t element_size = uint64_t{4} * words_in(type);
        WorkloadDesc   desc;
        desc.size        = size;
        desc.input       = random_bytes({type, operation}, size.count);
        desc.output_size = desc.bytes_written = size.count * element_size;
        desc.format                           = format_of(type);
        desc.expected                         = [=, input = desc.input, count = size.count] {
            std::vector<uint32_t> elements = elements_in(type, input->data(), count);
            reference_scan(type, operation, Scan::Kind::exclusive, elements.data(), elements.data(), count);
            return bytes_of(elements);
        };
        return workload_of<InChunks>(device, {type, operation}, desc, [](const Operands& operands) {
            auto args = args_of(operands);
            args.cut  = in_one(operands.count);
            return args;
        });
    };
    return {name_of(operation) + " " + name_of(type) + " exclusive", name_of(type), input_size(type), prepare,
            Counting::host};
}

/// The type and operation of a variant, which has a kind behind them; nothing for those that scan alone has.
std::optional<ElementCase> read_variant(const std::string& variant) {
    const auto words = words_of(variant);
    return words.size() == 3 ? read_element_case(words[0], words[1]) : std::nullopt;
}

const Property property = property_of_chunks(
    "scan", [](const std::string& variant) { return read_variant(variant).has_value(); },
    [](uint32_t bound) { return uint64_t{bound} / 128 + (bound / chunk_step + 2) * uint64_t{16384}; },
    [](const Context& context, const std::string& variant) -> Result<Operator> {
        const auto read = read_variant(variant);
        if (!read) {
            return Error{ErrorKind::invalid_desc, "chunked_scan: no type, operation and kind: '" + variant + "'"};
        }
        const auto kind    = words_of(variant)[2] == "inclusive" ? Scan::Kind::inclusive : Scan::Kind::exclusive;
        auto       created = InChunks::create(context, {read->type, read->operation, kind});
        if (!created) return created.error();
        return operator_of(std::move(*created), args_of);
    });

Contract contract(const std::string& variant) {
    Contract contract;
    contract.variant          = variant;
    contract.pipelines        = 5;
    contract.pipelines_on_cpu = 3;
    contract.all_shapes       = {{"chunked_scan.aligned", 1}};
    contract.knobs            = {{"chunked_scan.aligned", 0, 1}};
    contract.one_pipeline     = false;
    return contract;
}

const Registration registration({"chunked_scan",
                                 verify_all,
                                 {bench(ElementType::f32, Operation::add), bench(ElementType::u32, Operation::add)},
                                 {},
                                 property,
                                 {contract("f32 add exclusive")},
                                 {{"f32 add exclusive", true}},
                                 {{"f32 add"}, {"f32 add"}, {}, {}}});

} // namespace
} // namespace vkprim::harness::chunked_scan_primitive
