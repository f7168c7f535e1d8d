#include <algorithm>
#include <string>
#include <utility>

#include "ranks.h"
#include "sorted_keys.h"

namespace vkprim::mpi {

namespace {

/// Collective. Where in `keys` those begin that go to each rank, and the end: so that rank r gets as many of all as counts[r] says.
Result<std::vector<uint64_t>> find_cuts(const Ranks& ranks, const std::vector<uint64_t>& counts, uint32_t bits,
                                        SortedKeys& keys) {
    const size_t          cuts = counts.size() - 1; // between ranks
    std::vector<uint64_t> before, codes, sums, equal, equal_before, found;
    const auto            made = ranks.on_all([&]() -> Result<void> {
        for (auto* words : {&before, &codes, &sums, &equal, &equal_before}) words->assign(cuts, 0);
        found.reserve(cuts + 2);
        return {};
    });
    if (!made) return made.error();
    for (size_t i = 0; i < cuts; ++i) before[i] = counts[i] + (i > 0 ? before[i - 1] : 0);

    // Of this rank's keys, for each cut.
    const auto count_keys = [&](const auto& count) -> Result<void> {
        return ranks.on_all([&]() -> Result<void> {
            for (size_t i = 0; i < cuts; ++i) {
                const auto number = count(i);
                if (!number) return number.error();
                sums[i] = *number;
            }
            return {};
        });
    };

    // The smallest code such that as many keys as come before the cut have it or a smaller one: bit by bit, from the highest on.
    for (uint32_t bit = bits; bit-- > 0;) {
        const uint64_t half = uint64_t{1} << bit;
        if (auto counted = count_keys([&](size_t i) { return keys.up_to(codes[i] + half - 1); }); !counted)
            return counted.error();
        if (auto added = ranks.add_up(sums); !added) return added.error();
        for (size_t i = 0; i < cuts; ++i) codes[i] += sums[i] < before[i] ? half : 0;
    }

    // All smaller keys come before the cut, and of the equal ones as many as are missing: those of the first ranks.
    if (auto counted = count_keys([&](size_t i) { return keys.up_to(codes[i]); }); !counted) return counted.error();
    equal = sums;
    if (auto counted = count_keys([&](size_t i) { return keys.below(codes[i]); }); !counted) return counted.error();
    found = sums;
    for (size_t i = 0; i < cuts; ++i) equal[i] -= sums[i];
    if (auto added = ranks.add_up(sums); !added) return added.error();
    const int code =
        MPI_Exscan(equal.data(), equal_before.data(), static_cast<int>(cuts), MPI_UINT64_T, MPI_SUM, ranks.handle());
    if (auto scanned = check_mpi(code, "MPI_Exscan"); !scanned) return scanned.error();
    if (ranks.rank() == 0) equal_before.assign(cuts, 0); // MPI leaves it undefined there
    for (size_t i = 0; i < cuts; ++i) {
        const uint64_t missing = before[i] - sums[i];
        found[i] += std::min(equal[i], missing - std::min(missing, equal_before[i]));
    }
    found.insert(found.begin(), 0);
    found.push_back(keys.count());
    return found;
}

} // namespace

struct Sort::State {
    const runtime::Device& device;
    Ranks                  ranks;
    vkprim::Sort           sort;
    KeyOrder               order;
    runtime::Buffer        temporary = {};
    std::vector<uint8_t>   sent = {}, received = {}; ///< the keys that change ranks

    uint32_t key_size() const { return order.key_size(); }

    Result<void> check(const Args& args) const {
        if (args.count > INT32_MAX) {
            return Error{ErrorKind::invalid_args, "a rank has " + std::to_string(args.count) +
                                                      " keys, but a sort takes up to 2147483647 on each: use "
                                                      "more ranks"};
        }
        const Need input{"keys", args.count, key_size(), key_size()},
            output{"output", args.count, key_size(), key_size()};
        const auto keys = check_place(args.keys, input);
        return keys ? check_place(args.output, output) : keys;
    }

    /// On this rank: sorts the keys at `from`.
    Result<void> sort_here(VkDeviceAddress from, const Args& args) {
        if (args.count == 0) return {};
        vkprim::Sort::Args here;
        here.keys        = from;
        here.output_keys = address_of(args.output);
        here.count       = static_cast<uint32_t>(args.count);
        if (auto grown = grow(temporary, device, sort.temporary_size(here)); !grown) return grown;
        here.temporary = temporary.address();
        if (auto valid = sort.validate(here); !valid) return valid;
        return submit(device, [&](runtime::Commands& commands) { sort.record(commands.handle(), here); });
    }

    /// Collective. Moves the keys of this rank's output that belong to others to them, by `cuts`, and puts theirs in the places that
    /// become free.
    Result<void> exchange(const std::vector<uint64_t>& cuts, const Args& args) {
        const size_t     count = cuts.size() - 1, rank = static_cast<size_t>(ranks.rank());
        std::vector<int> sizes, offsets, got, places; // in keys: below 2^31
        auto             made = ranks.on_all([&]() -> Result<void> {
            for (auto* numbers : {&sizes, &offsets, &got, &places}) numbers->assign(count, 0);
            return {};
        });
        if (!made) return made;
        for (size_t i = 0; i < count; ++i) sizes[i] = i == rank ? 0 : static_cast<int>(cuts[i + 1] - cuts[i]);
        const int told = MPI_Alltoall(sizes.data(), 1, MPI_INT, got.data(), 1, MPI_INT, ranks.handle());
        if (auto done = check_mpi(told, "MPI_Alltoall"); !done) return done;
        for (size_t i = 1; i < count; ++i) {
            offsets[i] = offsets[i - 1] + sizes[i - 1];
            places[i]  = places[i - 1] + got[i - 1];
        }
        // They lie before the keys that stay, and after them. As many come as go.
        const VkDeviceSize size   = key_size();
        const VkDeviceSize before = cuts[rank] * size;
        const VkDeviceSize after  = (args.count - cuts[rank + 1]) * size;
        const VkDeviceSize second = args.output.offset + cuts[rank + 1] * size;
        const auto&        output = args.output;
        auto               left   = ranks.on_all([&]() -> Result<void> {
            sent.resize(before + after);
            received.resize(before + after);
            if (sent.empty()) return {}; // a rank without keys need not have a buffer
            auto read = device.download(*output.buffer, output.offset, sent.data(), before);
            return read ? device.download(*output.buffer, second, sent.data() + before, after) : read;
        });
        if (!left) return left;

        MPI_Datatype key = MPI_DATATYPE_NULL;
        MPI_Type_contiguous(static_cast<int>(size), MPI_BYTE, &key);
        MPI_Type_commit(&key);
        const int moved = MPI_Alltoallv(sent.data(), sizes.data(), offsets.data(), key, received.data(), got.data(),
                                        places.data(), key, ranks.handle());
        MPI_Type_free(&key);
        if (auto done = check_mpi(moved, "MPI_Alltoallv"); !done) return done;
        return ranks.on_all([&]() -> Result<void> {
            if (received.empty()) return {};
            auto written = device.upload(*output.buffer, output.offset, received.data(), before);
            return written ? device.upload(*output.buffer, second, received.data() + before, after) : written;
        });
    }
};

Result<Sort> Sort::create(const runtime::Device& device, MPI_Comm communicator, const Desc& desc) {
    auto ranks = Ranks::create(communicator);
    if (!ranks) return ranks.error();
    auto state = ranks->create_on_all([&]() -> Result<std::unique_ptr<State>> {
        auto sort = vkprim::Sort::create(device.context(), {desc.key, vkprim::Sort::Values::none, desc.descending});
        if (!sort) return sort.error();
        const KeyOrder order(desc.key, desc.descending);
        return std::unique_ptr<State>(new State{device, {}, std::move(*sort), order});
    });
    if (!state) return state.error();
    (*state)->ranks = std::move(*ranks);
    return Sort(std::move(*state));
}

Result<void> Sort::run(const Args& args) {
    State&       state = *state_;
    const Ranks& ranks = state.ranks;
    if (auto valid = ranks.on_all([&] { return state.check(args); }); !valid) return valid;
    const auto counts = ranks.gather(args.count);
    if (!counts) return counts.error();
    auto sorted = ranks.on_all([&] { return state.sort_here(address_of(args.keys), args); });
    if (!sorted) return sorted;
    SortedKeys keys(state.device, state.order, args.output, args.count);
    const auto cuts = find_cuts(ranks, *counts, state.order.bits(), keys);
    if (!cuts) return cuts.error();
    if (auto moved = state.exchange(*cuts, args); !moved) return moved;
    return ranks.on_all([&] { return state.sort_here(address_of(args.output), args); });
}

} // namespace vkprim::mpi
