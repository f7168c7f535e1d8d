#include <fmt/format.h>
#include <vkprim/reduce.h>
#include <vkprim/scan.h>
#include <vkprim/sort.h>

#include <algorithm>
#include <memory>

#include "harness/elements.h"
#include "harness/sizes.h"
#include "job.h"
#include "tools/cli/sizes.h"

namespace vkprim::tools::bench_ranks {

namespace {

constexpr int runs = 15;

struct Flags {
    RankFlags   job;
    std::string sizes = "2^28";
    std::string operation;

    bool measures(const char* name) const { return operation.empty() || operation == name; }
};

double median_ms(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2] * 1e3;
}

/// A job whose ranks have a device each, and elements there.
class Bench {
public:
    Bench(const RankFlags& flags, uint64_t count) : job_(flags, count) { job_.open_device(); }

    const RankJob&         job() const { return job_; }
    const runtime::Device& device() const { return job_.device(); }
    bool                   is_first() const { return job_.is_first(); }
    uint64_t               share() const { return job_.share(chunk_step).count; }       ///< elements of this rank
    uint64_t               most() const { return is_first() ? job_.count() : share(); } ///< elements here

    /// For `count` elements of 4 bytes.
    runtime::Buffer buffer(uint64_t count) const { return job_.buffer(count * 4); }

    /// `count` random elements.
    runtime::Buffer input(ElementType type, uint64_t count) const {
        constexpr uint64_t piece = 1u << 24;
        runtime::Buffer    input = buffer(count);
        job_.on_all([&] {
            const auto elements = harness::random_elements({type, Operation::add}, piece, harness::Random(1));
            for (uint64_t begin = 0; begin < count; begin += piece) {
                const uint64_t size = std::min(piece, count - begin) * 4;
                need_device(device().upload(input, begin * 4, elements.data(), size));
            }
        });
        return input;
    }

    /// Of `run` on all ranks, from when all begin to when the last has ended.
    double on_all_ranks(const std::function<Result<void>()>& run) const {
        std::vector<double> seconds;
        for (int number = -2; number < runs; ++number) { // two to warm up
            MPI_Barrier(job_.ranks().handle());
            const double begin = MPI_Wtime();
            need_device(run());
            MPI_Barrier(job_.ranks().handle());
            if (number >= 0) seconds.push_back(MPI_Wtime() - begin);
        }
        return median_ms(seconds);
    }

    /// Of `record` on the first rank alone, as the host sees it; on others 0.
    double on_first_rank(const std::function<void(VkCommandBuffer)>& record) const {
        std::vector<double> seconds;
        job_.on_all([&] {
            for (int number = -2; number < runs && is_first(); ++number) {
                const double begin    = MPI_Wtime();
                auto         commands = need_device(device().begin_commands());
                record(commands.handle());
                need_device(commands.submit_and_wait());
                if (number >= 0) seconds.push_back(MPI_Wtime() - begin);
            }
        });
        return seconds.empty() ? 0 : median_ms(seconds);
    }

    /// A line for what both have taken.
    void print_line(const std::string& name, double all_ms, double one_ms) const {
        if (!is_first()) return;
        print(fmt::format("{:<24}{:>8}{:>7}{:>15.3f}{:>16.3f}{:>8.2f}\n", name,
                          size_text(static_cast<uint32_t>(job_.count())), job_.ranks().count(), all_ms, one_ms,
                          one_ms / all_ms));
    }

private:
    RankJob job_;
};

/// What `create` makes on each rank. A Failure on all of them if it fails on one.
template <class Create>
auto create_on_all(const Bench& bench, const Create& create) {
    return need_device(bench.job().ranks().create_on_all(create));
}

/// Scratch as primitives want it; of the first rank.
runtime::Buffer scratch_of(const Bench& bench, VkDeviceSize size) {
    runtime::Buffer scratch = bench.job().buffer(size);
    bench.job().on_all([&] { need_device(bench.device().fill(scratch, 0, scratch.size(), 0)); });
    return scratch;
}

// Both measurements read and write the same buffers, on the first rank: those that NVIDIA's driver allocates later can be half as fast.

/// Of f32 sums: OnRanks on all ranks, with `outputs` outputs on this one, and OnOne on the first rank's device.
template <class OnRanks, class OnOne>
void measure_sums(const Bench& bench, const std::string& name, uint64_t outputs) {
    const ElementType     type  = ElementType::f32;
    const auto            count = static_cast<uint32_t>(bench.job().count());
    const uint64_t        mine  = bench.share();
    const runtime::Buffer input = bench.input(type, bench.most()), output = bench.buffer(outputs);
    auto all = need_device(OnRanks::create(bench.device(), bench.job().ranks().handle(), {type, Operation::add}));
    const double               all_ms  = bench.on_all_ranks([&] { return all.run({{&input, 0}, {&output, 0}, mine}); });
    const auto                 one     = create_on_all(bench, [&] {
        return OnOne::create(bench.device().context(), {type, Operation::add});
    });
    const runtime::Buffer      scratch = scratch_of(bench, harness::scratch_size_of(one, count));
    const typename OnOne::Args args{input.address(), output.address(), scratch.address(), count};
    bench.print_line(name, all_ms, bench.on_first_rank([&](VkCommandBuffer commands) { one.record(commands, args); }));
}

void measure_sort(const Bench& bench) {
    const auto            count = static_cast<uint32_t>(bench.job().count());
    const uint64_t        mine = bench.share(), most = bench.most();
    const runtime::Buffer keys = bench.input(ElementType::u32, most), output = bench.buffer(most);
    auto         all = need_device(mpi::Sort::create(bench.device(), bench.job().ranks().handle(), {ElementType::u32}));
    const double all_ms = bench.on_all_ranks([&] { return all.run({{&keys, 0}, {&output, 0}, mine}); });
    const auto   one = create_on_all(bench, [&] { return Sort::create(bench.device().context(), {ElementType::u32}); });
    const runtime::Buffer temporary = bench.job().buffer(harness::temporary_size_of(one, count));
    Sort::Args            args;
    args.keys        = keys.address();
    args.output_keys = output.address();
    args.temporary   = temporary.address();
    args.count       = count;
    bench.print_line("sort u32", all_ms,
                     bench.on_first_rank([&](VkCommandBuffer commands) { one.record(commands, args); }));
}

ExitCode run(const Flags& flags) {
    bool has_head = false;
    for (const uint32_t count : parse_sizes(flags.sizes)) {
        const Bench bench(flags.job, count);
        if (bench.is_first() && !has_head) {
            print(fmt::format("{:<24}{:>8}{:>7}{:>15}{:>16}{:>8}\n", "operation", "count", "ranks", "all ranks, ms",
                              "one device, ms", "ratio"));
        }
        has_head = true;
        if (flags.measures("reduce")) measure_sums<mpi::Reduce, Reduce>(bench, "reduce f32 add", 1);
        if (flags.measures("scan")) measure_sums<mpi::Scan, Scan>(bench, "scan f32 add exclusive", bench.most());
        if (flags.measures("sort")) measure_sort(bench);
        bench.job().check_validation();
    }
    return exit_good;
}

constexpr const char* footer =
    R"(The elements lie on the ranks' devices, an equal share on each. A line has two medians of 15 runs: of vkprim::mpi on
all ranks, and of the same operation on all elements by the first rank's device alone, in one submission. Times are the
host's, from the call until the result is there. All elements must fit the first rank's device. Results are not checked.

Example:
  mpirun -n 2 vkprim-mpi bench --sizes 2^28,2^30)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    options
        .add_option("--sizes", flags->sizes, "counts of all ranks' elements, as 'vkprim bench' has them; default: 2^28")
        .type_name("SIZES");
    options.add_option("--op", flags->operation, "measure this one alone")
        .one_of<std::string>({"reduce", "scan", "sort"})
        .type_name("OPERATION");
    add_device_flags(options, flags->job.device);
    return [flags] { return run(*flags); };
}

const Registration registration({"bench", "Measure all ranks' devices against one", footer, setup});

} // namespace

} // namespace vkprim::tools::bench_ranks
