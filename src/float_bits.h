// Floats as the 32 bits that they are.
#pragma once

#include <cstdint>
#include <cstring>

namespace vkprim {

inline uint32_t bits_of(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline float float_of(uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// The place of a float in the order of floats, in which -0 comes right before 0.
inline uint32_t order_of(float value) {
    const uint32_t bits = bits_of(value);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

} // namespace vkprim
