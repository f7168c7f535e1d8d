#include <utility>

#include "borders.h"
#include "element.h"
#include "totals.h"

namespace vkprim::mpi {

struct Reduce::State {
    const runtime::Device& device;
    Ranks                  ranks;
    Desc                   desc;
    ChunkedReduce          reduce;
    Borders                borders   = {};
    Totals                 totals    = {};
    runtime::Buffer        temporary = {};

    uint32_t element_size() const { return element_type_size(desc.type); }
    bool     indexed() const { return desc.operation == Operation::argmin || desc.operation == Operation::argmax; }
    uint32_t output_align() const {
        return element_type_size(desc.wide ? wide_type(desc.type) : output_type(desc.type));
    }
    uint32_t result_size() const { return indexed() ? 8 : output_align(); }

    auto range_of() const {
        return [this](const Chunk& chunk) { return reduce.totals_range(chunk, borders.whole()); };
    }

    /// On this rank: the totals of its chunks, to the host.
    Result<void> compute_totals() {
        const uint64_t whole = borders.whole();
        if (auto grown = totals.grow(device, reduce.totals_size(whole)); !grown) return grown;
        if (auto grown = grow(temporary, device, reduce.temporary_size()); !grown) return grown;
        std::vector<ChunkedReduce::TotalsArgs> all;
        for (const Borders::Work& work : borders.work()) {
            all.push_back({work.input, totals.address(), work.chunk, whole});
            if (auto valid = reduce.validate(all.back()); !valid) return valid;
        }
        if (all.empty()) return {};
        return totals.download_from(device, totals_of(borders.part(), range_of()), [&](VkCommandBuffer commands) {
            for (const ChunkedReduce::TotalsArgs& args : all) reduce.record_totals(commands, args);
        });
    }

    /// On this rank: the result, from the totals on the host.
    Result<void> compute_result(const Place& output) {
        const ChunkedReduce::ResultArgs args{totals.address(), temporary.address(), address_of(output),
                                             borders.whole()};
        if (auto valid = reduce.validate(args); !valid) return valid;
        return totals.upload_to(device, [&](VkCommandBuffer commands) { reduce.record_result(commands, args); });
    }
};

Result<Reduce> Reduce::create(const runtime::Device& device, MPI_Comm communicator, const Desc& desc) {
    auto ranks = Ranks::create(communicator);
    if (!ranks) return ranks.error();
    auto state = ranks->create_on_all([&]() -> Result<std::unique_ptr<State>> {
        auto reduce = ChunkedReduce::create(device.context(), desc);
        if (!reduce) return reduce.error();
        return std::unique_ptr<State>(new State{device, {}, desc, std::move(*reduce)});
    });
    if (!state) return state.error();
    (*state)->ranks = std::move(*ranks);
    return Reduce(std::move(*state));
}

Result<void> Reduce::run(const Args& args) {
    State&       state = *state_;
    const Ranks& ranks = state.ranks;
    const auto   size  = state.element_size();
    auto         valid = ranks.on_all([&] {
        const auto input = check_place(args.input, {"input", args.count, size, size});
        return input ? check_place(args.output, {"output", 1, state.result_size(), state.output_align()}) : input;
    });
    if (!valid) return valid;
    if (auto gathered = state.borders.gather(ranks, state.device, args.input, args.count, size); !gathered)
        return gathered;
    if (auto computed = ranks.on_all([&] { return state.compute_totals(); }); !computed) return computed;
    auto exchanged = exchange_totals(ranks, state.borders.parts(), state.totals, state.range_of());
    if (!exchanged) return exchanged;
    return ranks.on_all([&] { return state.compute_result(args.output); });
}

} // namespace vkprim::mpi
