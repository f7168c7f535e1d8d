#include <cstring>
#include <memory>

#include "job.h"
#include "tools/cli/counts.h"

namespace vkprim::tools::histogram_ranks {

namespace {

struct Flags : CountFlags {
    RankFlags job;
};

ExitCode run(const Flags& flags) {
    check_bins(flags);
    check_count_outputs(flags);
    RankJob            job(flags.job);
    const std::string& name = flags.job.source.path;
    Counted            counted;
    counted.desc        = describe(flags, sample_type(name, job.type()), name);
    counted.samples     = job.count();
    const Share share   = job.share(1);
    const Array samples = job.read(1);

    const runtime::Device& device    = job.open_device();
    const runtime::Buffer  input     = job.upload(samples.bytes);
    const uint64_t         size      = uint64_t{counted.desc.bins} * 8;
    const runtime::Buffer  output    = job.buffer(size);
    auto                   histogram = need_device(mpi::Histogram::create(device, job.ranks().handle(), counted.desc));
    mpi::Histogram::Args   args;
    args.input  = {&input, 0};
    args.output = {&output, 0};
    args.count  = share.count;
    need_device(histogram.run(args));
    const std::vector<uint8_t> bytes = job.download(output, size);
    counted.series                   = {{"count", std::vector<uint64_t>(counted.desc.bins)}};
    std::memcpy(counted.series[0].counts.data(), bytes.data(), bytes.size());
    job.check_validation();
    const std::string line = job.line();
    job.on_all([&] {
        if (!job.is_first()) return;
        const Record record = record_of(flags, counted, name);
        tell(record, flags.job.json, {line, job.values()});
    });
    return exit_good;
}

constexpr const char* footer =
    R"(FILE is a .npy file in C order, or raw bytes, of u8, u16, u32, i32, f32 or f64. All ranks must see it at the same path.
Bins have equal width. Samples outside LO to HI and NaN are not counted. Without -o and --svg, the bins that are not
empty are printed, or a chart if they are many. Counts are those of 'vkprim histogram'. OUT.npy holds them as u32, or as
u64 where there are more than 2^32 - 1 samples. Each rank's part must fit its device.
With --json, it prints an object with op, type, count (samples), bins, lower, upper, outside, edges and counts of up to 4096 bins, output,
svg, ranks, devices (of each rank) and total_ms (with transfers).

Example:
  mpirun -n 4 vkprim-mpi histogram big.npy --bins 1000 --range -1 1 --json)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    add_rank_flags(options, flags->job);
    add_count_flags(options, *flags, "the file for the counts");
    return [flags] { return run(*flags); };
}

const Registration registration({"histogram", "Count how many samples of a file fall into each bin", footer, setup});

} // namespace

} // namespace vkprim::tools::histogram_ranks
