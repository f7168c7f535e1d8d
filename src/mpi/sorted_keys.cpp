#include "sorted_keys.h"

#include <algorithm>

namespace vkprim::mpi {

namespace {

constexpr uint64_t block_keys = 4096;

} // namespace

Result<uint64_t> SortedKeys::code(uint64_t index) {
    const uint64_t        size = order_.key_size(), number = index / block_keys;
    std::vector<uint8_t>& block = blocks_[number];
    if (block.empty()) {
        block.resize(std::min(block_keys, count_ - number * block_keys) * size);
        const auto read =
            device_.download(*place_.buffer, place_.offset + number * block_keys * size, block.data(), block.size());
        if (!read) return read.error();
    }
    return order_.code(block.data(), index % block_keys);
}

/// How many keys, the first ones, have a code of which `is_before` is true.
template <class IsBefore>
Result<uint64_t> SortedKeys::partition_point(const IsBefore& is_before) {
    uint64_t begin = 0, end = count_;
    while (begin < end) {
        const uint64_t middle = begin + (end - begin) / 2;
        auto           found  = code(middle);
        if (!found) return found;
        if (is_before(*found)) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

Result<uint64_t> SortedKeys::below(uint64_t limit) {
    return partition_point([&](uint64_t code) { return code < limit; });
}

Result<uint64_t> SortedKeys::up_to(uint64_t limit) {
    return partition_point([&](uint64_t code) { return code <= limit; });
}

} // namespace vkprim::mpi
