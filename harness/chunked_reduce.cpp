#include <vkprim/chunked_reduce.h>

#include <fmt/format.h>

#include "../shaders/chunked_reduce/chunked_reduce_push.h"
#include "chunked.h"
#include "elements.h"
#include "references.h"
#include "workload.h"

namespace vkprim::harness::chunked_reduce_primitive {
namespace {

/// All of it: the totals of each chunk, the last chunk first, and then the result.
class InChunks {
public:
    using Desc = ChunkedReduce::Desc;

    struct Args {
        VkDeviceAddress input = 0, output = 0, temporary = 0;
        uint32_t        count = 0;
        Chunking        cut   = {};
    };

    static Result<InChunks> create(const Context& context, const Desc& desc) {
        auto core   = CoreDevice::create(context);
        auto reduce = ChunkedReduce::create(context, desc);
        if (!core) return core.error();
        if (!reduce) return reduce.error();
        return InChunks(*core, std::move(*reduce), input_size(desc.type));
    }

    VkDeviceSize scratch_size(const Args&) const { return 0; }
    VkDeviceSize temporary_size(const Args& args) const {
        return round_up_16(reduce_.totals_size(args.count)) + reduce_.temporary_size();
    }

    Result<void> validate(const Args& args) const {
        for (uint32_t number = 0; number < args.cut.chunks(); ++number) {
            if (auto valid = reduce_.validate(totals_args(args, number)); !valid) return valid;
        }
        return reduce_.validate(result_args(args));
    }

    void record(VkCommandBuffer commands, const Args& args) const {
        for (uint32_t number = args.cut.chunks(); number-- > 0;) {
            reduce_.record_totals(commands, totals_args(args, number));
        }
        record_barrier(commands, core_);
        reduce_.record_result(commands, result_args(args));
    }

private:
    InChunks(CoreDevice core, ChunkedReduce reduce, uint32_t size)
        : core_(std::move(core)), reduce_(std::move(reduce)), size_(size) {}

    ChunkedReduce::TotalsArgs totals_args(const Args& args, uint32_t number) const {
        const Chunk chunk = args.cut.chunk(number);
        return {args.input + chunk.begin * size_, args.temporary, chunk, args.count};
    }

    ChunkedReduce::ResultArgs result_args(const Args& args) const {
        return {args.temporary, args.temporary + round_up_16(reduce_.totals_size(args.count)), args.output, args.count};
    }

    CoreDevice    core_;
    ChunkedReduce reduce_;
    uint32_t      size_; ///< bytes of an element
};

InChunks::Args args_of(const Operands& operands) {
    return {operands.input, operands.output, operands.temporary, operands.count, {operands.count, chunk_step}};
}

void verify_case(Verifier& verifier, const InChunks& reduce, const ElementCase& element_case,
                 const std::vector<uint32_t>& elements, uint32_t misalignment, const Chunking& cut) {
    const uint32_t count    = cut.count;
    const uint32_t align    = result_align(element_case);
    const auto     expected = reference_reduce(element_case, elements.data(), count);
    const Bytes    bytes    = input_of(element_case.type, elements);
    const Range    input    = verifier.input(bytes.data(), bytes.size(), misalignment);
    const Range    output   = verifier.output(expected.size() * 4, misalignment / align * align);
    InChunks::Args args{input.address, output.address, 0, count, cut};
    verifier.lend(reduce, args);
    verifier.prove(reduce, args, {2, 1}, output, expected.data(), format_of(element_case));
}

void verify_all(Verifier& verifier) {
    for (const ElementCase& element_case : reduce_cases()) {
        if (!runs_on(verifier.device(), element_case) || !is_in(verifier.extent(), element_case)) continue;
        if (!verifier.group("chunked_reduce " + name_of(element_case), Cover::pairs, way_of(element_case))) continue;
        const auto reduce = verifier.create<InChunks>({element_case.type, element_case.operation, element_case.wide});
        if (!reduce) continue;
        const auto run = [&](const std::string& cut_name, uint32_t misalignment, const Chunking& cut) {
            if (!verifier.wants(fmt::format("count={} {}", cut.count, cut_name))) return;
            verify_case(verifier, *reduce, element_case, random_elements(element_case, cut.count, verifier.random()),
                        misalignment, cut);
        };
        const uint32_t size = input_size(element_case.type);
        for (uint32_t count : verifier.edge_counts()) {
            run("in one chunk", 0, in_one(count));
            run(fmt::format("in one chunk, offset={}", size), size, in_one(count));
            if (verifier.wants(fmt::format("count={} special", count))) {
                verify_case(verifier, *reduce, element_case, special_elements(element_case, count, verifier.random()),
                            0, in_one(count));
            }
        }
        if (!verifier.counts().empty()) continue;
        // Tiles of all sizes up to that of more than 256 tiles, and chunks that end with the array, or not.
        for (uint32_t count : {chunk_step, chunk_step + 1, 2 * chunk_step + 4097, 4 * chunk_step + 1}) {
            run("in chunks of 1 step", 0, {count, chunk_step});
            run("in chunks of 3 steps", 0, {count, 3 * chunk_step});
            run(fmt::format("in chunks of 2 steps, offset={}", size), size, {count, 2 * chunk_step});
        }
    }
}

BenchDesc bench(ElementType type, Operation operation) {
    const auto prepare = [=](const runtime::Device& device, const BenchSize& size) {
        WorkloadDesc desc;
        desc.size        = size;
        desc.input       = random_bytes({type, operation}, size.count);
        desc.output_size = result_size({type, operation});
        desc.format      = format_of(ElementCase{type, operation});
        desc.expected    = [=, input = desc.input, count = size.count] {
            return bytes_of(reference_reduce(type, operation, elements_in(type, input->data(), count).data(), count));
        };
        return workload_of<InChunks>(device, {type, operation}, desc, [](const Operands& operands) {
            auto args = args_of(operands);
            args.cut  = in_one(operands.count);
            return args;
        });
    };
    return {name_of(operation) + " " + name_of(type), name_of(type), input_size(type), prepare, Counting::host};
}

const Property property = property_of_chunks(
    "reduce", [](const std::string& variant) { return read_reduce_case(variant).has_value(); },
    [](uint32_t) { return uint64_t{65536 + 256} * 8; },
    [](const Context& context, const std::string& variant) -> Result<Operator> {
        const auto read = read_reduce_case(variant);
        if (!read) {
            return Error{ErrorKind::invalid_desc, "chunked_reduce: no type and operation: '" + variant + "'"};
        }
        auto created = InChunks::create(context, {read->type, read->operation, read->wide});
        if (!created) return created.error();
        return operator_of(std::move(*created), args_of);
    });

Contract contract(const std::string& variant) {
    Contract contract;
    contract.variant          = variant;
    contract.pipelines        = 4;
    contract.pipelines_on_cpu = 3;
    contract.all_shapes       = {{"chunked_reduce.aligned", 1}};
    contract.knobs            = {{"chunked_reduce.batch", 1, 64, 1, 16}, {"chunked_reduce.aligned", 0, 1}};
    contract.effect           = {"chunked_reduce.batch", 3, CHUNKED_REDUCE_BATCH_ID, 3};
    return contract;
}

const Registration registration({"chunked_reduce",
                                 verify_all,
                                 {bench(ElementType::f32, Operation::add), bench(ElementType::u8, Operation::add)},
                                 {{"chunked_reduce.batch", "add f32", 1u << 26, {2, 3, 4, 5, 8, 16}}},
                                 property,
                                 {contract("f32 add")},
                                 {{"f32 mul", true}},
                                 {{"f32 add"}, {"f32 add"}, {}, {}}});

} // namespace
} // namespace vkprim::harness::chunked_reduce_primitive
