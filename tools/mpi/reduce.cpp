#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "job.h"
#include "tools/cli/array_job.h"

namespace vkprim::tools::reduce_ranks {

namespace {

struct Flags {
    RankFlags   job;
    std::string operation = "add";
};

/// Whether any rank's share has an element that is no NaN.
bool any_numbers(const RankJob& job, ElementType type, const Share& share, const Array& array) {
    std::vector<uint64_t> ranks; // how many have one
    job.on_all([&] {
        ranks = {0};
        for (uint64_t i = 0; i < share.count && ranks[0] == 0; ++i)
            ranks[0] = std::isnan(double_of(type, bits_at(type, array.bytes.data(), i))) ? 0 : 1;
    });
    need_device(job.ranks().add_up(ranks));
    return ranks[0] > 0;
}

ExitCode run(const Flags& flags) {
    RankJob           job(flags.job);
    const ElementType computed = computed_type(widened(job.type()));
    const Operation   operation =
        parse_operation(flags.operation, computed, flags.job.source.path, harness::element_cases());
    const harness::ElementCase reduction = reduction_of(computed, operation);
    const ElementType          type      = harness::result_type(reduction);
    const uint32_t             size      = harness::result_size(reduction);
    const Share                share     = job.share(chunk_step);
    Array                      array     = job.read(chunk_step);
    job.on_all([&] { widen(array); });
    if (harness::chooses(operation) && !any_numbers(job, computed, share, array))
        throw nothing_to_choose(flags.job.source.path + ": ", chosen_by(operation), job.count() == 0);

    const runtime::Device& device = job.open_device();
    const runtime::Buffer  input = job.upload(array.bytes), output = job.buffer(size);
    auto reduce = need_device(mpi::Reduce::create(device, job.ranks().handle(), {computed, operation, reduction.wide}));
    need_device(reduce.run({{&input, 0}, {&output, 0}, share.count}));
    const std::vector<uint8_t> result = job.download(output, size);
    job.check_validation();
    if (!job.is_first()) return exit_good;

    const uint64_t bits      = bits_at(type, result.data(), 0);
    const bool     has_index = size > element_size(type);
    const uint64_t index     = has_index ? bits_at(ElementType::u32, result.data(), 1) : 0;
    tell(record_of(flags.operation, job.count(), {type, bits, has_index, index}), flags.job.json, {"", job.values()});
    return exit_good;
}

constexpr const char* footer =
    R"(Prints the value (argmin and argmax: and its index), or with --json an object with op, type, count, result, index
(argmin and argmax), result_bits (floats), ranks, devices (of each rank) and total_ms (with transfers). The result is
that of 'vkprim reduce', to the bit.
FILE is a .npy file in C order, or raw bytes. All ranks must see it at the same path. Sums and products of bool and integers
are computed in 64 bits, other operations on bool and types of 8 and 16 bits in 32 bits. Each rank's part must fit its device.

Examples:
  mpirun -n 4 vkprim-mpi reduce big.npy
  mpirun -n 4 vkprim-mpi reduce big.bin --type f32 --op max --json)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    add_rank_flags(options, flags->job);
    add_operation_flag(options, flags->operation, harness::element_cases());
    return [flags] { return run(*flags); };
}

const Registration registration({"reduce", "Reduce the elements of a file to one value", footer, setup});

} // namespace

} // namespace vkprim::tools::reduce_ranks
