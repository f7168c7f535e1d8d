#include <algorithm>
#include <string>
#include <utility>

#include "element.h"
#include "key_order.h"
#include "memory.h"
#include "ranks.h"

namespace vkprim::mpi {

namespace {

using Bytes = std::vector<uint8_t>;

/// A rank's keys, in order.
struct Keys {
    const KeyOrder& order;
    const Bytes&    bytes;
    uint64_t        count = 0;

    uint64_t below(uint64_t code) const { return order.below(bytes.data(), count, code); }
    uint64_t up_to(uint64_t code) const { return order.up_to(bytes.data(), count, code); }
};

/// Collective. Where in `keys` those begin that go to each rank, and the end: so that rank r gets as many of all as counts[r] says.
Result<std::vector<uint64_t>> find_cuts(const Ranks& ranks, const std::vector<uint64_t>& counts, const Keys& keys) {
    const size_t          cuts = counts.size() - 1; // between ranks
    std::vector<uint64_t> before(cuts), codes(cuts, 0), sums(cuts);
    for (size_t i = 0; i < cuts; ++i) before[i] = counts[i] + (i > 0 ? before[i - 1] : 0);

    // The smallest code such that as many keys as come before the cut have it or a smaller one: bit by bit, from the highest on.
    for (uint32_t bit = keys.order.bits(); bit-- > 0;) {
        const uint64_t half = uint64_t{1} << bit;
        for (size_t i = 0; i < cuts; ++i) sums[i] = keys.up_to(codes[i] + half - 1);
        if (auto added = ranks.add_up(sums); !added) return added.error();
        for (size_t i = 0; i < cuts; ++i) codes[i] += sums[i] < before[i] ? half : 0;
    }

    // All smaller keys come before the cut, and of the equal ones as many as are missing: those of the first ranks.
    std::vector<uint64_t> equal(cuts), equal_before(cuts, 0);
    for (size_t i = 0; i < cuts; ++i) {
        sums[i]  = keys.below(codes[i]);
        equal[i] = keys.up_to(codes[i]) - sums[i];
    }
    std::vector<uint64_t> found = sums;
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
    found.push_back(keys.count);
    return found;
}

} // namespace

struct Sort::State {
    const runtime::Device& device;
    Ranks                  ranks;
    Desc                   desc;
    vkprim::Sort           sort;
    KeyOrder               order;
    runtime::Buffer        temporary = {};
    Bytes                  sent = {}, received = {};

    uint32_t key_size() const { return element_type_size(desc.key); }

    Result<void> check(const Args& args) const {
        if (args.count > INT32_MAX) {
            return Error{VK_ERROR_VALIDATION_FAILED_EXT, "a rank has " + std::to_string(args.count) +
                                                             " keys, but a sort takes up to 2147483647 on each: use "
                                                             "more ranks"};
        }
        const Need input{"keys", args.count * key_size(), key_size()}, output{"output", input.size, input.align};
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
        if (auto grown = grow(temporary, device, sort.temporary_size(here.count)); !grown) return grown;
        here.temporary = temporary.address();
        if (auto valid = sort.validate(here); !valid) return valid;
        return submit(device, [&](runtime::Commands& commands) { sort.record(commands.handle(), here); });
    }

    /// Collective. Moves the keys between the cuts of this rank, in `sent`, to the others, and theirs to `received`.
    Result<void> move_keys(const std::vector<uint64_t>& cuts) {
        const size_t     count = cuts.size() - 1;
        std::vector<int> sizes(count), offsets(count), got(count), places(count); // in keys: below 2^31
        for (size_t i = 0; i < count; ++i) {
            sizes[i]   = static_cast<int>(cuts[i + 1] - cuts[i]);
            offsets[i] = static_cast<int>(cuts[i]);
        }
        const int told = MPI_Alltoall(sizes.data(), 1, MPI_INT, got.data(), 1, MPI_INT, ranks.handle());
        if (auto done = check_mpi(told, "MPI_Alltoall"); !done) return done;
        for (size_t i = 1; i < count; ++i) places[i] = places[i - 1] + got[i - 1];

        MPI_Datatype key = MPI_DATATYPE_NULL;
        MPI_Type_contiguous(static_cast<int>(key_size()), MPI_BYTE, &key);
        MPI_Type_commit(&key);
        const int moved = MPI_Alltoallv(sent.data(), sizes.data(), offsets.data(), key, received.data(), got.data(),
                                        places.data(), key, ranks.handle());
        MPI_Type_free(&key);
        return check_mpi(moved, "MPI_Alltoallv");
    }
};

Result<Sort> Sort::create(const runtime::Device& device, MPI_Comm communicator, const Desc& desc) {
    auto ranks = Ranks::create(communicator);
    if (!ranks) return ranks.error();
    auto sort = ranks->create_on_all([&] {
        return vkprim::Sort::create(device.context(), {desc.key, vkprim::Sort::Values::none, desc.descending});
    });
    if (!sort) return sort.error();
    const KeyOrder order(desc.key, desc.descending);
    return Sort(std::unique_ptr<State>(new State{device, std::move(*ranks), desc, std::move(*sort), order}));
}

Result<void> Sort::run(const Args& args) {
    State&         state = *state_;
    const Ranks&   ranks = state.ranks;
    const uint64_t size  = args.count * state.key_size();
    if (auto valid = ranks.on_all([&] { return state.check(args); }); !valid) return valid;
    const auto counts = ranks.gather(args.count);
    if (!counts) return counts.error();
    auto sorted = ranks.on_all([&]() -> Result<void> {
        state.sent.resize(size);
        state.received.resize(size);
        if (size == 0) return {};
        auto here = state.sort_here(address_of(args.keys), args);
        return here ? state.device.download(*args.output.buffer, args.output.offset, state.sent.data(), size) : here;
    });
    if (!sorted) return sorted;
    const auto cuts = find_cuts(ranks, *counts, {state.order, state.sent, args.count});
    if (!cuts) return cuts.error();
    if (auto moved = state.move_keys(*cuts); !moved) return moved;
    return ranks.on_all([&]() -> Result<void> {
        if (size == 0) return {};
        auto there = state.device.upload(*args.output.buffer, args.output.offset, state.received.data(), size);
        return there ? state.sort_here(address_of(args.output), args) : there;
    });
}

Sort::Sort(std::unique_ptr<State> state) : state_(std::move(state)) {}
Sort::Sort(Sort&&) noexcept            = default;
Sort& Sort::operator=(Sort&&) noexcept = default;
Sort::~Sort()                          = default;

} // namespace vkprim::mpi
