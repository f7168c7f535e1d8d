// Sums of the values of each run of equal keys, by Compact and then SegmentedReduce. Not a primitive: its parts have the cases to verify.
#include <vkprim/compact.h>
#include <vkprim/segmented_reduce.h>

#include "recorder.h"

#include "elements.h"
#include "workload.h"

#include <cstring>

namespace vkprim::harness::reduce_by_key {
namespace {

/// Keys in runs of `length`, and at the next multiple of 16 bytes as many values, of which the sums come out.
struct Problem {
    uint64_t              values_at = 0; ///< bytes
    Bytes                 input;
    std::vector<uint32_t> keys, sums; ///< of each run

    Problem(uint32_t count, uint32_t length) : values_at((uint64_t{count} * 4 + 15) / 16 * 16) {
        Random random(1);
        input.resize(values_at + uint64_t{count} * 4);
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t key = i / length * 0x9e3779b9u, value = random.below(UINT32_MAX);
            std::memcpy(&input[uint64_t{i} * 4], &key, 4);
            std::memcpy(&input[values_at + uint64_t{i} * 4], &value, 4);
            if (i % length == 0) keys.push_back(key);
            if (i % length == 0) sums.push_back(0);
            sums.back() += value;
        }
    }
};

struct Primitives {
    CoreDevice      core;
    Compact         compact;
    SegmentedReduce reduce;
};

Result<Workload> prepare(const runtime::Device& device, uint32_t length, const BenchSize& size) {
    const uint32_t count = size.count;
    const Problem  problem(count, length);
    const auto     runs = static_cast<uint32_t>(problem.keys.size());
    Compact::Desc  heads{KeyType::u32, Compact::Keep::run_heads, Compact::Copy::keys_and_indices};
    heads.indices_end = true;
    auto core         = CoreDevice::create(device.context());
    auto compact      = Compact::create(device.context(), heads);
    auto reduce       = SegmentedReduce::create(device.context(), {ElementType::u32, Operation::add});
    if (!core) return core.error();
    if (!compact) return compact.error();
    if (!reduce) return reduce.error();

    std::vector<uint32_t> expected{runs};
    expected.insert(expected.end(), problem.keys.begin(), problem.keys.end());
    expected.insert(expected.end(), problem.sums.begin(), problem.sums.end());
    WorkloadDesc desc;
    desc.size  = size;
    desc.input = std::make_shared<Bytes>(problem.input);
    desc.output_size =
        (uint64_t{expected.size()} + count) * 4; // of which a device that finds too many runs harms nothing
    desc.output_offset = 12;                     // keys begin at a multiple of 16
    desc.bytes_written = uint64_t{expected.size()} * 4;
    desc.expected      = [expected] { return bytes_of(expected); };
    Compact::Args         keys;
    SegmentedReduce::Args sums;
    keys.count = sums.count = sums.segments.count = count;
    const VkDeviceSize scratch                    = std::max(compact->scratch_size(keys), reduce->scratch_size(sums));
    const auto         memory = WorkloadMemory::create(device, desc, scratch, (uint64_t{count} + 1) * 4);
    if (!memory) return memory.error();

    const Operands operands     = (*memory)->operands();
    keys.keys                   = operands.input;
    keys.output                 = operands.output + 4;
    keys.kept                   = operands.output;
    keys.indices                = operands.temporary;
    keys.scratch                = operands.scratch;
    sums.input                  = operands.input + problem.values_at;
    sums.output                 = operands.output + 4 + uint64_t{runs} * 4;
    sums.segments.offsets       = operands.temporary;
    sums.segments.count_address = operands.output;
    sums.scratch                = operands.scratch;

    const auto all = std::make_shared<const Primitives>(Primitives{*core, std::move(*compact), std::move(*reduce)});
    Workload   workload = WorkloadMemory::workload(*memory);
    workload.record     = [all, keys, sums, memory = *memory](VkCommandBuffer commands) {
        all->compact.record(commands, keys);
        record_barrier(commands, all->core);
        all->reduce.record(commands, sums);
    };
    return workload;
}

std::vector<BenchDesc> benches() {
    std::vector<BenchDesc> all;
    for (uint32_t length : {1u, 4u, 64u, 4096u}) {
        all.push_back(with_peer(
            {"add u32, runs of " + std::to_string(length), "u32", 8,
             [=](const runtime::Device& device, const BenchSize& size) { return prepare(device, length, size); },
             Counting::host},
            {"reduce_by_key_u32", Peer::Sizes::large}));
    }
    return all;
}

const Registration registration({"reduce_by_key", {}, benches()});

} // namespace
} // namespace vkprim::harness::reduce_by_key
