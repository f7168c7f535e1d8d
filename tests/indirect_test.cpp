// Operations whose grid lies on the GPU. IndirectCommand alone: harness/indirect.cpp.
#include <vkprim/compact.h>
#include <vkprim/indirect.h>
#include <vkprim/reduce.h>
#include <vkprim/scan.h>

#include "harness/elements.h"
#include "harness/twins.h"
#include "support/memory.h"
#include "support/spy.h"

namespace vkprim::tests {
namespace {

constexpr uint32_t bound         = 3000001;
const uint32_t     some_counts[] = {0, 1, 4097, 300001, bound};

/// Where one operation of `bound` elements works, of which `count` are there.
struct Memory {
    explicit Memory(uint32_t count)
        : elements(harness::random_elements({ElementType::u32, Operation::add}, count, harness::Random(count))),
          input(buffer_with(padded(elements))),
          output(buffer_of_zeros(16 + uint64_t{count} * 4)),
          count_on_gpu(buffer_with(std::vector<uint32_t>{count})),
          command(buffer_of_zeros(16)) {}

    static std::vector<uint32_t> padded(std::vector<uint32_t> elements) {
        elements.resize(elements.size() + 4);
        return elements;
    }

    template <class Args>
    void fill(Args& args) const {
        args.count         = bound;
        args.count_address = count_on_gpu.address();
        args.scratch       = scratch.address();
    }

    /// Writes the grid, and runs the operation on it. The value: the output.
    template <class Primitive>
    std::vector<uint32_t> run(const Primitive& primitive, typename Primitive::Args args) {
        scratch = buffer_of_zeros(primitive.scratch_size(bound));
        fill(args);
        const auto            indirect = value_of(IndirectCommand::create(device().context(), {}));
        IndirectCommand::Args making;
        making.command       = command.address() + 4;
        making.count_address = count_on_gpu.address();
        making.grid          = primitive.grid(args);
        args.indirect        = {command.handle(), 4};
        submit([&](runtime::Commands& commands) {
            for (int round = 0; round < 2; ++round) { // twice, on the same command
                indirect.record(commands.handle(), making);
                commands.barrier();
                primitive.record(commands.handle(), args);
                commands.barrier();
            }
        });
        check_ready(scratch);
        return content_of(output);
    }

    std::vector<uint32_t> elements;
    runtime::Buffer       input, output, count_on_gpu, command, scratch;
};

} // namespace

TEST_CASE("indirect: reduce", "[device][contract]") {
    for (Operation operation : {Operation::add, Operation::max}) {
        const auto reduce = value_of(Reduce::create(device().context(), {ElementType::u32, operation}));
        for (uint32_t count : some_counts) {
            CAPTURE(count);
            Memory       memory(count);
            Reduce::Args args;
            args.input  = memory.input.address();
            args.output = memory.output.address();
            CHECK(memory.run(reduce, args)[0] ==
                  harness::twin_reduce(ElementType::u32, operation, memory.elements.data(), count));
        }
    }
}

TEST_CASE("indirect: scan", "[device][contract]") {
    for (bool waits : {true, false}) {
        Scan::Desc desc;
        desc.waits      = waits;
        const auto scan = value_of(Scan::create(device().context(), desc));
        for (uint32_t count : some_counts) {
            CAPTURE(waits, count);
            Memory     memory(count);
            Scan::Args args;
            args.input  = memory.input.address();
            args.output = memory.output.address();
            std::vector<uint32_t> expected(count);
            harness::twin_scan(desc.type, desc.operation, desc.kind, memory.elements.data(), expected.data(), count);
            expected.resize(count + 4);
            check_same(memory.run(scan, args), expected);
        }
    }
}

TEST_CASE("indirect: compact", "[device][contract]") {
    const auto compact =
        value_of(Compact::create(device().context(), {KeyType::u32, Compact::Keep::inside, Compact::Copy::keys}));
    for (uint32_t count : some_counts) {
        CAPTURE(count);
        Memory        memory(count);
        Compact::Args args;
        args.keys   = memory.input.address();
        args.kept   = memory.output.address();
        args.output = memory.output.address() + 4;
        args.upper  = 1e9;
        std::vector<uint32_t> expected(1);
        for (uint32_t element : memory.elements) {
            if (element <= 1000000000) expected.push_back(element);
        }
        expected[0] = static_cast<uint32_t>(expected.size() - 1);
        expected.resize(count + 4);
        check_same(memory.run(compact, args), expected);
    }
}

TEST_CASE("indirect: what is recorded, and what makes no sense", "[device][contract]") {
    Spy        spy(device().context());
    const auto scan = value_of(Scan::create(spy.context(), {}));
    Scan::Args args;
    args.input = args.output = args.scratch = args.count_address = 256;
    args.count                                                   = bound;
    args.indirect.buffer  = reinterpret_cast<VkBuffer>(uintptr_t{16}); // never used
    spy.forwards_commands = false;
    spy.forget_calls();
    scan.record(reinterpret_cast<VkCommandBuffer>(uintptr_t{16}), args);
    CHECK(spy.calls(Spy::CmdDispatchIndirect) == 1);
    CHECK(spy.calls(Spy::CmdBindPipeline) == 1);
    CHECK(spy.calls(Spy::CmdPushConstants) == 1);
    CHECK(spy.all_calls() == 3);
    // As many workgroups as without it.
    args.indirect = {};
    scan.record(reinterpret_cast<VkCommandBuffer>(uintptr_t{16}), args);
    CHECK(spy.last_grid[0] * spy.last_grid[1] >= scan.grid(args).most);

    const auto refused = IndirectCommand::create(device().context(), {static_cast<IndirectCommand::Kind>(3)});
    check_error(refused, VK_ERROR_FORMAT_NOT_SUPPORTED, "Kind");
}

} // namespace vkprim::tests
