// What Reduce and Scan exchange between ranks: the totals of their chunks.
#pragma once

#include <cstring>
#include <vector>

#include "memory.h"
#include "parts.h"
#include "ranks.h"

namespace vkprim::mpi {

/// The bytes of the totals of a part's chunks, which are neighbours. `range_of` gives a chunk's TotalsRange.
template <class RangeOf>
TotalsRange totals_of(const RankPart& part, const RangeOf& range_of) {
    TotalsRange all;
    for (const Chunk& chunk : chunks_of(part)) {
        const TotalsRange range = range_of(chunk);
        if (range.size == 0) continue;
        if (all.size == 0) all.offset = range.offset;
        all.size = range.offset + range.size - all.offset;
    }
    return all;
}

/// The totals of all ranks' chunks: on this rank's device, and on the host, where MPI exchanges them. Between the two they pass through
/// memory that the device copies from and to. MPI does not see it: some drivers' mappings cannot be read by another process.
class Totals {
public:
    /// Makes room for `size` bytes of them.
    Result<void> grow(const runtime::Device& device, VkDeviceSize size) {
        on_host_.resize(size);
        auto grown = mpi::grow(on_device_, device, size);
        return grown ? grow_host(between_, device, size) : grown;
    }

    VkDeviceAddress address() const { return on_device_.address(); }
    uint8_t*        on_host() { return on_host_.data(); }

    /// Submits what `record` records, which writes the totals of `range`, and copies these to the host.
    template <class Record>
    Result<void> download_from(const runtime::Device& device, const TotalsRange& range, const Record& record) {
        auto done = submit(device, [&](runtime::Commands& commands) {
            record(commands.handle());
            if (range.size == 0) return; // fewer elements than a total is of
            commands.barrier();
            commands.copy(on_device_, between_, {range.offset, range.offset, range.size});
        });
        if (done && range.size > 0) std::memcpy(on_host_.data() + range.offset, data() + range.offset, range.size);
        return done;
    }

    /// Copies all totals to the device, and submits what `record` records, which uses them.
    template <class Record>
    Result<void> upload_to(const runtime::Device& device, const Record& record) {
        const size_t size = on_host_.size();
        if (size > 0) std::memcpy(data(), on_host_.data(), size);
        return submit(device, [&](runtime::Commands& commands) {
            if (size > 0) commands.copy(between_, on_device_, {0, 0, size});
            commands.barrier();
            record(commands.handle());
        });
    }

private:
    uint8_t* data() const { return static_cast<uint8_t*>(between_.data()); }

    std::vector<uint8_t> on_host_;
    runtime::Buffer      between_, on_device_;
};

/// Collective. `totals` has those of this rank's chunks on the host, and afterwards those of all.
template <class RangeOf>
Result<void> exchange_totals(const Ranks& ranks, const std::vector<RankPart>& parts, Totals& totals,
                             const RangeOf& range_of) {
    std::vector<int> sizes, offsets;
    auto             found = ranks.on_all([&]() -> Result<void> {
        for (const RankPart& part : parts) {
            const TotalsRange range = totals_of(part, range_of);
            sizes.push_back(static_cast<int>(range.size)); // totals have 512 KiB at most
            offsets.push_back(static_cast<int>(range.offset));
        }
        return {};
    });
    if (!found) return found;
    return check_mpi(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, totals.on_host(), sizes.data(), offsets.data(),
                                    MPI_BYTE, ranks.handle()),
                     "MPI_Allgatherv");
}

} // namespace vkprim::mpi
