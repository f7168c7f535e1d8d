// Operations whose grid lies on the GPU. IndirectCommand alone: harness/indirect.cpp.
#include <vkprim/compact.h>
#include <vkprim/histogram.h>
#include <vkprim/indirect.h>
#include <vkprim/reduce.h>
#include <vkprim/scan.h>
#include <vkprim/sort.h>

#include "harness/elements.h"
#include "harness/references.h"
#include "support/memory.h"
#include "support/spy.h"

namespace vkprim::tests {
namespace {

/// Of what the host knows: few tiles, small ones; and more than a group of look-back's.
struct Bound {
    uint32_t              bound;
    std::vector<uint32_t> counts;
};
const Bound bounds[] = {{20001, {0, 1, 4097, 20001}}, {1300001, {0, 1, 4097, 300001, 1300001}}};

/// One operation in memory of its own. Input and output begin `offset` bytes behind a multiple of 16.
class IndirectJob {
public:
    struct Desc {
        uint32_t bound, count, offset;
    };

    IndirectJob(const Context& context, const Desc& desc)
        : elements(
              harness::random_elements({ElementType::u32, Operation::add}, desc.count, harness::Random(desc.count))),
          bound_(desc.bound),
          offset_(desc.offset),
          indirect_(value_of(IndirectCommand::create(context, {}))),
          count_(buffer_with(std::vector<uint32_t>{desc.count})),
          command_(buffer_of_zeros(16)),
          output_(buffer_of_zeros(16 + uint64_t{desc.count} * 4 + desc.offset)) {
        std::vector<uint32_t> words(desc.offset / 4);
        words.insert(words.end(), elements.begin(), elements.end());
        words.resize(words.size() + 4);
        input_ = buffer_with(words);
    }

    VkDeviceAddress input() const { return input_.address() + offset_; }
    VkDeviceAddress output() const { return output_.address() + offset_; }

    /// Makes the grid, and runs the operation on it, twice. The value: the output.
    template <class Primitive>
    std::vector<uint32_t> run(const Primitive& primitive, typename Primitive::Args args) const {
        const runtime::Buffer scratch = scratch_of(scratch_size_of(primitive, bound_));
        runtime::Buffer       temporary;
        args.count         = bound_;
        args.count_address = count_.address();
        if constexpr (std::is_same_v<Primitive, Sort>) {
            temporary      = buffer_of_zeros(temporary_size_of(primitive, bound_) + 16);
            args.temporary = temporary.address();
        } else {
            args.scratch = scratch.address();
        }
        IndirectCommand::Args making;
        making.command       = command_.address() + 4;
        making.count_address = count_.address();
        making.grid          = primitive.grid(args);
        args.indirect        = {command_.handle(), 4};
        submit([&](runtime::Commands& commands) {
            for (int round = 0; round < 2; ++round) {
                indirect_.record(commands.handle(), making);
                commands.barrier(runtime::Commands::Readers::indirect);
                primitive.record(commands.handle(), args);
                commands.barrier(runtime::Commands::Readers::indirect);
            }
        });
        check_ready(scratch);
        std::vector<uint32_t> words = content_of(output_);
        return {words.begin() + offset_ / 4, words.end()};
    }

    const std::vector<uint32_t> elements;

private:
    uint32_t        bound_, offset_;
    IndirectCommand indirect_;
    runtime::Buffer input_, count_, command_, output_;
};

/// Checks a primitive with every bound, count and offset, and with a grid of three columns.
template <class Primitive, class Check>
void for_all(const typename Primitive::Desc& desc, const Check& check) {
    for (bool narrow : {false, true}) {
        Profile profile = profile_of_device();
        if (narrow) profile.values["device.workgroup_count"] = 3;
        Context context      = device().context();
        context.profile      = &profile;
        const auto primitive = value_of(Primitive::create(context, desc));
        for (const Bound& one : bounds) {
            for (uint32_t count : one.counts) {
                for (uint32_t offset : {0u, 4u}) {
                    CAPTURE(narrow, one.bound, count, offset);
                    check(IndirectJob(context, {one.bound, count, offset}), primitive);
                }
            }
        }
    }
}

/// Records without a device: one dispatch of a grid on the GPU, else one of as many workgroups as grid() says at most.
template <class Primitive>
void check_recorded(Spy& spy, const Primitive& primitive, typename Primitive::Args args) {
    const auto commands   = reinterpret_cast<VkCommandBuffer>(uintptr_t{16});
    args.scratch          = 5ull << 40;
    args.count_address    = 6ull << 40;
    args.count            = 3000001;
    args.indirect.buffer  = reinterpret_cast<VkBuffer>(uintptr_t{16});
    spy.forwards_commands = false;
    spy.forget_calls();
    primitive.record(commands, args);
    CHECK(spy.calls(Spy::CmdDispatchIndirect) == 1);
    CHECK(spy.calls(Spy::CmdBindPipeline) == 1);
    CHECK(spy.calls(Spy::CmdPushConstants) == 1);
    CHECK(spy.all_calls() == 3);
    args.indirect = {};
    primitive.record(commands, args);
    CHECK(spy.calls(Spy::CmdDispatch) == 1);
    CHECK(spy.last_grid[0] * spy.last_grid[1] >= primitive.grid(args).most);
    spy.forwards_commands = true;
}

} // namespace

TEST_CASE("indirect: reduce", "[device][contract]") {
    for_all<Reduce>({ElementType::u32, Operation::max}, [](const IndirectJob& job, const Reduce& reduce) {
        Reduce::Args args;
        args.input  = job.input();
        args.output = job.output();
        CHECK(job.run(reduce, args)[0] == harness::reference_reduce(ElementType::u32, Operation::max,
                                                                    job.elements.data(),
                                                                    static_cast<uint32_t>(job.elements.size()))[0]);
    });
}

TEST_CASE("indirect: scan", "[device][contract]") {
    for (bool waits : {true, false}) {
        Scan::Desc desc;
        desc.waits = waits;
        for_all<Scan>(desc, [&](const IndirectJob& job, const Scan& scan) {
            CAPTURE(waits);
            Scan::Args args;
            args.input                  = job.input();
            args.output                 = job.output();
            const auto            count = static_cast<uint32_t>(job.elements.size());
            std::vector<uint32_t> expected(count);
            harness::reference_scan(desc.type, desc.operation, desc.kind, job.elements.data(), expected.data(), count);
            expected.resize(count + 4);
            check_same(job.run(scan, args), expected);
        });
    }
}

TEST_CASE("indirect: compact", "[device][contract]") {
    for_all<Compact>({KeyType::u32, Compact::Keep::inside, Compact::Copy::keys},
                     [](const IndirectJob& job, const Compact& compact) {
                         Compact::Args args;
                         args.keys   = job.input();
                         args.kept   = job.output();
                         args.output = job.output() + 4;
                         args.upper  = 1e9;
                         std::vector<uint32_t> expected(1);
                         for (uint32_t element : job.elements) {
                             if (element <= 1000000000) expected.push_back(element);
                         }
                         expected[0] = static_cast<uint32_t>(expected.size() - 1);
                         expected.resize(job.elements.size() + 4);
                         check_same(job.run(compact, args), expected);
                     });
}

TEST_CASE("indirect: sort", "[device][contract]") {
    for_all<Sort>({ElementType::u32}, [](const IndirectJob& job, const Sort& sort) {
        Sort::Args args;
        args.keys                      = job.input();
        args.output_keys               = job.output();
        std::vector<uint32_t> expected = job.elements;
        std::sort(expected.begin(), expected.end());
        expected.resize(expected.size() + 4);
        check_same(job.run(sort, args), expected);
    });
}

TEST_CASE("indirect: what is recorded, and what makes no sense", "[device][contract]") {
    Spy           spy(device().context());
    Scan::Args    scan_args;
    Reduce::Args  reduce_args;
    Compact::Args compact_args;
    scan_args.input = scan_args.output = reduce_args.input = compact_args.keys = 1ull << 40;
    compact_args.elements                                                      = 2ull << 40;
    reduce_args.output = compact_args.output = 3ull << 40;
    compact_args.kept                        = 4ull << 40;
    check_recorded(spy, value_of(Scan::create(spy.context(), {})), scan_args);
    check_recorded(spy, value_of(Reduce::create(spy.context(), {})), reduce_args);
    check_recorded(spy, value_of(Compact::create(spy.context(), {})), compact_args);

    const auto refused = IndirectCommand::create(device().context(), {static_cast<IndirectCommand::Kind>(3)});
    check_error(refused, ErrorKind::invalid_desc, "Kind");
}

namespace {

/// What a primitive makes of `bound` elements at `input`, into `words` words, with `count` on the GPU. Tight buffers.
template <class Primitive>
std::vector<uint32_t> counted(const Primitive& primitive, typename Primitive::Args args, uint32_t count,
                              VkDeviceAddress Primitive::Args::*output, size_t words) {
    const runtime::Buffer made = buffer_of_zeros(words * 4), scratch = scratch_of(primitive.scratch_size(args));
    const runtime::Buffer count_buffer = buffer_with(std::vector<uint32_t>{count});
    args.*output                       = made.address();
    args.scratch                       = scratch.address();
    args.count_address                 = count_buffer.address();
    submit([&](runtime::Commands& commands) { primitive.record(commands.handle(), args); });
    check_ready(scratch);
    return content_of(made);
}

} // namespace

TEST_CASE("a count on the GPU above its bound counts as the bound", "[device][contract]") {
    const Context& context = device().context();
    for (uint32_t bound : {1u, 5000u, 70001u}) {
        const std::vector<uint32_t> ones(bound, 1);
        const runtime::Buffer       input = buffer_with(ones);
        const runtime::Buffer       kept  = buffer_of_zeros(4);
        for (uint32_t count : {bound + 1, 2 * bound + 100000, UINT32_MAX}) {
            CAPTURE(bound, count);
            Reduce::Args reduce_args;
            reduce_args.input = input.address();
            reduce_args.count = bound;
            CHECK(counted(value_of(Reduce::create(context, {})), reduce_args, count, &Reduce::Args::output, 1)[0] ==
                  bound);

            for (bool waits : {true, false}) {
                Scan::Desc desc;
                desc.kind  = Scan::Kind::inclusive;
                desc.waits = waits;
                Scan::Args scan_args;
                scan_args.input            = input.address();
                scan_args.count            = bound;
                const auto            scan = value_of(Scan::create(context, desc));
                std::vector<uint32_t> expected(bound);
                for (uint32_t i = 0; i < bound; ++i) expected[i] = i + 1;
                check_same(counted(scan, scan_args, count, &Scan::Args::output, bound), expected);
            }

            Compact::Args compact_args;
            compact_args.keys  = input.address();
            compact_args.kept  = kept.address();
            compact_args.count = bound;
            const auto compact =
                value_of(Compact::create(context, {KeyType::u32, Compact::Keep::nonzero, Compact::Copy::keys}));
            check_same(counted(compact, compact_args, count, &Compact::Args::output, bound), ones);
            CHECK(content_of(kept)[0] == bound);

            Histogram::Args histogram_args;
            histogram_args.input = input.address();
            histogram_args.count = bound;
            const auto histogram = value_of(Histogram::create(context, {SampleType::u32, 2, 0, 2}));
            check_same(counted(histogram, histogram_args, count, &Histogram::Args::counts, 2), {0, bound});
        }
    }
}

} // namespace vkprim::tests
