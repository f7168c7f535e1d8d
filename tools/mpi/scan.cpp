#include <fmt/format.h>

#include <memory>

#include "job.h"
#include "tools/cli/array_job.h"
#include "tools/cli/sum_range.h"

namespace vkprim::tools::scan_ranks {

namespace {

struct Flags {
    RankFlags   job;
    std::string operation = "add", output;
    KindFlags   kind;
};

/// The bits of the array's last output, on all ranks; 0 where there is none.
uint64_t last_bits(const RankJob& job, const Share& share, ElementType type, const std::vector<uint8_t>& outputs) {
    const bool            is_last = share.count > 0 && share.begin + share.count == job.count();
    std::vector<uint64_t> bits{is_last ? bits_at(type, outputs.data(), share.count - 1) : 0};
    need_device(job.ranks().add_up(bits));
    return bits[0];
}

/// Whether a sum of 32 bits wraps, on any rank.
bool any_wraps(const RankJob& job, const Share& share, const Array& array, ElementType type, const Flags& flags) {
    std::vector<uint64_t> words; // each rank has three of its own
    job.on_all([&] {
        const bool     is_last = share.begin + share.count == job.count();
        const uint64_t sums    = share.count - (is_last && share.count > 0 && !flags.kind.inclusive ? 1 : 0);
        const SumRange mine    = sum_range_of(type, array.bytes.data(), sums);
        words.resize(3 * static_cast<size_t>(job.ranks().count()));
        uint64_t* const own = words.data() + 3 * static_cast<size_t>(job.ranks().rank());
        own[0]              = static_cast<uint64_t>(mine.least);
        own[1]              = static_cast<uint64_t>(mine.most);
        own[2]              = static_cast<uint64_t>(mine.total);
    });
    need_device(job.ranks().add_up(words));
    std::vector<SumRange> ranges;
    for (size_t i = 0; i < words.size(); i += 3) {
        ranges.push_back(
            {static_cast<int64_t>(words[i]), static_cast<int64_t>(words[i + 1]), static_cast<int64_t>(words[i + 2])});
    }
    return wraps(type, ranges);
}

ExitCode run(const Flags& flags) {
    check_rank_output(flags.output);
    RankJob           job(flags.job);
    const ElementType type      = computed_type(widened(job.type()));
    const Operation   operation = parse_operation(flags.operation, type, flags.job.source.path, harness::scan_cases());
    RankOutput        output(job, flags.output, number_type(type), job.count());
    const Share       share = job.share(chunk_step);
    Array             array = job.read(chunk_step);
    job.on_all([&] { widen(array); });

    const bool tells   = tells_wrapping(type, operation);
    const bool wrapped = tells && any_wraps(job, share, array, type, flags);

    const runtime::Device& device   = job.open_device();
    const runtime::Buffer  elements = job.upload(array.bytes);
    auto scan = need_device(mpi::Scan::create(device, job.ranks().handle(), {type, operation, flags.kind.kind()}));
    need_device(scan.run({{&elements, 0}, {&elements, 0}, share.count})); // in place: half the memory
    const std::vector<uint8_t> outputs = job.download(elements, array.bytes.size());
    const uint64_t             last    = last_bits(job, share, type, outputs);
    job.check_validation();
    const std::string line = job.line();
    output.write(share.begin, outputs);
    output.commit();
    if (!job.is_first()) return exit_good;

    Json json{{"op", flags.operation},
              {"kind", flags.kind.name()},
              {"type", type_name(type)},
              {"count", job.count()},
              {"result", job.count() > 0 ? json_value(type, last) : Json()}};
    if (is_float(type)) json["result_bits"] = job.count() > 0 ? Json(bits_text(type, last)) : Json();
    if (tells) json["wrapped"] = wrapped;
    json["output"] = flags.output;
    const std::string note =
        wrapped ? "\na sum wrapped: it is outside of {type}; 'vkprim scan --wide' gives sums of 64 bits" : "";
    tell({json, flags.output, "{count} {type}, {kind} {op}" + note}, flags.job.json, {line, job.values()});
    return exit_good;
}

constexpr const char* footer =
    R"(output[i] is the reduction of the elements before i (--exclusive), or up to and including i (--inclusive). OUT.npy has
one dimension, and the bits that 'vkprim scan' writes. It is written beside its name, and appears only when complete.
With --json, it prints an object with op, kind, type, count, result (the last output), result_bits (floats), wrapped (sums
of integers: whether one is outside of their 32 bits), output, ranks, devices (of each rank) and total_ms (with transfers).
FILE is a .npy file in C order, or raw bytes. All ranks must see it, and OUT.npy, at the same path. bool and types of 8
and 16 bits are computed in 32 bits, as is the output. Each rank's part must fit its device.

Example:
  mpirun -n 4 vkprim-mpi scan big.npy --inclusive -o sums.npy)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    add_rank_flags(options, flags->job);
    add_operation_flag(options, flags->operation, harness::scan_cases());
    options.add_option("-o,--output", flags->output, "the .npy file to write").required().type_name("OUT.npy");
    add_kind_flags(options, flags->kind);
    return [flags] { return run(*flags); };
}

const Registration registration({"scan", "Write the running reduction of a file's elements", footer, setup});

} // namespace

} // namespace vkprim::tools::scan_ranks
