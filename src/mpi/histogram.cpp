#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "memory.h"
#include "ranks.h"

namespace vkprim::mpi {

namespace {

constexpr uint64_t piece_pixels = 1u << 28; ///< so that no dispatch is long

uint32_t sample_size(SampleType type) {
    switch (type) {
        case SampleType::u8: return 1;
        case SampleType::u16: return 2;
        case SampleType::f64: return 8;
        default: return 4;
    }
}

} // namespace

struct Histogram::State {
    const runtime::Device& device;
    Ranks                  ranks;
    Desc                   desc;
    vkprim::Histogram      histogram;
    runtime::Buffer        counts         = {}; ///< of this rank
    runtime::Buffer        scratch        = {};
    std::vector<uint64_t>  counts_on_host = {};

    uint64_t bins() const {
        return uint64_t{desc.bins} * (desc.counted_channels > 0 ? desc.counted_channels : desc.channels);
    }

    /// What is wrong with `args` on this rank, if anything.
    Result<void> check(const Args& args) const {
        if (args.count % desc.channels != 0) {
            return Error{ErrorKind::invalid_args, std::to_string(args.count) + " samples are no whole pixels of " +
                                                      std::to_string(desc.channels) + " channels"};
        }
        const uint32_t size  = sample_size(desc.type);
        const auto     input = check_place(args.input, {"input", args.count, size, size});
        return input ? check_place(args.output, {"output", bins(), 8, 8}) : input;
    }

    /// On this rank: its counts, to the host.
    Result<void> count(const Args& args) {
        counts_on_host.assign(bins(), 0);
        if (args.count == 0) return {};
        const uint64_t piece = piece_pixels * desc.channels;
        if (auto grown = grow(counts, device, bins() * 8); !grown) return grown;
        vkprim::Histogram::Args largest;
        largest.count           = static_cast<uint32_t>(std::min(piece, args.count));
        const auto scratch_size = histogram.scratch_size(largest);
        if (scratch.size() < scratch_size) {
            if (auto grown = grow(scratch, device, scratch_size); !grown) return grown;
            if (auto filled = device.fill(scratch, 0, scratch.size(), 0); !filled) {
                scratch = runtime::Buffer(); // or the next run() would take it for ready
                return filled;
            }
        }
        std::vector<vkprim::Histogram::Args> all;
        for (uint64_t begin = 0; begin < args.count; begin += piece) {
            vkprim::Histogram::Args& one = all.emplace_back();
            one.input                    = address_of(args.input) + begin * sample_size(desc.type);
            one.counts                   = counts.address();
            one.scratch                  = scratch.address();
            one.count                    = static_cast<uint32_t>(std::min(piece, args.count - begin));
            one.accumulate               = begin > 0;
            one.weights                  = args.weights ? args.weights + begin / desc.channels * 4 : 0;
            one.levels                   = args.levels;
            if (auto valid = histogram.validate(one); !valid) return valid;
        }
        auto counted = submit(device, [&](runtime::Commands& commands) {
            for (const vkprim::Histogram::Args& one : all) {
                if (one.accumulate) commands.barrier(); // they share counts and scratch
                histogram.record(commands.handle(), one);
            }
        });
        if (!counted) return counted;
        return device.download(counts, 0, counts_on_host.data(), bins() * 8);
    }
};

Result<Histogram> Histogram::create(const runtime::Device& device, MPI_Comm communicator, const Desc& desc) {
    auto ranks = Ranks::create(communicator);
    if (!ranks) return ranks.error();
    Desc wide  = desc;
    wide.wide  = true;
    auto state = ranks->create_on_all([&]() -> Result<std::unique_ptr<State>> {
        if (desc.segments != SegmentLayout::none) {
            return Error{ErrorKind::invalid_desc, "a histogram of several ranks has no segments"};
        }
        auto histogram = vkprim::Histogram::create(device.context(), wide);
        if (!histogram) return histogram.error();
        return std::unique_ptr<State>(new State{device, {}, wide, std::move(*histogram)});
    });
    if (!state) return state.error();
    (*state)->ranks = std::move(*ranks);
    return Histogram(std::move(*state));
}

Result<void> Histogram::run(const Args& args) {
    State&       state = *state_;
    const Ranks& ranks = state.ranks;
    if (auto valid = ranks.on_all([&] { return state.check(args); }); !valid) return valid;
    if (auto counted = ranks.on_all([&] { return state.count(args); }); !counted) return counted;
    if (auto added = ranks.add_up(state.counts_on_host); !added) return added;
    return ranks.on_all([&] {
        return state.device.upload(*args.output.buffer, args.output.offset, state.counts_on_host.data(),
                                   state.bins() * 8);
    });
}

} // namespace vkprim::mpi
