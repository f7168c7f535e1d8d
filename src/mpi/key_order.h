// The order of Sort (vkprim/sort.h), on the host.
#pragma once

#include <vkprim/core.h>

#include <cstdint>
#include <cstring>

namespace vkprim::mpi {

/// Keys as unsigned integers of the same order: what comes first in a sort has the smaller code.
class KeyOrder {
public:
    KeyOrder(ElementType type, bool descending);

    uint32_t key_size() const { return size_; } ///< bytes
    uint32_t bits() const { return 8 * size_; } ///< of a code

    /// The code of key number `index` at `keys`.
    uint64_t code(const uint8_t* keys, uint64_t index) const {
        uint64_t key = 0;
        std::memcpy(&key, keys + index * size_, size_); // little-endian
        return descending_ ? mask_ - ascending(key) : ascending(key);
    }

private:
    enum class Kind { unsigned_integer, signed_integer, floating };

    uint64_t ascending(uint64_t key) const {
        if (kind_ == Kind::unsigned_integer) return key;
        if (kind_ == Kind::signed_integer) return key ^ sign_;
        // NaN with a clear sign bit come behind the numbers, and then those with a set one.
        if (key > negative_infinity_) return mask_ - key + negative_infinity_ + 1;
        return (key & sign_ ? mask_ - key : key | sign_) - (mask_ - negative_infinity_);
    }

    uint32_t size_;
    Kind     kind_;
    bool     descending_;
    uint64_t mask_, sign_, negative_infinity_ = 0;
};

} // namespace vkprim::mpi
