#include "sharing.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace vkprim::tests {

int rank_here() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int rank_count() {
    int count = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    return count;
}

uint64_t Sharing::whole() const { return std::accumulate(counts.begin(), counts.end(), uint64_t{0}); }

uint64_t Sharing::begin() const { return std::accumulate(counts.begin(), counts.begin() + rank_here(), uint64_t{0}); }

namespace {

/// `cut` gives the number of the first element of each rank but the first.
Sharing cut_at(const std::string& name, uint64_t whole, const std::function<uint64_t(uint64_t rank)>& cut) {
    Sharing    sharing{name, {}};
    uint64_t   begin = 0;
    const auto ranks = static_cast<uint64_t>(rank_count());
    for (uint64_t next = 1; next <= ranks; ++next) {
        const uint64_t end = next == ranks ? whole : std::clamp(cut(next), begin, whole);
        sharing.counts.push_back(end - begin);
        begin = end;
    }
    return sharing;
}

} // namespace

std::vector<Sharing> sharings() {
    constexpr uint64_t group = chunk_step, whole = 3 * group + 5003;
    const auto         ranks = static_cast<uint64_t>(rank_count());
    return {cut_at("at whole groups", whole, [](uint64_t rank) { return rank * group; }),
            cut_at("anywhere", whole, [&](uint64_t rank) { return whole * rank / ranks + 17 * rank + 1; }),
            cut_at("twice in each group", whole, [](uint64_t rank) { return rank * group / 2 + 1; }),
            cut_at("in the second group only", whole, [](uint64_t rank) { return group + 5 * rank; }),
            cut_at("in the last group only", whole, [](uint64_t rank) { return 3 * group + rank; }),
            cut_at("the first has all", whole, [](uint64_t) { return whole; }),
            cut_at("the last has all", whole, [](uint64_t) { return 0; }),
            cut_at("some have none", whole, [](uint64_t rank) { return (rank + 1) / 2 * (group / 3); }),
            cut_at("up to the end of a group", 2 * group, [](uint64_t rank) { return rank * group / 3; }),
            cut_at("few", 1000, [](uint64_t rank) { return 100 * rank; }),
            cut_at("one", 1, [](uint64_t) { return 0; }),
            cut_at("none", 0, [](uint64_t) { return 0; })};
}

std::vector<uint8_t> share_of(const Sharing& sharing, const std::vector<uint8_t>& whole, uint32_t element_size) {
    const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(sharing.begin() * element_size);
    return {begin, begin + static_cast<std::ptrdiff_t>(sharing.count() * element_size)};
}

OnDevice::OnDevice(const Sharing& sharing, const std::vector<uint8_t>& whole, uint32_t element_size)
    : OnDevice(sharing.count() * element_size) {
    const std::vector<uint8_t> share = share_of(sharing, whole, element_size);
    CHECK(device().upload(buffer_, guard, share.data(), share.size()));
}

OnDevice::OnDevice(VkDeviceSize size)
    : size_(size), buffer_(must(device().create_buffer((size + 2 * guard + 3) / 4 * 4))) {
    CHECK(device().fill(buffer_, 0, buffer_.size(), 0xcdcdcdcd));
}

std::vector<uint8_t> OnDevice::bytes() const {
    std::vector<uint8_t> all(size_ + 2 * guard);
    CHECK(device().download(buffer_, 0, all.data(), all.size()));
    const auto is_guard = [](uint8_t byte) { return byte == 0xcd; };
    CHECK(std::all_of(all.begin(), all.begin() + guard, is_guard));
    CHECK(std::all_of(all.end() - guard, all.end(), is_guard));
    return {all.begin() + guard, all.end() - guard};
}

std::string reason_of(const Result<void>& result) { return result ? std::string() : result.error().reason; }

} // namespace vkprim::tests
