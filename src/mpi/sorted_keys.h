// A rank's sorted keys, on its device, searched from the host.
#pragma once

#include <unordered_map>
#include <vector>

#include "key_order.h"
#include "memory.h"

namespace vkprim::mpi {

/// A search reads the blocks of keys that it comes to, each once.
class SortedKeys {
public:
    SortedKeys(const runtime::Device& device, const KeyOrder& order, const Place& place, uint64_t count)
        : device_(device), order_(order), place_(place), count_(count) {}

    uint64_t count() const { return count_; }

    /// How many keys have codes below `limit`, or up to and including it.
    Result<uint64_t> below(uint64_t limit);
    Result<uint64_t> up_to(uint64_t limit);

private:
    template <class IsBefore>
    Result<uint64_t> partition_point(const IsBefore& is_before);
    Result<uint64_t> code(uint64_t index);

    const runtime::Device&                             device_;
    const KeyOrder&                                    order_;
    Place                                              place_;
    uint64_t                                           count_;
    std::unordered_map<uint64_t, std::vector<uint8_t>> blocks_;
};

} // namespace vkprim::mpi
