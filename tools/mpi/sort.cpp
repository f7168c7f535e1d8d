#include <fmt/format.h>

#include <memory>

#include "job.h"
#include "tools/cli/array_job.h"

namespace vkprim::tools::sort_ranks {

namespace {

struct Flags {
    RankFlags   job;
    std::string output;
    bool        descending = false;
};

/// The type as whose keys elements are sorted.
ElementType key_type(NumberType type) {
    switch (type) {
        case NumberType::boolean:
        case NumberType::u8: return ElementType::u8;
        case NumberType::u16: return ElementType::u16;
        case NumberType::i8: return ElementType::i8;
        case NumberType::i16: return ElementType::i16;
        case NumberType::f16: return ElementType::f16;
        default: return computed_type(type);
    }
}

ExitCode run(const Flags& flags) {
    check_rank_output(flags.output);
    RankJob           job(flags.job);
    const char* const order = flags.descending ? "descending" : "ascending";
    RankOutput        output(job, flags.output, job.type(), job.count());
    const Share       share = job.share(1);
    const Array       array = job.read(1);

    const runtime::Device& device = job.open_device();
    const runtime::Buffer  keys   = job.upload(array.bytes);
    auto sort = need_device(mpi::Sort::create(device, job.ranks().handle(), {key_type(job.type()), flags.descending}));
    need_device(sort.run({{&keys, 0}, {&keys, 0}, share.count}));
    const std::vector<uint8_t> sorted = job.download(keys, array.bytes.size());
    job.check_validation();
    const std::string line = job.line();
    output.write(share.begin, sorted);
    output.commit();
    if (!job.is_first()) return exit_good;

    const Json json{{"op", "sort"},
                    {"type", type_name(job.type())},
                    {"count", job.count()},
                    {"order", order},
                    {"output", flags.output}};
    tell({json, flags.output, "{count} {type}, {order}"}, flags.job.json, {line, job.values()});
    return exit_good;
}

constexpr const char* footer =
    R"(For floats, -0 is below +0, and NaN is last, or first with --descending. OUT.npy has the elements' type and one dimension,
and the bits that 'vkprim sort' writes. It is written beside its name, and appears only when complete.
With --json, it prints an object with op, type, count, order, output, ranks, devices (of each rank) and total_ms (with
transfers).
FILE is a .npy file in C order, or raw bytes. All ranks must see it, and OUT.npy, at the same path. Each rank's part must
fit its device, with as much again beside it.

Example:
  mpirun -n 4 vkprim-mpi sort big.npy -o sorted.npy)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    add_rank_flags(options, flags->job);
    options.add_flag("--descending", flags->descending, "the largest first");
    options.add_option("-o,--output", flags->output, "the .npy file to write").required().type_name("OUT.npy");
    return [flags] { return run(*flags); };
}

const Registration registration({"sort", "Write a file's elements in ascending or descending order", footer, setup});

} // namespace

} // namespace vkprim::tools::sort_ranks
