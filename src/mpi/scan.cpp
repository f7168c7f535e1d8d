#include <utility>

#include "borders.h"
#include "element.h"
#include "totals.h"

namespace vkprim::mpi {

struct Scan::State {
    const runtime::Device&         device;
    Ranks                          ranks;
    Desc                           desc;
    ChunkedScan                    scan;
    Borders                        borders   = {};
    Totals                         totals    = {};
    runtime::Buffer                temporary = {}; ///< of each chunk, one behind the other
    std::vector<ChunkedScan::Args> chunks    = {}; ///< of this rank

    uint32_t element_size() const { return element_type_size(desc.type); }
    uint32_t output_size() const { return element_type_size(output_type(desc.type)); }
    auto     range_of() const {
            return [this](const Chunk& chunk) { return scan.totals_range(chunk); };
    }

    /// On this rank: the totals of its chunks, to the host.
    Result<void> compute_totals(const Place& output) {
        const std::vector<Borders::Work> all  = borders.work();
        VkDeviceSize                     size = 0;
        for (const Borders::Work& work : all) size += room_for(work.chunk);
        if (auto grown = totals.grow(device, scan.totals_size(borders.whole())); !grown) return grown;
        if (auto grown = grow(temporary, device, size); !grown) return grown;
        chunks.clear();
        VkDeviceAddress next = temporary.address();
        for (const Borders::Work& work : all) {
            const auto to = borders.output_of(work, device, output, output_size());
            if (!to) return to.error();
            chunks.push_back({work.input, *to, totals.address(), next, work.chunk});
            next += room_for(work.chunk);
            if (auto valid = scan.validate(chunks.back()); !valid) return valid;
        }
        if (chunks.empty()) return {};
        return totals.download_from(device, totals_of(borders.part(), range_of()), [&](VkCommandBuffer commands) {
            for (const ChunkedScan::Args& args : chunks) scan.record_totals(commands, args);
        });
    }

    /// On this rank: the outputs, from the totals on the host.
    Result<void> compute_outputs() {
        if (chunks.empty()) return {};
        return totals.upload_to(device, [&](VkCommandBuffer commands) {
            for (const ChunkedScan::Args& args : chunks) scan.record_outputs(commands, args);
        });
    }

    VkDeviceSize room_for(const Chunk& chunk) const { return (scan.temporary_size(chunk.count) + 15) / 16 * 16; }
};

Result<Scan> Scan::create(const runtime::Device& device, MPI_Comm communicator, const Desc& desc) {
    auto ranks = Ranks::create(communicator);
    if (!ranks) return ranks.error();
    auto state = ranks->create_on_all([&]() -> Result<std::unique_ptr<State>> {
        auto scan = ChunkedScan::create(device.context(), desc);
        if (!scan) return scan.error();
        return std::unique_ptr<State>(new State{device, {}, desc, std::move(*scan)});
    });
    if (!state) return state.error();
    (*state)->ranks = std::move(*ranks);
    return Scan(std::move(*state));
}

Result<void> Scan::run(const Args& args) {
    State&       state = *state_;
    const Ranks& ranks = state.ranks;
    const auto   size = state.element_size(), output_size = state.output_size();
    auto         valid = ranks.on_all([&] {
        const auto input = check_place(args.input, {"input", args.count, size, size});
        return input ? check_place(args.output, {"output", args.count, output_size, output_size}) : input;
    });
    if (!valid) return valid;
    if (auto gathered = state.borders.gather(ranks, state.device, args.input, args.count, size); !gathered)
        return gathered;
    if (auto computed = ranks.on_all([&] { return state.compute_totals(args.output); }); !computed) return computed;
    auto exchanged = exchange_totals(ranks, state.borders.parts(), state.totals, state.range_of());
    if (!exchanged) return exchanged;
    if (auto computed = ranks.on_all([&] { return state.compute_outputs(); }); !computed) return computed;
    return state.borders.scatter(ranks, state.device, args.output, output_size);
}

} // namespace vkprim::mpi
