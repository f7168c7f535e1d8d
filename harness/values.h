// Random numbers, and how values look to a person.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vkprim::harness {

using Bytes = std::vector<uint8_t>;

/// Small and fast random numbers with the same sequence everywhere (Steele, Lea, Flood: SplitMix64, 2014).
class Random {
public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint64_t next();
    uint32_t below(uint32_t bound) { return static_cast<uint32_t>((next() >> 32) * bound >> 32); }

private:
    uint64_t state_;
};

/// How outputs look to a person.
enum class Format { u32, i32, f32, u64, i64, f64, u8, u16 };

/// Bytes of a value.
inline uint32_t size_of(Format format) {
    constexpr uint32_t sizes[] = {4, 4, 4, 8, 8, 8, 1, 2};
    return sizes[static_cast<uint32_t>(format)];
}

/// A value and its bits, as mismatches show them: "1.5 (0x3fc00000)".
std::string format_value(Format format, uint64_t bits);

struct Comparand {
    const void* expected = nullptr;
    const void* got      = nullptr;
    uint64_t    bytes    = 0;
    Format      format   = Format::u32;
};

/// The first value that differs, and how many do; empty where none does.
std::string difference_of(const Comparand& comparand);

} // namespace vkprim::harness
